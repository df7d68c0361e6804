/** Receives messages for operators. Fields never contain payloads or secrets. */
export interface Log {
  /** An event of normal operation. */
  info(message: string, fields?: LogFields): void;
  /** A condition that an operator should know about, and that the engine handles by itself. */
  warn(message: string, fields?: LogFields): void;
  /** A fault that an operator should act on. */
  error(message: string, fields?: LogFields): void;
}

/** Fields of a log line. Fields that are `undefined` are omitted. */
export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Writes warnings and errors to the console, one line each. This is the default, so that failures are visible. */
export const consoleLog: Log = {
  info: () => {},
  warn: (message, fields) => console.warn(lineOf(message, fields)),
  error: (message, fields) => console.error(lineOf(message, fields)),
};

function lineOf(message: string, fields: LogFields = {}): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return printable([`procedo: ${message}`, ...named.map(([name, value]) => `${name}=${String(value)}`)].join(" "));
}

/** Escapes line breaks and control characters: a field may contain text from outside. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Discards all messages, for programs and tests. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** The message of an error without excerpts of payloads. */
export function errorText(error: unknown): string {
  return withoutExcerpt(error instanceof Error ? error.message : String(error));
}

/**
 * `JSON.parse` quotes ten characters on each side of the error's position. A secret there is cut in two, so that a
 * search for the whole secret does not find it.
 */
const excerptOfJson =
  /Unexpected token [^]{1,4}, (?:\.{3})?"[^]{0,60}?"(?:\.{3})? is not valid JSON|^"[^]{0,60}" is not valid JSON$/g;

/** A message without the excerpts of other texts that Node added. Pure. */
export function withoutExcerpt(message: string): string {
  return message.replace(excerptOfJson, "The text is not valid JSON");
}
