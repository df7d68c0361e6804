/*
 * Reads a JSON text that a person wrote.
 *
 *   read-json-text.ts  objects and lists; missing or surplus separators
 *   read-scalar.ts     texts, numbers and words
 *   text-cursor.ts     the reading position and the faults
 *   text-places.ts     lines and columns of values
 */
import type { JsonValue } from "@procedo/contract";
import { setOwn } from "../expressions/value.ts";
import type { Problem } from "../problems.ts";
import { isQuote, readPlain, readText } from "./read-scalar.ts";
import { TextCursor, TextEnd } from "./text-cursor.ts";
import { linesOf, offsetOf, type TextLines, type TextPlace, type TextPosition } from "./text-places.ts";

/** The result of reading a JSON text. */
export interface JsonText {
  /** The intended value; `undefined` if the text could not be read to its end. */
  readonly value: JsonValue | undefined;
  /** Faults of the text itself, each with its line and column. */
  readonly problems: readonly Problem[];
  /** The line and column of a value; `offset` counts characters within that text value. */
  positionOf(pointer: string, offset?: number): TextPosition;
  /** Adds lines and columns to the problems of the value. Problems of values whose text is faulty are removed. */
  place(problems: readonly Problem[]): readonly Problem[];
  /** The lines of the text. */
  readonly lines: TextLines;
}

/** Maximum nesting depth of objects and lists, above that of any document. */
const maxDepth = 200;

/**
 * Reads a JSON text and continues after common mistakes, so that all of them are reported at once, together with the
 * problems of the intended value: surplus or missing commas, other quotes, comments, names without quotes, words of
 * other languages, line breaks within texts. Numbers whose digits a double does not keep and duplicate names are also
 * faults. Takes time linear in the text.
 *
 * @param options - `isRequest`: the text is a request's body, which may contain a secret. No message shows a part of
 *   it, and only invalid JSON is a fault. @defaultValue false
 */
export function readJsonText(text: string, { isRequest = false }: { readonly isRequest?: boolean } = {}): JsonText {
  const cursor = new TextCursor(text, isRequest);
  if (text.startsWith("\uFEFF")) cursor.at = 1;
  let root: TextPlace = { start: cursor.at };
  let value: JsonValue | undefined;
  try {
    const read = readWhole(cursor);
    root = read.place;
    value = read.value;
  } catch (error) {
    if (!(error instanceof TextEnd)) throw error;
  }
  const lines = linesOf(text);
  const lost = cursor.faults.filter(({ isLost }) => isLost).map(({ path }) => path);
  const positionOf = (pointer: string, offset?: number): TextPosition =>
    lines.position(offsetOf(text, root, pointer, offset));
  return {
    value,
    problems: cursor.faults.map(({ offset, message, path }) => {
      return { severity: "error", path, code: "syntax", message, ...lines.position(offset) };
    }),
    positionOf,
    place: (problems) =>
      problems
        .filter(({ path }) => !lost.some((at) => path === at || path.startsWith(`${at}/`)))
        .map((problem) => ({ ...problem, ...positionOf(problem.path, problem.offset) })),
    lines,
  };
}

interface Read {
  readonly value: JsonValue;
  readonly place: TextPlace;
}

