import { pointerTokens } from "@procedo/contract/syntax";

/** A value in a JSON text: its offset, that of its name, and the values within it. */
export interface TextPlace {
  readonly start: number;
  /** For a member of an object: the offset of its name. */
  readonly nameStart?: number;
  readonly members?: ReadonlyMap<string, TextPlace>;
  readonly items?: readonly TextPlace[];
}

/** Both from 1; a column counts UTF-16 code units, as editors do. */
export interface TextPosition {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Number of the column, from 1. */
  readonly column: number;
}

/** The lines of a text, found by offset. */
export interface TextLines {
  /** The line and column of an offset, in UTF-16 code units from the beginning of the text. */
  position(offset: number): TextPosition;
  /** The text of a line without its line break; lines are numbered from 1. */
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
 * The offset of a pointer's target in the text: the name of an object's member, or the beginning of an item. If the
 * target does not exist, the offset of the object or list that lacks it.
 *
 * @param offset position within the text value at the pointer, in characters
 */
export function offsetOf(text: string, root: TextPlace, pointer: string, offset?: number): number {
  let place = root;
  for (const token of pointerTokens(pointer)) {
    const next = place.members?.get(token) ?? place.items?.[Number(token)];
    if (next === undefined) return place.nameStart ?? place.start;
    place = next;
  }
  if (offset === undefined) return place.nameStart ?? place.start;
  return withinText(text, place.start, offset);
}

/** The offset of a character of a text value whose opening quote is at `start`. */
function withinText(text: string, start: number, offset: number): number {
  let at = start + 1;
  for (let left = offset; left > 0 && at < text.length; left -= 1) {
    if (text[at] !== "\\") at += 1;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  return at;
}
