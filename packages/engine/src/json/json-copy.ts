/*
 * Functions on JSON values, for all modules above.
 *
 *   json-copy.ts         copies a value within limits of depth and size
 *   json-differences.ts  the differences between two values
 *   strict-json.ts       reads JSON that another service signed
 */
import type { JsonObject, JsonValue } from "@procedo/contract";

export interface JsonLimits {
  /** Maximum nesting of arrays and objects. */
  readonly depth: number;
  /** Maximum size as JSON text, in bytes. */
  readonly bytes: number;
}

export type JsonCopy<T extends JsonValue = JsonValue> =
  | { readonly ok: true; readonly value: T }
  /** The message is the end of a sentence whose subject is the value. */
  | { readonly ok: false; readonly message: string };

/**
 * Maximum number of objects and lists in one value, the same as for the body of a request. Each takes up to 30 times
 * its bytes in memory, so 4 MiB of `{},` would take 100 MiB.
 */
export const maxContainers = 256 * 1024;

/**
 * Makes a deep copy of a value from an integration or another caller, so that later changes of the original cannot
 * reach the journal. Like `JSON.stringify`, it omits members that are `undefined` and calls `toJSON`. Unlike it, it
 * rejects values that JSON would change or omit silently (BigInt, NaN, functions). In addition to the given limits, a
 * value may have at most {@link maxContainers} objects and lists.
 */
export function copyJson(value: unknown, limits: JsonLimits): JsonCopy {
  // A character takes at most 6 bytes of JSON, so the exact size of most values is never computed.
  const budget = { chars: 0, most: limits.bytes * mostCharsPerByte, containers: 0 };
  const copy = copyValue(value, limits.depth, "", budget);
  if (copy instanceof Refusal) return { ok: false, message: copy.message ?? tooDeep(limits.depth) };
  if (budget.chars > budget.most) return { ok: false, message: moreThan(limits.bytes) };
  if (copy === undefined) return { ok: true, value: null };
  if (budget.chars * 6 > limits.bytes) {
    const bytes = jsonBytes(copy, budget.chars * 6);
    if (bytes > limits.bytes) return { ok: false, message: tooLarge(bytes, limits.bytes) };
  }
  return { ok: true, value: copy };
}

/** Maximum bytes of JSON text for one character that `leastChars` counts. */
const maxBytesPerChar = 24;

/**
 * The reason why a JSON value exceeds the limits; `undefined` when it does not. Counting stops as soon as the result is
 * certain, because a template may contain one large value a thousand times.
 */
export function exceeds(value: JsonValue, limits: JsonLimits): string | undefined {
  const least = leastChars(value, limits.depth, limits.bytes, { containers: 0 });
  if (least === "too_deep") return tooDeep(limits.depth);
  if (least === "reserved") return 'holds a member "__proto__", which is reserved';
  if (least === "too_many") return tooMany;
  if (least > limits.bytes) return moreThan(limits.bytes);
  if (least * maxBytesPerChar <= limits.bytes) return undefined;
  const bytes = jsonBytes(value, least * maxBytesPerChar);
  return bytes > limits.bytes ? tooLarge(bytes, limits.bytes) : undefined;
}

/**
 * Maximum characters that a copy counts for a byte of JSON text: `true,` has five and counts six, `1` has one and
 * counts eight.
 */
const mostCharsPerByte = 8;

/** Longer texts are measured in parts, because V8 limits a string to 2^29 characters. */
const longestMeasured = 2 ** 28;

/** The size of a value's JSON text in bytes. @param atMost - a known upper bound of the size */
function jsonBytes(value: JsonValue, atMost: number): number {
  if (atMost <= longestMeasured || typeof value !== "object" || value === null) {
    return Buffer.byteLength(JSON.stringify(value));
  }
  // Two brackets, and one comma fewer than there are members.
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const items: readonly JsonValue[] = Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value);
  let bytes = 2 + Math.max(items.length - 1, 0);
  for (const name of names) bytes += Buffer.byteLength(JSON.stringify(name)) + 1;
  for (const item of items) bytes += jsonBytes(item, atMost);
  return bytes;
}

