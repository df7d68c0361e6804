import type { JsonObject, JsonValue } from "@procedo/contract";
import { parseKeepingExact } from "@procedo/procedure";

/**
 * Why a service refuses a call, in its own words, wherever its error's body has them: `detail` and `title` of a problem
 * (RFC 9457), `error.message`, `error_description`, `message`, `errors` as a list or by field, a fault of SOAP, or a text.
 * `undefined` where it says nothing that people can read. Nothing is redacted here, and what is longer is cut to its
 * beginning.
 */
export function serviceReason(body: JsonValue): string | undefined {
  if (typeof body === "string" && /^\s*</.test(body)) return reasonInMarkup(body);
  const reason = reasonIn(unlabelled(body), { depth: 6, left: { values: 1_000 } });
  return reason === "" ? undefined : reason;
}

/** Characters of a text that are looked at. */
const maxChars = 16 * 1024;
/** Items of a list and members of an object that are shown; more would say the same again. */
const maxItems = 10;

/** Members that say what went wrong, the most telling first; compared without case, `_`, `-` and `.`. */
const telling = (
  "faultstring detail errordescription message errormessage errormsg msg description errorsummary summary " +
  "displaymessage statusmessage exceptionmessage reason title text info error err fault exception odataerror"
).split(" ");

/** Members that say it under names of their own: `refusalReason`, `responseMessage`, `return_msg`. */
const tellingEnd = /(?:message|msg|reason|description)$/;

/** Members that say it more closely, or several times. */
const listing = (
  "errors errormessages fielderrors validationerrors violations invalidparams issues details messages tppmessages " +
  "elements causes errorcauses debuginfo developermessage"
).split(" ");

/** What is left where nothing is told in words. */
const codes = ["errorcode", "code", "type", "name", "status", "value"];

/** Which member of the request an item of a list is about. */
const places = "field path pointer loc property propertypath param parameter location attribute name".split(" ");

/** How deep to look from here, and at how many values altogether. */
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

/** A list, or an object whose members are all messages about the fields of their names. */
function listReason(value: JsonValue | undefined, search: Search): string {
  if (typeof value !== "object" || value === null || isList(value)) return reasonIn(value, search);
  const names = [...membersOf(value).keys()];
  const tells = names.some((name) => telling.includes(name) || listing.includes(name) || codes.includes(name));
  return tells ? reasonIn(value, search) : reasonByField(value, search, "string", "object");
}

/** Messages under the names of the fields that they are about, as many frameworks write them. */
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

/** By names as they are compared; of several that are the same then, the first. */
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

/** JSON under the label of text, as gateways send it. */
function unlabelled(body: JsonValue): JsonValue {
  if (typeof body !== "string" || body.length > maxChars || !/^\s*[{[]/.test(body)) return body;
  const parsed = parseKeepingExact(body);
  return parsed.ok ? parsed.value : body;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first element that says why: a message of XML, a fault of SOAP, or the title of a page. */
function reasonInMarkup(text: string): string | undefined {
  const beginning = text.slice(0, maxChars).replaceAll(/<!\[CDATA\[|\]\]>/g, "");
  for (const name of ["faultstring", "message", "detail", "reason", "text", "description", "title", "h1", "errors?"]) {
    const element = new RegExp(`<(?:[a-z]+:)?${name}(?: [^<>]*)?>([^<]+)<`, "i").exec(beginning)?.[1];
    const reason = element?.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, character);
    if (reason !== undefined && reason.trim() !== "") return spaced(reason);
  }
  return undefined;
}

/** Of an entity of markup. One that is no character stays as it is written. */
function character(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
