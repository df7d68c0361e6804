import { tokensOf } from "../pointer.ts";

/** A value in a JSON text: where it begins, where its name does, and the values within it. */
export interface TextPlace {
  readonly start: number;
  /** Of a member of an object: where its name begins. */
  readonly nameStart?: number;
  readonly members?: ReadonlyMap<string, TextPlace>;
  readonly items?: readonly TextPlace[];
}

/** Both from 1; a column counts UTF-16 code units, as editors do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Lines of a text, each found by an offset in it. */
export interface TextLines {
  position(offset: number): TextPosition;
  /** A line without its break, from 1. */
  line(number: number): string;
}

export function linesOf(text: string): TextLines {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: found }) => index + found.length)];
  return {
    position: (offset) => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
    line: (number) => text.slice(starts[number - 1] ?? text.length, starts[number]).replace(/[\r\n]+$/, ""),
  };
}

/**
 * Where a place is in the text: the name of an object's member, the beginning of an item; of one that is not there, where the
 * object or list is that lacks it.
 *
 * @param offset of a part of the text value at this place, in characters from its beginning
 */
export function offsetOf(text: string, root: TextPlace, pointer: string, offset?: number): number {
  let place = root;
  for (const token of tokensOf(pointer)) {
    const next = place.members?.get(token) ?? place.items?.[Number(token)];
    if (next === undefined) return place.nameStart ?? place.start;
    place = next;
  }
  if (offset === undefined) return place.nameStart ?? place.start;
  return withinText(text, place.start, offset);
}

/** Where a character of a text value is written, whose opening quote is at `start`. */
function withinText(text: string, start: number, offset: number): number {
  let at = start + 1;
  for (let left = offset; left > 0 && at < text.length; left -= 1) {
    if (text[at] !== "\\") at += 1;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}
