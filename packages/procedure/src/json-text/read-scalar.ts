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

/** Whether a text begins with this character: a double quote or another kind of quote. */
export function isQuote(character: string): boolean {
  return character === '"' || character in closingOf;
}

/** Reads a text from its opening quote up to and including its closing one. */
export function readText(cursor: TextCursor): string {
  const { text } = cursor;
  const start = cursor.at;
  const quote = cursor.peek();
  cursor.at += 1;
  if (quote !== '"') cursor.fault(`Text must be in double quotes ("), not in ${quote}.`, { offset: start });
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
      if (quote !== '"' || cursor.isAt(behindText)) return value;
      return readPastQuote(cursor, start, value);
    } else if (character === "\n" || character === "\r") {
      const lineEnd = cursor.at;
      const space = cursor.take(/\s+/y) ?? "";
      if (cursor.isAt(isWithinTemplate(value) ? nextName : nextMember)) {
        cursor.fault("The closing quote of this text is missing.", { offset: start, isLost: true });
        const end = endWithoutComma(text, start + 1, lineEnd);
        cursor.at = end;
        return value.slice(0, value.length - (lineEnd - end));
      }
      cursor.fault("A line break within a text is written \\n.", { offset: lineEnd });
      value += space;
    } else {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0");
      const written = character === "\t" ? "\\t" : `\\u${code}`;
      cursor.fault(`${character === "\t" ? "A tab" : "A control character"} within a text is written ${written}.`);
      cursor.at += 1;
      value += character;
    }
  }
}

/** The text after an unclosed text: the next member, or a closing bracket. */
const nextMember = /"[^"\r\n]*"\s*:|[}\]]/y;

const nextName = /"[^"\r\n]*"\s*:/y;

/** The characters that may follow the closing quote of a text. */
const behindText = /[\s,;:=}\]/#\p{Z}\p{Cf}]|$/uy;

/** Whether a text ends within an expression. */
function isWithinTemplate(value: string): boolean {
  return value.lastIndexOf("{{") > value.lastIndexOf("}}");
}

/** Maximum distance of the search for a text's end after a quote. */
const longestRest = /[^\r\n]{0,2000}/y;

/**
 * Continues after a quote that is not followed by JSON. Either it opened the next name and the quote before it is
 * missing, or it is a part of the text, which ends at a later quote of the line.
 */
function readPastQuote(cursor: TextCursor, start: number, value: string): string {
  const quoteAt = cursor.at - 1;
  const rest = cursor.ahead(longestRest);
  const templateEnd = isWithinTemplate(value) ? rest.indexOf("}}") : -1;
  if (templateEnd === -1 && /^[^"]*"\s*:/.test(rest)) {
    cursor.fault("The closing quote of this text is missing.", { offset: start, isLost: true });
    cursor.at = endWithoutComma(cursor.text, start + 1, quoteAt);
    return value.slice(0, value.length - (quoteAt - cursor.at));
  }
  const from = Math.max(templateEnd, 0);
  const end = rest.slice(from).search(/"\s*(?:[,}\]]|$)/);
  if (end === -1) return value;
  cursor.fault('A quote within a text is written \\".', { offset: quoteAt });
  cursor.at += from + end + 1;
  return `${value}"${rest.slice(0, from + end)}`;
}

/** The end of a text that is not closed in its line, without the comma and the spaces there. */
function endWithoutComma(text: string, start: number, lineEnd: number): number {
  let end = lineEnd;
  while (end > start && /[,\s]/.test(text.charAt(end - 1))) end -= 1;
  return end;
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
    // The line break is the fault, and is reported next.
    if (/[\r\n]/.test(character)) {
      cursor.at += 1;
      return "";
    }
    const hint = character === "'" ? "an apostrophe needs no escape." : "a backslash is written \\\\.";
    cursor.fault(`"\\${JSON.stringify(character).slice(1)} is not a JSON escape; ${hint}`);
  }
  cursor.at += known === undefined ? 1 : 2;
  return known ?? (character === "'" ? "" : "\\");
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Reads a number, or a word such as `true`. Words and numbers of other languages are reported with their JSON form. */
export function readPlain(cursor: TextCursor): number | boolean | null | string {
  const offset = cursor.at;
  const written = cursor.take(/[^\s,:;[\]{}"'“”‘’`]+/y) ?? "";
  const word = words.get(written);
  if (word !== undefined) return word;
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written)) {
    if (!cursor.isRequest && !isExactLiteral(written)) {
      cursor.fault(
        `${written.length > 40 ? "This number" : cursor.shown(written)} has more digits than a number keeps here; write it as a text, or an amount in minor units.`,
        { offset },
      );
    }
    return Number(written);
  }
  const otherWord = words.get(written.toLowerCase());
  if (otherWord !== undefined) {
    cursor.fault(`Write ${String(otherWord)}, in lower case.`, { offset });
    return otherWord;
  }
  if (/^(none|nil|undefined|nan|[+-]?infinity|[+-]?inf)$/i.test(written)) {
    cursor.fault(`JSON has no ${written}; write null, or leave the member out.`, { offset, isLost: true });
    return null;
  }
  if (/^[+-]?[\d.]/.test(written)) {
    const plain = written.replaceAll("_", "").replace(/^\+/, "");
    const value = Number(plain);
    const hint =
      Number.isFinite(value) && plain !== ""
        ? `write ${cursor.shown(String(value))}.`
        : "write digits, such as 1250 or 0.5.";
    cursor.fault(`${cursor.shown(written.slice(0, 40))} is not a JSON number; ${hint}`, { offset, isLost: true });
    return Number.isFinite(value) ? value : 0;
  }
  if (written === "") return cursor.stop(`${JSON.stringify(cursor.peek())} is not expected here.`);
  cursor.fault(`Text must be in double quotes; write ${JSON.stringify(cursor.shown(written))}.`, {
    offset,
    isLost: true,
  });
  return written;
}
