/** Where the engine says what an operator should know. Fields never hold payloads or secrets. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface LogFields {
  readonly [name: string]: string | number | boolean | undefined;
}

/** Says nothing; the default of an embedded engine. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** What can be said of an error without its payload. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
