/** Returns the names and indices that lead to the current member or value. Valid only during a callback. */
export type JsonPath = () => readonly (string | number)[];

/** Callbacks of a scan, with offsets into the text. */
export interface JsonEvents {
  /** A member's name. The offsets include its quotes. */
  readonly name?: (name: string, start: number, end: number, path: JsonPath) => void;
  /** A string, number, `true`, `false` or `null`. */
  readonly scalar?: (start: number, end: number, path: JsonPath) => void;
  /** The start of a container, whose values follow. */
  readonly open?: (start: number, kind: "list" | "object") => void;
  /** The end of the innermost container. */
  readonly close?: () => void;
}

/** The first fault of a text that is not JSON. */
export interface SyntaxFault {
  /** Offset of the faulty character, or of the end of the text. */
  readonly offset: number;
  /** A complete sentence. */
  readonly message: string;
  /** Whether only the rest of the text is missing. */
  readonly endsEarly?: boolean;
}

interface Container {
  readonly close: "}" | "]";
  /** For a list: the index of the current item. */
  index: number;
  /** For an object: the offsets of the current name. */
  nameStart: number;
  nameEnd: number;
}

type Expected = "value" | "item or end" | "name or end" | "name" | "colon" | "comma or end" | "nothing";

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /[\p{L}\p{N}_$.+-]+/uy;
const words = ["true", "false", "null"];
const simpleEscapes = '"\\/bfnrt';

/**
 * Scans a JSON text iteratively and returns its first fault. `JSON.parse` is many times faster; the scan provides
 * positions, duplicate names and readable messages.
 */
export function scanJson(text: string, events: JsonEvents): SyntaxFault | undefined {
  const open: Container[] = [];
  const path: JsonPath = () =>
    open.map(({ close, index, nameStart, nameEnd }) => (close === "]" ? index : textOf(text, nameStart, nameEnd)));
  let expected: Expected = "value";
  let at = 0;

  const afterValue = (): Expected => (open.length === 0 ? "nothing" : "comma or end");
  const endsEarly = (): SyntaxFault => ({
    endsEarly: true,
    offset: text.trimEnd().length,
    message:
      open.length === 0
        ? "The JSON is empty; give the whole document."
        : `The JSON ends too early: ${open.length === 1 ? "a bracket is" : `${open.length} brackets are`} still open. ` +
          "It was probably cut off; give the whole document.",
  });

  for (;;) {
    while (isWhitespace(text.charCodeAt(at))) at += 1;
    const character = text[at];
    if (character === undefined) return expected === "nothing" ? undefined : endsEarly();
    const container = open[open.length - 1];
    const closing = container?.close;
    if (
      character === closing &&
      (expected === "item or end" || expected === "name or end" || expected === "comma or end")
    ) {
      open.pop();
      events.close?.();
      expected = afterValue();
      at += 1;
      continue;
    }
    switch (expected) {
      case "nothing":
        return { offset: at, message: `The JSON continues after its end with ${shown(text, at)}; remove the rest.` };
      case "colon":
        if (character !== ":")
          return { offset: at, message: `A colon must separate name and value, not ${shown(text, at)}.` };
        at += 1;
        expected = "value";
        continue;
      case "comma or end":
        if (character !== ",") {
          return {
            offset: at,
            message: `A comma or ${String(closing)} must follow the value, not ${shown(text, at)}.`,
          };
        }
        at += 1;
        expected = closing === "}" ? "name" : "value";
        continue;
      case "name":
      case "name or end": {
        if (character !== '"') return { offset: at, message: namelessMessage(text, at) };
        const end = scanString(text, at);
        if (typeof end !== "number") return end.offset >= text.length ? endsEarly() : end;
        if (container !== undefined) {
          container.nameStart = at;
          container.nameEnd = end;
        }
        events.name?.(textOf(text, at, end), at, end, path);
        at = end;
        expected = "colon";
        continue;
      }
      default:
    }
    if (container !== undefined) container.index += 1;
    if (character === "{" || character === "[") {
      const kind = character === "{" ? "object" : "list";
      events.open?.(at, kind);
      open.push({ close: kind === "object" ? "}" : "]", index: -1, nameStart: at, nameEnd: at });
      expected = kind === "object" ? "name or end" : "item or end";
      at += 1;
      continue;
    }
    const end = scanScalar(text, at);
    if (typeof end !== "number") return end.offset >= text.length ? endsEarly() : end;
    events.scalar?.(at, end, path);
    at = end;
    expected = afterValue();
  }
}

/** The text of a string, from its opening quote to behind its closing one. */
function textOf(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1);
  return written.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : written;
}

/** The offset after a string, number, `true`, `false` or `null`. */
function scanScalar(text: string, at: number): number | SyntaxFault {
  if (text[at] === '"') return scanString(text, at);
  const literal = sticky(number, text, at) ?? words.find((name) => text.startsWith(name, at));
  if (literal !== undefined && endsScalar(text.charCodeAt(at + literal.length))) return at + literal.length;
  const found = sticky(word, text, at);
  if (literal !== undefined && literal.length >= (found?.length ?? 0)) return at + literal.length;
  if (found !== undefined && words.some((name) => name.startsWith(found)) && at + found.length === text.length) {
    return { offset: text.length, message: "" };
  }
  return { offset: at, message: valuelessMessage(text, at) };
}

function scanString(text: string, start: number): number | SyntaxFault {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) {
      if (text.slice(at).trim() === "") break;
      const what = code === 0x0a || code === 0x0d ? "a line break" : "a control character";
      return { offset: at, message: `A string holds ${what}; close the string, or write it as an escape such as \\n.` };
    }
    if (code !== 0x5c) continue;
    const escape = text[at + 1];
    if (escape === undefined) break;
    if (escape === "u") {
      const digits = text.slice(at + 2, at + 6);
      if (!/^[0-9a-fA-F]*$/.test(digits)) {
        return { offset: at, message: "An escape \\u needs four hexadecimal digits." };
      }
      if (digits.length < 4) break;
      at += 5;
    } else if (simpleEscapes.includes(escape)) {
      at += 1;
    } else {
      return { offset: at, message: `JSON has no escape \\${printable(escape)}; write \\\\ for a backslash.` };
    }
  }
  return { offset: text.length, message: "" };
}

function namelessMessage(text: string, at: number): string {
  if (text[at] === "}") return "A comma precedes }; remove it.";
  if (text[at] === "/") return "JSON has no comments; remove it.";
  return `A member's name in double quotes is expected here, not ${shown(text, at)}.`;
}

function valuelessMessage(text: string, at: number): string {
  const character = text[at];
  if (character === "]" || character === "}")
    return `A value is missing before ${character}; add it, or remove the comma.`;
  if (character === "/") return "JSON has no comments; remove it.";
  if (character === "'") return "JSON strings use double quotes, not single ones.";
  return `A value is expected here, not ${shown(text, at)}.`;
}

/** The word or character at an offset, shortened to one line. */
function shown(text: string, at: number): string {
  const found = sticky(word, text, at) ?? text[at] ?? "";
  return `"${printable(found.length > 30 ? `${found.slice(0, 30)}…` : found)}"`;
}

const printable = (text: string) =>
  text.replace(/[\p{C}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

function sticky(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Whether this character certainly ends a number or word: a comma, a closing bracket or whitespace. */
const endsScalar = (code: number) => code === 0x2c || code === 0x5d || code === 0x7d || isWhitespace(code);

const isWhitespace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
