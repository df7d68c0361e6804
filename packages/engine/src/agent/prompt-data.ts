import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";

/** Data as shown to a model: whole, or without its largest values. */
export interface ShownData {
  readonly data: JsonValue;
  /** The omitted values: the path and the size of each. Empty if the data is whole. */
  readonly leftOut: readonly string[];
}

/** Omitted values that are listed; the others are counted. */
const maxNamed = 40;
const maxPointerLength = 160;

/** The least room, in bytes, that is worth filling with a part of a value. */
const leastPartBytes = 256;

/**
 * Cuts data to a size: an object loses its largest members, a list its last items, and a large value is shown in part
 * if enough room is left for it. The same data is always cut in the same way.
 *
 * @param maxBytes - size of the data as JSON text
 */
export function withinBytes(data: JsonValue, maxBytes: number): ShownData {
  const bytesOf = createSizes();
  if (bytesOf(data) <= maxBytes) return { data, leftOut: [] };
  const leftOut: LeftOut = { named: [], more: 0, bytesOf };
  const part = partOf(data, maxBytes, "", leftOut);
  if (part === undefined) note(leftOut, "", `${bytesOf(data)} bytes`);
  const more = leftOut.more === 0 ? [] : [`${leftOut.more} more places`];
  return { data: part ?? null, leftOut: [...leftOut.named, ...more] };
}

interface LeftOut {
  readonly named: string[];
  more: number;
  readonly bytesOf: (value: JsonValue) => number;
}

/** The part of a value that fits; `undefined` if no part of it does. */
function partOf(value: JsonValue, maxBytes: number, at: string, leftOut: LeftOut): JsonValue | undefined {
  if (leftOut.bytesOf(value) <= maxBytes) return value;
  if (typeof value !== "object" || value === null || maxBytes < leastPartBytes) return undefined;
  return isList(value) ? partOfList(value, maxBytes, at, leftOut) : partOfObject(value, maxBytes, at, leftOut);
}

function partOfList(list: readonly JsonValue[], maxBytes: number, at: string, leftOut: LeftOut): JsonValue {
  const kept: JsonValue[] = [];
  let left = maxBytes - 2;
  for (const item of list) {
    const part = partOf(item, left - 1, `${at}/${kept.length}`, leftOut);
    if (part === undefined) break;
    kept.push(part);
    left -= leftOut.bytesOf(part) + 1;
    if (part !== item) break;
  }
  const missing = list.length - kept.length;
  if (missing > 0) note(leftOut, at, `the last ${missing} of ${list.length} items`);
  return kept;
}

function partOfObject(object: JsonObject, maxBytes: number, at: string, leftOut: LeftOut): JsonValue {
  const { bytesOf } = leftOut;
  const members = Object.keys(object).map((name) => {
    const value = object[name] ?? null;
    return { name, value, bytes: bytesOf(name) + bytesOf(value) + 2 };
  });
  const parts = new Map<string, JsonValue>();
  let left = maxBytes - 2;
  const large: typeof members = [];
  for (const member of members.toSorted((a, b) => a.bytes - b.bytes)) {
    if (member.bytes > left) {
      large.push(member);
      continue;
    }
    parts.set(member.name, member.value);
    left -= member.bytes;
  }
  // The large members share the room that the small ones leave.
  for (const [index, { name, value, bytes }] of large.entries()) {
    const place = at + jsonPointer([name]);
    const own = bytes - bytesOf(value);
    const part = partOf(value, Math.floor(left / (large.length - index)) - own, place, leftOut);
    if (part === undefined) {
      note(leftOut, place, `${bytesOf(value)} bytes`);
      continue;
    }
    parts.set(name, part);
    left -= own + bytesOf(part);
  }
  // In their original order.
  return Object.fromEntries(members.flatMap(({ name }) => withPart(parts, name)));
}

function withPart(parts: ReadonlyMap<string, JsonValue>, name: string): readonly (readonly [string, JsonValue])[] {
  const part = parts.get(name);
  return part === undefined ? [] : [[name, part]];
}

function note(leftOut: LeftOut, at: string, what: string): void {
  if (leftOut.named.length >= maxNamed) {
    leftOut.more += 1;
    return;
  }
  const place = at.length > maxPointerLength ? `${at.slice(0, maxPointerLength).toWellFormed()}…` : at || "/";
  leftOut.named.push(`${place}: ${what}`);
}

/**
 * Sizes as JSON text. The size of each list and object is remembered, because cutting an oversized value compares its
 * members on each of up to sixty levels.
 */
function createSizes(): (value: JsonValue) => number {
  const known = new Map<object, number>();
  const bytesOf = (value: JsonValue): number => {
    if (typeof value === "string") return bytesOfText(value);
    if (typeof value !== "object" || value === null) return String(value).length;
    const before = known.get(value);
    if (before !== undefined) return before;
    // Two brackets, and one comma fewer than there are members.
    let bytes = 1;
    let members = 0;
    if (isList(value)) {
      for (const item of value) bytes += bytesOf(item) + 1;
      members = value.length;
    } else {
      for (const name of Object.keys(value)) {
        bytes += bytesOfText(name) + bytesOf(value[name] ?? null) + 2;
        members += 1;
      }
    }
    const size = members === 0 ? 2 : bytes;
    known.set(value, size);
    return size;
  };
  return bytesOf;
}

/** JSON writes a text of printable ASCII without quotes and backslashes unchanged. */
function bytesOfText(text: string): number {
  return /^[ !#-[\]-~]*$/.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
