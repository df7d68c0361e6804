import { decodeFully } from "../openapi/operations/dot-segments.ts";
import { encodeStrictly, type Encode } from "./percent-encoding.ts";
import { unsendable } from "./unsendable.ts";

const maxCharacters = 2048;

/**
 * Encodes a text as a part of one path segment: no character of it begins another segment, a query or a fragment. Whether the
 * segment reads as `.` or `..` shows only when all of its parts are there; `target-url.ts` looks at that.
 *
 * @throws EgressError `invalid_input` for a text that is longer than 2,048 characters, or has control characters after any
 *   number of decodings: some servers decode twice
 */
export const encodePathPart: Encode = (name, text) => {
  if (text.length > maxCharacters) throw refuse(name, `is longer than ${maxCharacters} characters`);
  const written = encodeStrictly(name, text);
  if (hasControl(decodeFully(text))) throw refuse(name, "has a control character");
  return written;
};

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

function refuse(name: string, why: string): Error {
  return unsendable(`The path parameter "${name}" ${why}.`);
}