/** A deep copy of a JSON value, for code that may change the copy. */
export function ownCopy<T extends JsonValue>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(ownCopy) as JsonValue as T;
  const copy: Record<string, JsonValue> = {};
  const object = value as JsonObject;
  for (const name of Object.keys(object)) copy[name] = ownCopy(object[name] as JsonValue);
  return copy as JsonValue as T;
}

/** A lower bound of the characters of a value's JSON text. Counting stops when there are more than `enough`. */
function leastChars(
  value: JsonValue,
  depthLeft: number,
  enough: number,
  counted: { containers: number },
): number | "too_deep" | "reserved" | "too_many" {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 1;
  if (depthLeft === 0) return "too_deep";
  counted.containers += 1;
  if (counted.containers > maxContainers) return "too_many";
  // Two brackets, and one comma fewer than there are members.
  let chars = 1;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const more = leastChars(item, depthLeft - 1, enough - chars, counted);
      if (typeof more === "string") return more;
      chars += more + 1;
      if (chars > enough) return chars;
    }
    return Math.max(chars, 2);
  }
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    const more = leastChars(object[name] as JsonValue, depthLeft - 1, enough - chars, counted);
    if (typeof more === "string") return more;
    if (name === "__proto__") return "reserved";
    chars += more + name.length + 4;
    if (chars > enough) return chars;
  }
  return Math.max(chars, 2);
}

function tooDeep(limit: number): string {
  return `nests deeper than the limit of ${limit} levels`;
}

const tooMany = `has more than the limit of ${maxContainers} objects and lists`;

function moreThan(limit: number): string {
  return `has more than the limit of ${limit} bytes`;
}

function tooLarge(bytes: number, limit: number): string {
  return `has ${bytes} bytes; the limit is ${limit} bytes`;
}

class Refusal {
  /** `undefined` when the value nests too deeply. */
  readonly message: string | undefined;
  constructor(message: string | undefined) {
    this.message = message;
  }
}

function copyValue(
  value: unknown,
  depthLeft: number,
  path: string,
  budget: { chars: number; readonly most: number; containers: number },
): JsonValue | undefined | Refusal {
  // A value that is already too large is not copied further, because it may contain one large value a thousand times.
  if (budget.chars > budget.most) return undefined;
  switch (typeof value) {
    case "string":
      budget.chars += value.length + 2;
      return value;
    case "boolean":
      budget.chars += 5;
      return value;
    case "number":
      budget.chars += 8;
      // JSON has no negative zero, and the copy in memory must not differ from the stored one.
      if (value === 0) return 0;
      return Number.isFinite(value) ? value : new Refusal(`holds ${value}${at(path)}, which JSON cannot carry`);
    case "undefined":
      return undefined;
    case "object":
      break;
    default:
      return new Refusal(`holds a ${typeof value}${at(path)}, which JSON cannot carry`);
  }
  if (value === null) {
    budget.chars += 4;
    return null;
  }
  if (depthLeft === 0) return new Refusal(undefined);
  budget.containers += 1;
  if (budget.containers > maxContainers) return new Refusal(tooMany);
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (let index = 0; index < value.length; index++) {
      const item = copyValue(value[index], depthLeft - 1, `${path}/${index}`, budget);
      if (item instanceof Refusal) return item;
      items.push(item ?? null);
    }
    budget.chars += value.length + 2;
    return items;
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    // The depth bounds a `toJSON` that returns its own object.
    const toJson = value.toJSON as () => unknown;
    return copyValue(toJson.call(value), depthLeft - 1, path, budget);
  }
  const copy: { [name: string]: JsonValue } = {};
  budget.chars += 2;
  for (const name of Object.keys(value)) {
    const member = copyValue((value as JsonObject)[name], depthLeft - 1, `${path}/${name}`, budget);
    if (member instanceof Refusal) return member;
    if (member === undefined) continue;
    budget.chars += name.length + 4;
    if (name === "__proto__") return new Refusal(`holds a member "__proto__"${at(path)}`);
    copy[name] = member;
  }
  return copy;
}

function at(path: string): string {
  return path === "" ? "" : ` at ${path}`;
}
