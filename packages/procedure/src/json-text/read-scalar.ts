import { isExactLiteral } from "../numbers/exact-literal.ts";
import type { TextCursor } from "./text-cursor.ts";

const closingOf: Readonly<Record<string, string>> = {
  "“": '”„“"',
  "„": '“”"',
  "”": '”"',
  "'": "'",
  "‘": "’‘",
  "’": "’",
  "`": "`",
  "«": "»",
};

/** Whether a text begins with this character, in double quotes or in others. */
export function isQuote(character: string): boolean {
  return character === '"' || character in closingOf;
}

/** Reads a text from its opening quote to behind its closing one. */
export function readText(cursor: TextCursor): string {
  const { text } = cursor;
  const start = cursor.at;
  const quote = cursor.peek();
  cursor.at += 1;
  if (quote !== '"') cursor.fault(`Text stands in double quotes ("), not in ${quote}.`, { offset: start });
  const closing = quote === '"' ? '"' : (closingOf[quote] ?? quote);
  const plain = new RegExp(`[^\\\\\\u0000-\\u001f${closing}]+`, "y");
  let value = "";
  for (;;) {
    value += cursor.take(plain) ?? "";
    if (cursor.isAtEnd) cursor.stop("The closing quote of this text is missing.", start);
    const character = cursor.peek();
    if (character === "\\") value += readEscape(cursor);
    else if (closing.includes(character)) {
      cursor.at += 1;
      return value;
    } else if (character === "\n" || character === "\r") {
      if (isUnclosed(text, cursor.at)) {
        cursor.fault("The closing quote of this text is missing.", { offset: start, isLost: true });
        const extra = /[,\s]*$/.exec(value)?.[0].length ?? 0;
        cursor.at -= extra;
        return value.slice(0, value.length - extra);
      }
      cursor.fault("A line break within a text is written \\n.");
      value += cursor.take(/\r\n|\n|\r/y);
    } else {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0");
      const written = character === "\t" ? "\\t" : `\\u${code}`;
      cursor.fault(`${character === "\t" ? "A tab" : "A control character"} within a text is written ${written}.`);
      cursor.at += 1;
      value += character;
    }
  }
}

/** Whether the line after a text that is not closed goes on with the next member, or closes what is open. */
function isUnclosed(text: string, lineEnd: number): boolean {
  const rest = /\s*/y;
  rest.lastIndex = lineEnd;
  rest.exec(text);
  const next = /"[^"\r\n]*"\s*:|[}\]]/y;
  next.lastIndex = rest.lastIndex;
  return next.test(text);
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readEscape(cursor: TextCursor): string {
  const code = cursor.take(/\\u[0-9a-fA-F]{4}/y);
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code.slice(2), 16));
  const character = cursor.peek(2).slice(1);
  const known = Object.hasOwn(escapes, character) ? escapes[character] : undefined;
  if (known === undefined) {
    const hint = character === "'" ? "an apostrophe needs none." : "a backslash is written \\\\.";
    cursor.fault(`"\\${character}" is no escape of JSON; ${hint}`);
  }
  cursor.at += known === undefined ? 1 : 2;
  return known ?? (character === "'" ? "" : "\\");
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Reads a number, or a word such as `true`; what other languages write instead is reported with what JSON writes. */
export function readPlain(cursor: TextCursor): number | boolean | null | string {
  const offset = cursor.at;
  const written = cursor.take(/[^\s,:;[\]{}"'“”‘’`]+/y) ?? "";
  const word = words.get(written);
  if (word !== undefined) return word;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written)) {
    if (!isExactLiteral(written)) {
      cursor.fault(
        `${written.length > 40 ? "This number" : written} has more digits than a number keeps here; write it as a text, or an amount in minor units.`,
        { offset },
      );
    }
    return Number(written);
  }
  const otherWord = words.get(written.toLowerCase());
  if (otherWord !== undefined) {
    cursor.fault(`Write ${String(otherWord)}, in small letters.`, { offset });
    return otherWord;
  }
  if (/^(none|nil|undefined|nan|[+-]?infinity|[+-]?inf)$/i.test(written)) {
    cursor.fault(`JSON has no ${written}; write null, or leave the member out.`, { offset, isLost: true });
    return null;
  }
  if (/^[+-]?[\d.]/.test(written)) {
    const plain = written.replaceAll("_", "").replace(/^\+/, "");
    const value = Number(plain);
    const hint = Number.isFinite(value) && plain !== "" ? `write ${value}.` : "write digits, such as 1250 or 0.5.";
    cursor.fault(`${written.slice(0, 40)} is no number of JSON; ${hint}`, { offset, isLost: true });
    return Number.isFinite(value) ? value : 0;
  }
  if (written === "") return cursor.stop(`${JSON.stringify(cursor.peek())} is not expected here.`);
  cursor.fault(`Text stands in double quotes; write ${JSON.stringify(written.slice(0, 60))}.`, {
    offset,
    isLost: true,
  });
  return written;
}
