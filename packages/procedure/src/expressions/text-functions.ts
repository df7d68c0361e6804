import { fail } from "./evaluation-failure.ts";
import { spend, spendMadeText, spendText } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { overload } from "./overload.ts";
import type { FunctionDeclaration } from "./overload.ts";
import { bool, int, listOf, string } from "./static-type.ts";

/** Methods of text. Positions and sizes count characters (code points), as CEL does, not UTF-16 units. */
export const textFunctions: Readonly<Record<string, FunctionDeclaration>> = {
  startsWith: test((text, part) => text.startsWith(part)),
  endsWith: test((text, part) => text.endsWith(part)),
  contains: test((text, part) => text.includes(part)),
  lowerAscii: change((frame, text) => shifted(frame, text, "A", "Z", 32)),
  upperAscii: change((frame, text) => shifted(frame, text, "a", "z", -32)),
  trim: change((frame, text) => {
    spendText(frame, text.length);
    return text.trim();
  }),
  indexOf: search((text, part) => text.indexOf(part)),
  lastIndexOf: search((text, part) => text.lastIndexOf(part)),
  substring: {
    style: "method",
    overloads: [
      overload(["string", "number"], string, (frame, text, start) => between(frame, text, start, undefined)),
      overload(["string", "number", "number"], string, between),
    ],
  },
  split: {
    style: "method",
    overloads: [
      overload(["string", "string"], listOf(string), (frame, text, separator) => {
        spend(frame, text.length);
        spendSearch(frame, text, separator);
        return separator === "" ? [...text] : text.split(separator);
      }),
    ],
  },
  join: {
    style: "method",
    overloads: [
      overload(["list"], string, (frame, list) => joined(frame, list, "")),
      overload(["list", "string"], string, joined),
    ],
  },
};

/**
 * The worst case of a search takes time proportional to the product of both lengths, for example for `baa` in a text of
 * `a`.
 */
function spendSearch(frame: Frame, text: string, part: string): void {
  spendText(frame, text.length);
  spend(frame, Math.floor((text.length * part.length) / 2048));
}

/** The number of characters in a text. */
export function textSize(frame: Frame, text: string): number {
  spendText(frame, text.length);
  return hasPairs(text) ? sizeWithPairs(text) : text.length;
}

function test(holds: (text: string, part: string) => boolean): FunctionDeclaration {
  return {
    style: "method",
    overloads: [
      overload(["string", "string"], bool, (frame, text, part) => {
        spendSearch(frame, text, part);
        return holds(text, part);
      }),
    ],
  };
}

function change(changed: (frame: Frame, text: string) => string): FunctionDeclaration {
  return { style: "method", overloads: [overload(["string"], string, changed)] };
}

function search(position: (text: string, part: string) => number): FunctionDeclaration {
  return {
    style: "method",
    overloads: [
      overload(["string", "string"], int, (frame, text, part) => {
        spendSearch(frame, text, part);
        const found = position(text, part);
        return found > 0 ? textSize(frame, text.slice(0, found)) : found;
      }),
    ],
  };
}

function between(frame: Frame, text: string, start: number, end: number | undefined): string {
  const size = textSize(frame, text);
  const last = end ?? size;
  if (!Number.isInteger(start) || !Number.isInteger(last) || start < 0 || start > last || last > size) {
    return fail("takes whole positions from 0 to the size of the text, the first not after the last");
  }
  if (size === text.length) return text.slice(start, last);
  const from = unitsOf(text, 0, start);
  return text.slice(from, unitsOf(text, from, last - start));
}

function joined(frame: Frame, list: readonly unknown[], separator: string): string {
  spend(frame, list.length);
  const texts = list.map((item) =>
    typeof item === "string" ? item : fail("joins a list whose items are not all text"),
  );
  const length = texts.reduce((sum, text) => sum + text.length + separator.length, 0);
  spendMadeText(frame, length);
  return texts.join(separator);
}

/** Whether a text may contain characters of two UTF-16 units. */
function hasPairs(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

function sizeWithPairs(text: string): number {
  let size = 0;
  for (let unit = 0; unit < text.length; unit = after(text, unit)) size += 1;
  return size;
}

/** The UTF-16 unit that lies a number of characters after another. */
function unitsOf(text: string, from: number, characters: number): number {
  let unit = from;
  for (let left = characters; left > 0; left--) unit = after(text, unit);
  return unit;
}

/** The unit at which the next character begins. */
function after(text: string, unit: number): number {
  return unit + ((text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1);
}

/** The text with each unit of a range moved, unit by unit. This takes eight times as much work as reading. */
function shifted(frame: Frame, text: string, first: string, last: string, by: number): string {
  spendText(frame, 8 * text.length);
  const [least, most] = [first.charCodeAt(0), last.charCodeAt(0)];
  let result = "";
  for (let start = 0; start < text.length; start += unitsTogether) {
    const units = new Uint16Array(Math.min(unitsTogether, text.length - start));
    for (let index = 0; index < units.length; index++) {
      const unit = text.charCodeAt(start + index);
      units[index] = unit >= least && unit <= most ? unit + by : unit;
    }
    result += String.fromCharCode(...units);
  }
  return result;
}

/** Number of arguments that a function call accepts safely. */
const unitsTogether = 4_096;
