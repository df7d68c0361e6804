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
  lowerAscii: change((text) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  upperAscii: change((text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())),
  trim: change((text) => text.trim()),
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

/** Searching takes time by the product of both lengths where the texts are chosen for it, such as `aaaa` for `baa`. */
function spendSearch(frame: Frame, text: string, part: string): void {
  spendText(frame, text.length);
  spend(frame, Math.floor((text.length * part.length) / 2048));
}

/** How many characters a text has. */
export function textSize(frame: Frame, text: string): number {
  spendText(frame, text.length);
  return hasPairs(text) ? [...text].length : text.length;
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

function change(changed: (text: string) => string): FunctionDeclaration {
  return {
    style: "method",
    overloads: [
      overload(["string"], string, (frame, text) => {
        spendText(frame, text.length);
        return changed(text);
      }),
    ],
  };
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
  spendText(frame, text.length);
  const characters = hasPairs(text) ? [...text] : text;
  const last = end ?? characters.length;
  if (!Number.isInteger(start) || !Number.isInteger(last) || start < 0 || start > last || last > characters.length) {
    return fail("takes whole positions from 0 to the size of the text, the first not after the last");
  }
  const part = characters.slice(start, last);
  return typeof part === "string" ? part : part.join("");
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

/** Whether a text has characters of two UTF-16 units. */
function hasPairs(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}