function readWhole(cursor: TextCursor): Read {
  cursor.skipSpace();
  if (cursor.isAtEnd) cursor.stop("The text is empty.");
  if (/^(---|[\w$-]+:\s)/.test(cursor.peek(200))) cursor.stop("This looks like YAML; write it as JSON.");
  if (cursor.peek() === "<") cursor.stop("This looks like markup, not JSON.");
  const before = cursor.at;
  // The surroundings of a copied document: a Markdown fence, `export default`, a shell's quote.
  const isWrapped = cursor.take(/[^{["\d-][^{["]{0,100}(?=[{[])/y) !== undefined;
  if (isWrapped) cursor.fault('The document must begin with "{"; remove the text before it.', { offset: before });
  const read = readValue(cursor, 0);
  cursor.skipSpace();
  if (isWrapped) cursor.take(/[;)'`]*\s*$/y);
  if (!cursor.isAtEnd) cursor.fault("The document ended before this; remove it, or a bracket that closes too early.");
  return read;
}

function readValue(cursor: TextCursor, depth: number): Read {
  const start = cursor.at;
  if (depth > maxDepth) cursor.stop(`The text nests deeper than ${maxDepth} levels.`);
  const character = cursor.peek();
  if (cursor.peek(2) === "{{") return readBareTemplate(cursor);
  if (character === "{") return readObject(cursor, depth);
  if (character === "[") return readList(cursor, depth);
  if (isQuote(character)) return { value: readText(cursor), place: { start } };
  return { value: readPlain(cursor), place: { start } };
}

/** `{{ input.amount }}` without quotes around it. */
function readBareTemplate(cursor: TextCursor): Read {
  const start = cursor.at;
  const template = cursor.take(/\{\{[^\r\n]*?\}\}/y);
  if (template === undefined) return cursor.stop('An expression must be in quotes, such as "{{ input.amount }}".');
  cursor.fault(`An expression must be in quotes; write ${JSON.stringify(cursor.shown(template))}.`, { offset: start });
  // The place of a text begins at its quote, which is missing here.
  return { value: template, place: { start: start - 1 } };
}

function readObject(cursor: TextCursor, depth: number): Read {
  const start = cursor.at;
  const value: Record<string, JsonValue> = {};
  const members = new Map<string, TextPlace>();
  cursor.at += 1;
  readParts(cursor, start, "}", () => {
    const nameStart = cursor.at;
    const name = readName(cursor);
    cursor.path.push(name);
    if (members.has(name) && !cursor.isRequest)
      cursor.fault(`"${cursor.shown(name)}" occurs twice in its object; keep one.`, { offset: nameStart });
    cursor.skipSpace();
    if (cursor.take(/:/y) === undefined) {
      const offset = cursor.at;
      const other = cursor.take(/=>?/y);
      cursor.fault(`A colon ":" belongs between a name and its value${other === undefined ? "" : `, not ${other}`}.`, {
        offset,
      });
    }
    cursor.skipSpace();
    const read = readMemberValue(cursor, depth);
    cursor.path.pop();
    setOwn(value, name, read.value);
    members.set(name, { ...read.place, nameStart });
  });
  return { value, place: { start, members } };
}

function readName(cursor: TextCursor): string {
  if (isQuote(cursor.peek())) return readText(cursor);
  const offset = cursor.at;
  const name = cursor.take(/[\p{L}\p{N}_$.-]+/uy);
  if (name === undefined) return cursor.stop(`A name in double quotes is expected here, not ${quoted(cursor.peek())}.`);
  cursor.fault(`A name must be in double quotes; write ${JSON.stringify(cursor.shown(name))}.`, { offset });
  return name;
}

function readMemberValue(cursor: TextCursor, depth: number): Read {
  if (!/[,}\]]/.test(cursor.peek()) && !cursor.isAtEnd) return readValue(cursor, depth + 1);
  cursor.fault("The value is missing here.", { isLost: true });
  return { value: null, place: { start: cursor.at } };
}

function readList(cursor: TextCursor, depth: number): Read {
  const start = cursor.at;
  const value: JsonValue[] = [];
  const items: TextPlace[] = [];
  cursor.at += 1;
  readParts(cursor, start, "]", () => {
    cursor.path.push(items.length);
    const read = readValue(cursor, depth + 1);
    cursor.path.pop();
    value.push(read.value);
    items.push(read.place);
  });
  return { value, place: { start, items } };
}

/** Reads the parts of an object or a list up to and including its closing bracket. */
function readParts(cursor: TextCursor, start: number, closing: "}" | "]", readPart: () => void): void {
  let lastComma: number | undefined;
  let isFirst = true;
  let end = cursor.at;
  for (;;) {
    cursor.skipSpace();
    if (cursor.isAtEnd) {
      const { line, column } = linesOf(cursor.text).position(start);
      cursor.stop(`The text ends before "${cursor.text[start]}" of line ${line}, column ${column} is closed.`);
    }
    const character = cursor.peek();
    if (character === "}" || character === "]") {
      if (character !== closing) {
        const { line, column } = linesOf(cursor.text).position(start);
        cursor.stop(
          `"${closing}" is expected here for "${cursor.text[start]}" of line ${line}, column ${column}, not "${character}".`,
        );
      }
      if (lastComma !== undefined)
        cursor.fault(`There is a comma before "${closing}"; remove it.`, { offset: lastComma });
      cursor.at += 1;
      return;
    }
    if (character === "," || character === ";") {
      if (isFirst || lastComma !== undefined) cursor.fault("There is an extra comma here; remove it.");
      else if (character === ";") cursor.fault("Use a comma between the parts here, not a semicolon.");
      if (!isFirst) lastComma = cursor.at;
      cursor.at += 1;
      continue;
    }
    if ("<=>".includes(character) && /^(<{7}|={7}|>{7})/.test(cursor.peek(7)))
      cursor.stop("There is an unresolved merge conflict here.");
    if (!isFirst && lastComma === undefined) cursor.fault("A comma is missing here.", { offset: end });
    readPart();
    end = cursor.at;
    isFirst = false;
    lastComma = undefined;
  }
}

function quoted(character: string): string {
  return character === "" ? "the end" : JSON.stringify(character);
}
