import { printableStack } from "./printable.ts";
import { maxErrorLength, type HideToken } from "./service/hide-token.ts";

/** Receives the messages that an operator should know. No field ever contains the token. */
export interface Log {
  /** An event of normal operation. */
  info(message: string, fields?: LogFields): void;
  /** A condition that an operator should know about, and that the client handles by itself. */
  warn(message: string, fields?: LogFields): void;
  /** A fault that an operator should act on. */
  error(message: string, fields?: LogFields): void;
}

/** Fields of a log line. A field that is `undefined` is omitted. */
export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Writes one line per message to the console; the default. */
export const consoleLog: Log = {
  info: (message, fields) => console.info(lineOf(message, fields)),
  warn: (message, fields) => console.warn(lineOf(message, fields)),
  error: (message, fields) => console.error(lineOf(message, fields)),
};

function lineOf(message: string, fields: LogFields = {}): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [`procedo: ${message}`, ...named.map(([name, value]) => `${name}=${String(value)}`)]
    .map(printableStack)
    .join(" ");
}

/** A log that removes the token from every message and never throws. */
export function guardLog(log: Log, hide: HideToken): Log {
  const guarded =
    (level: keyof Log) =>
    (message: string, fields?: LogFields): void => {
      try {
        log[level](hide.cut(message, maxErrorLength), fields && fieldsWithout(fields, hide));
      } catch {
        // A failing log must not end the client.
      }
    };
  return { info: guarded("info"), warn: guarded("warn"), error: guarded("error") };
}

function fieldsWithout(fields: LogFields, hide: HideToken): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? hide.cut(value, maxErrorLength) : value,
    ]),
  );
}
