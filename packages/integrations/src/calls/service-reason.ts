import type { JsonObject, JsonValue } from "@procedo/contract";

/**
 * Why a service refuses a call, in its own words, wherever its error's body has them: `detail` and `title` of a problem
 * (RFC 9457), `error.message`, `error_description`, `message`, `errors` as a list or by field, a fault of SOAP, or a text.
 * `undefined` where it says nothing that people can read. Nothing is redacted or cut here.
 */
export function serviceReason(body: JsonValue): string | undefined {
  if (typeof body === "string" && /^\s*</.test(body)) return reasonInMarkup(body);
  const reason = reasonIn(body, maxDepth);
  return reason === "" ? undefined : reason;
}

/** Objects within objects that are looked into, and items of a list, of which more say the same again. */
const maxDepth = 5;
const maxItems = 10;

/** Of a page or an XML message; what says why stands at its beginning. */
const maxMarkup = 16 * 1024;

/** Members that say what went wrong, the most telling first; compared without case, `_` and `-`. */
const telling = [
  ...["detail", "errordescription", "message", "errormessage", "errormsg", "msg", "description", "errorsummary"],
  ...[
    "faultstring",
    "displaymessage",
    "statusmessage",
    "exceptionmessage",
    "reason",
    "title",
    "error",
    "fault",
    "exception",
  ],
];

/** Members that say what went wrong where, several times perhaps. */
const listing = [
  ...["errors", "errormessages", "fielderrors", "validationerrors", "violations", "invalidparams", "issues", "details"],
  ...["messages", "elements", "causes"],
];

/** What is left where nothing is told in words. */
const codes = ["errorcode", "code", "type", "name", "status"];

/** Which member of the request an item of a list is about. */
const places = [
  "field",
  "path",
  "pointer",
  "loc",
  "property",
  "propertypath",
  "param",
  "parameter",
  "location",
  "attribute",
  "name",
];

function reasonIn(value: JsonValue, depth: number): string {
  if (typeof value === "string") return value.replaceAll(/\s+/g, " ").trim();
  if (typeof value !== "object" || value === null || depth === 0) return "";
  if (isList(value)) return joined(value.slice(0, maxItems).map((item) => itemReason(item, depth - 1)));
  const members = membersOf(value);
  const told = firstOf(telling, members, depth);
  const listed = listing
    .map((name) => members.get(name))
    .map((list) => (list === undefined ? "" : listReason(list, depth - 1)));
  const further = joined(listed.filter((reason) => reason !== told));
  if (told === "" || further === "") return told || further || codeIn(members);
  return `${told.replace(/[.:]$/, "")}: ${further}`;
}

/** A list, or an object of the messages about each field, as many frameworks write it. */
function listReason(value: JsonValue, depth: number): string {
  if (typeof value !== "object" || value === null || isList(value)) return reasonIn(value, depth);
  const own = reasonOfKnown(value, depth);
  if (own !== "") return own;
  const entries = Object.entries(value).slice(0, maxItems);
  return joined(entries.map(([field, item]) => placed(field, reasonIn(item, depth - 1))));
}

/** Of an object that has a member of those that tell. */
function reasonOfKnown(value: JsonObject, depth: number): string {
  return [...membersOf(value).keys()].some((name) => telling.includes(name)) ? reasonIn(value, depth) : "";
}

function itemReason(item: JsonValue, depth: number): string {
  const reason = reasonIn(item, depth);
  if (typeof item !== "object" || item === null || isList(item) || reason === "") return reason;
  const members = membersOf(item);
  const place = places.map((name) => placeText(members.get(name))).find((text) => text !== "");
  return placed(place ?? "", reason);
}

function placeText(place: JsonValue | undefined): string {
  if (typeof place === "string") return place.trim();
  if (!isList(place)) return "";
  return place.filter((part) => typeof part === "string" || typeof part === "number").join(".");
}

function placed(place: string, reason: string): string {
  return place === "" || reason === "" || reason.includes(place) ? reason : `${place}: ${reason}`;
}

function firstOf(names: readonly string[], members: ReadonlyMap<string, JsonValue>, depth: number): string {
  for (const name of names) {
    const member = members.get(name);
    const reason = member === undefined ? "" : reasonIn(member, depth - 1);
    if (reason !== "") return reason;
  }
  return "";
}

function codeIn(members: ReadonlyMap<string, JsonValue>): string {
  for (const name of codes) {
    const code = members.get(name);
    if (typeof code === "string" && code.trim() !== "") return code.trim();
  }
  return "";
}

/** By names as they are compared; of several that are the same then, the first. */
function membersOf(object: JsonObject): ReadonlyMap<string, JsonValue> {
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object).slice(0, 200)) {
    const key = name.toLowerCase().replaceAll(/[_\- ]/g, "");
    if (!members.has(key)) members.set(key, value);
  }
  return members;
}

function joined(reasons: readonly string[]): string {
  return [...new Set(reasons.filter((reason) => reason !== ""))].join("; ");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of the first element that says why: a message of XML, a fault of SOAP, or the title of a page. */
function reasonInMarkup(text: string): string | undefined {
  const beginning = text.slice(0, maxMarkup);
  for (const name of ["faultstring", "message", "detail", "reason", "description", "title", "h1"]) {
    const element = new RegExp(`<(?:[a-z]+:)?${name}(?: [^<>]*)?>([^<]+)<`, "i").exec(beginning)?.[1];
    const reason = element?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_whole, entity: string) => entities[entity] ?? "");
    const told = reason?.replaceAll(/\s+/g, " ").trim() ?? "";
    if (told !== "") return told;
  }
  return undefined;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
