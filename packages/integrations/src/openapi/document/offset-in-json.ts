import { pointerTokens } from "@procedo/contract/syntax";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { own } from "../schema/json-object.ts";

/**
 * Offset of the value at a JSON pointer, or of its deepest existing ancestor; for a member, the offset of its name.
 * Reads only the path to the value, which is faster than an index when a document has few problems.
 *
 * @param text - JSON without duplicate names
 * @param whole - the value of `JSON.parse`
 */
export function offsetInJson(text: string, pointer: string, whole: JsonValue): number {
  const steps = existingSteps(whole, pointer);
  let value = afterBlank(text, 0);
  let found = value;
  let gone = 0;
  // Starts from the deepest name that is unique in the text, which is usually close.
  for (let index = steps.length - 1; index > 0 && gone === 0; index -= 1) {
    const only = onlyMember(text, steps[index] ?? "");
    if (only !== undefined) [{ value, found }, gone] = [only, index + 1];
  }
  for (const step of steps.slice(gone)) {
    const child = childOf(text, value, step);
    if (child === undefined) break;
    ({ value, found } = child);
  }
  return found;
}

/** The longest prefix of the pointer that exists. */
function existingSteps(whole: JsonValue, pointer: string): readonly string[] {
  const steps = pointerTokens(pointer);
  let value: JsonValue | undefined = whole;
  const missing = steps.findIndex((step) => {
    const container = value;
    value = undefined;
    if (Array.isArray(container))
      value = /^\d+$/.test(step) ? (container as readonly JsonValue[])[Number(step)] : undefined;
    else if (typeof container === "object" && container !== null) value = own(container as JsonObject, step);
    return value === undefined;
  });
  return missing === -1 ? steps : steps.slice(0, missing);
}

/**
 * The member with this name if the name is unique in the text, among both names and texts. Not applicable to list
 * items.
 */
function onlyMember(text: string, name: string): Child | undefined {
  if (/^\d+$/.test(name)) return undefined;
  const written = JSON.stringify(name);
  const found = text.indexOf(written);
  if (found === -1 || text.indexOf(written, found + 1) !== -1) return undefined;
  const colon = afterBlank(text, found + written.length);
  if (text[found - 1] === "\\" || text[colon] !== ":") return undefined;
  return { value: afterBlank(text, colon + 1), found };
}

interface Child {
  readonly value: number;
  /** The offset that a reader expects. */
  readonly found: number;
}

function childOf(text: string, container: number, name: string): Child | undefined {
  const opening = text[container];
  if (opening !== "{" && opening !== "[") return undefined;
  let at = afterBlank(text, container + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]"; index++) {
    const found = at;
    let isNamed = opening === "[" && String(index) === name;
    if (opening === "{") {
      const end = afterString(text, at);
      isNamed = isText(text, at, end, name);
      // Skips the colon.
      at = afterBlank(text, afterBlank(text, end) + 1);
    }
    if (isNamed) return { value: at, found };
    at = afterBlank(text, afterValue(text, at));
    if (text[at] === ",") at = afterBlank(text, at + 1);
  }
  return undefined;
}

function isText(text: string, start: number, end: number, name: string): boolean {
  const written = text.slice(start + 1, end - 1);
  return written.includes("\\") ? JSON.parse(`"${written}"`) === name : written === name;
}

const quote = 0x22;
const backslash = 0x5c;

/** Offset after the closing quote of the string that begins at `start`. */
function afterString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    // An odd number of backslashes escapes the quote.
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function afterValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Indentation makes up most of a formatted document.
    if (unit === 0x20) continue;
    if (unit === quote) {
      at = afterString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
    } else if (unit === 0x7d || unit === 0x5d) {
      // The closing bracket of the container is not part of its last scalar.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && unit === 0x2c) {
      return at;
    }
  }
  return text.length;
}

function afterBlank(text: string, start: number): number {
  let at = start;
  for (let unit = text.charCodeAt(at); unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;) {
    at += 1;
    unit = text.charCodeAt(at);
  }
  return at;
}
