import type { JsonValue } from "@procedo/contract";
import { encodeStrictly, type Encode } from "./percent-encoding.ts";
import { unsendable } from "./unsendable.ts";

const maxCharacters = 2048;

/**
 * Encodes a parameter as one path segment. `encodeURIComponent` alone is not enough: it leaves `..` as it is, URL
 * parsers also collapse `%2e%2e`, and some servers decode twice, cut off what follows `;` or read a backslash as a slash.
 *
 * @throws OutgoingError `invalid_input` for a value that is not a non-empty string, finite number or boolean, is longer than 2,048
 *   characters, has control characters, or could be read as `.` or `..` after any number of decodings
 */
export function encodePathSegment(name: string, value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : isPlain(value) ? String(value) : undefined;
  if (text === undefined) throw refuse(name, "has to be a string, number or boolean");
  if (text === "") throw refuse(name, "is empty");
  return encodePathPart(name, text);
}

/** {@link encodePathSegment} for a text that is a part of a segment, which may be empty. */
export const encodePathPart: Encode = (name, text) => {
  if (text.length > maxCharacters) throw refuse(name, `is longer than ${maxCharacters} characters`);
  const written = encodeStrictly(name, text);
  const decoded = decodeFully(text);
  if (hasControl(decoded)) throw refuse(name, "has a control character");
  // NFKC because a server may fold look-alikes of dots and slashes to the real ones.
  if (decoded.normalize("NFKC").split(/[/\\]/).some(isDots)) throw refuse(name, 'has a part that reads as "." or ".."');
  return written;
};

/** Whether a segment, as it is written, could be read as `.` or `..`. */
export function readsAsDots(segment: string): boolean {
  return decodeFully(segment).normalize("NFKC").split(/[/\\]/).some(isDots);
}

function isPlain(value: JsonValue | undefined): value is number | boolean {
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

/** Each round makes the text shorter or leaves it, so this ends. */
function decodeFully(text: string): string {
  for (let before = text; ;) {
    const after = before.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    if (after === before) return after;
    before = after;
  }
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

function isDots(part: string): boolean {
  const beforeParameters = part.split(";", 1)[0]?.trim();
  return beforeParameters === "." || beforeParameters === "..";
}

function refuse(name: string, why: string): Error {
  return unsendable(`The path parameter "${name}" ${why}.`);
}
