import type { JsonObject, JsonValue } from "@procedo/contract";
import { parseKeepingExact } from "@procedo/procedure";

/**
 * The service's own reason for rejecting a call, from the usual places in an error body: `detail` and `title` of a
 * problem (RFC 9457), `error.message`, `error_description`, `message`, `errors` as a list or by field, a SOAP fault, or
 * a text. `undefined` when no readable reason exists. The reason is truncated, but not redacted.
 */
export function serviceReason(body: JsonValue): string | undefined {
  if (typeof body === "string" && /^\s*</.test(body)) return reasonInMarkup(body);
  const reason = reasonIn(unlabelled(body), { depth: 6, left: { values: 1_000 } });
  return reason === "" ? undefined : reason;
}

/** Maximum number of characters read from a text. */
const maxChars = 16 * 1024;
/** Maximum number of shown list items and object members. */
const maxItems = 10;

/** Members with a reason, most specific first. Names are compared without case, `_`, `-` and `.`. */
const telling = (
  "faultstring detail errordescription message errormessage errormsg msg description errorsummary summary " +
  "displaymessage statusmessage exceptionmessage reason title text info error err fault exception odataerror"
).split(" ");

/** Members with a reason under custom names: `refusalReason`, `responseMessage`, `return_msg`. */
const tellingEnd = /(?:message|msg|reason|description)$/;

/** Members with additional or multiple reasons. */
const listing = (
  "errors errormessages fielderrors validationerrors violations invalidparams issues details messages tppmessages " +
  "elements causes errorcauses debuginfo developermessage"
).split(" ");

/** Codes, used when the body has no words. */
const codes = ["errorcode", "code", "type", "name", "status", "value"];

/** Members that name the request member to which a list item refers. */
const places = "field path pointer loc property propertypath param parameter location attribute name".split(" ");

/** Remaining depth, and the remaining number of values for the whole search. */
interface Search {
  readonly depth: number;
  readonly left: { values: number };
}

function reasonIn(value: JsonValue | undefined, search: Search): string {
  if (value === undefined || search.depth === 0 || (search.left.values -= 1) < 0) return "";
  if (typeof value === "string") return spaced(value);
  if (typeof value !== "object" || value === null) return "";
  const within = { ...search, depth: search.depth - 1 };
  if (isList(value)) return joined(value.slice(0, maxItems).map((item) => itemReason(item, within)));
  const members = membersOf(value);
  const told = firstReason(telling, members, within);
  const listed = listing.map((name) => listReason(members.get(name), within));
  const further = joined(listed.filter((reason) => reason !== told));
  if (told !== "" && further !== "") return `${told.replace(/[.:]$/, "")}: ${further}`;
  return told || further || otherReason(members) || reasonByField(value, within, "object") || codeIn(members);
}

/** A list, or an object that maps field names to messages. */
function listReason(value: JsonValue | undefined, search: Search): string {
  if (typeof value !== "object" || value === null || isList(value)) return reasonIn(value, search);
  const names = [...membersOf(value).keys()];
  const tells = names.some((name) => telling.includes(name) || listing.includes(name) || codes.includes(name));
  return tells ? reasonIn(value, search) : reasonByField(value, search, "string", "object");
}

/** Messages by field name, a format of many frameworks. */
function reasonByField(object: JsonObject, search: Search, ...kinds: readonly string[]): string {
  const fields = Object.entries(object).filter(([, item]) => item !== null && kinds.includes(typeof item));
  return joined(fields.slice(0, maxItems).map(([field, item]) => placed(field, reasonIn(item, search))));
}

function itemReason(item: JsonValue, search: Search): string {
  const reason = reasonIn(item, search);
  if (typeof item !== "object" || item === null || isList(item)) return reason;
  const members = membersOf(item);
  const place = places.map((name) => placeText(members.get(name))).find((text) => text !== "");
  return placed(place ?? "", reason);
}

function placeText(place: JsonValue | undefined): string {
  if (typeof place === "string") return spaced(place);
  if (!isList(place)) return "";
  return place.filter((part) => typeof part === "string" || typeof part === "number").join(".");
}

function placed(place: string, reason: string): string {
  return place === "" || reason === "" || reason.includes(place) ? reason : `${place}: ${reason}`;
}

function firstReason(names: readonly string[], members: ReadonlyMap<string, JsonValue>, search: Search): string {
  for (const name of names) {
    const reason = reasonIn(members.get(name), search);
    if (reason !== "") return reason;
  }
  return "";
}

function otherReason(members: ReadonlyMap<string, JsonValue>): string {
  for (const [name, value] of members) if (typeof value === "string" && tellingEnd.test(name)) return spaced(value);
  return "";
}

function codeIn(members: ReadonlyMap<string, JsonValue>): string {
  const code = codes.map((name) => members.get(name)).find((one) => typeof one === "string" && one.trim() !== "");
  return typeof code === "string" ? spaced(code) : "";
}

/** Members by normalized name. The first of several equal names counts. */
function membersOf(object: JsonObject): ReadonlyMap<string, JsonValue> {
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object).slice(0, 200)) {
    const key = name.toLowerCase().replaceAll(/[_\-. ]/g, "");
    if (!members.has(key)) members.set(key, value);
  }
  return members;
}

function joined(reasons: readonly string[]): string {
  return [...new Set(reasons.filter((reason) => reason !== ""))].join("; ");
}

function spaced(text: string): string {
  return text.slice(0, maxChars).replaceAll(/\s+/g, " ").trim();
}

/** JSON with a text label, as some gateways send it. */
function unlabelled(body: JsonValue): JsonValue {
  if (typeof body !== "string" || body.length > maxChars || !/^\s*[{[]/.test(body)) return body;
  const parsed = parseKeepingExact(body);
  return parsed.ok ? parsed.value : body;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first element with a reason: an XML message, a SOAP fault, or a page title. */
function reasonInMarkup(text: string): string | undefined {
  const beginning = text.slice(0, maxChars).replaceAll(/<!\[CDATA\[|\]\]>/g, "");
  for (const name of ["faultstring", "message", "detail", "reason", "text", "description", "title", "h1", "errors?"]) {
    const element = new RegExp(`<(?:[a-z]+:)?${name}(?: [^<>]*)?>([^<]+)<`, "i").exec(beginning)?.[1];
    const reason = element?.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, character);
    if (reason !== undefined && reason.trim() !== "") return spaced(reason);
  }
  return undefined;
}

/** Decodes a markup entity. An invalid one stays unchanged. */
function character(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
