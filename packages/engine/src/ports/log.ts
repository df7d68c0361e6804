/** Where the engine says what an operator should know. Fields never hold payloads or secrets. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Fields of a log line. A field that is `undefined` is left out. */
export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Warnings and errors on the console, one line each: the default, so that nothing goes wrong in silence. */
export const consoleLog: Log = {
  info: () => {},
  warn: (message, fields) => console.warn(lineOf(message, fields)),
  error: (message, fields) => console.error(lineOf(message, fields)),
};

function lineOf(message: string, fields: LogFields = {}): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return printable([`procedo: ${message}`, ...named.map(([name, value]) => `${name}=${String(value)}`)].join(" "));
}

/** On one line and without a character that a terminal would obey: a field may hold what others say. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Says nothing, for programs and tests that want it so. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** What can be said of an error without its payload. */
export function errorText(error: unknown): string {
  return withoutExcerpt(error instanceof Error ? error.message : String(error));
}

/**
 * `JSON.parse` quotes ten characters on each side of what it could not read. A secret in there is cut in two, so that no
 * search would find it.
 */
const excerptOfJson =
  /Unexpected token [^]{1,4}, (?:\.{3})?"[^]{0,60}?"(?:\.{3})? is not valid JSON|^"[^]{0,60}" is not valid JSON$/g;

/** A message without the excerpts of other texts that Node put into it. Pure. */
export function withoutExcerpt(message: string): string {
  return message.replace(excerptOfJson, "The text is not valid JSON");
}
