import type { JsonObject, JsonValue } from "@procedo/contract";

/** Bytes of an empty object, or of a list with its place in another. */
const bytesOfContainer = 64;
/** Bytes of a character in a text that is not ASCII. */
const bytesOfChar = 2;

/**
 * Approximate bytes of memory for a parsed JSON text. A text of `{},` takes 20 times its length, a record of ordinary
 * rows two to four times.
 */
export function parsedBytes(json: string): number {
  let containers = 0;
  for (let at = 0; at < json.length; at += 1) {
    // `{` and `[`, which differ in one bit.
    if ((json.charCodeAt(at) & ~0x20) === 0x5b) containers += 1;
  }
  return json.length * bytesOfChar + containers * bytesOfContainer;
}

/** Approximate bytes of memory for a journal row of a run in memory: its values, and their texts for later rows. */
export function rowMemory(body: string): number {
  return body.length + parsedBytes(body);
}

/** The {@link rowMemory} of a value that a later row will hold, computed without its text. */
export function valueMemory(value: JsonValue): number {
  if (typeof value === "string") return (value.length + quotes) * memoryOfChar;
  if (typeof value !== "object" || value === null) return charsOfPlain * memoryOfChar;
  let bytes = bytesOfContainer + quotes * memoryOfChar;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) bytes += valueMemory(item) + memoryOfChar;
    return bytes;
  }
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    bytes += (name.length + charsOfMember) * memoryOfChar + valueMemory(object[name] as JsonValue);
  }
  return bytes;
}

/** Bytes of a character, in a text and in its value. */
const memoryOfChar = bytesOfChar + 1;
const quotes = 2;
/** Two quotes, a colon and a comma. */
const charsOfMember = 4;
/** Characters of a number, a boolean or `null`. */
const charsOfPlain = 4;
