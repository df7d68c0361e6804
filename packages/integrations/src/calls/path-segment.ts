import { decodeFully } from "../openapi/operations/dot-segments.ts";
import { encodeStrictly, type Encode } from "./percent-encoding.ts";
import { unsendable } from "./unsendable.ts";

const maxCharacters = 2048;

/**
 * Encodes text as part of one path segment, so that no character starts another segment, a query or a fragment.
 * `target-url.ts` checks complete segments for `.` and `..`.
 *
 * @throws EgressError `invalid_input` for a text longer than 2,048 characters, or one with control characters after any
 *   number of decodings, because some servers decode twice
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
