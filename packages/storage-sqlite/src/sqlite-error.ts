import { ProcedoError } from "@procedo/contract";

/** The meaning of a failure for its transaction. */
export type SqliteFailure =
  /** Another connection holds the lock; a retry after a short wait can succeed. */
  | "busy"
  /** Disk, file or memory failed; no request to this database can succeed now. */
  | "unavailable"
  /** The statement or its values are at fault. */
  | "statement";

/** Primary result codes (https://www.sqlite.org/rescode.html). */
const busy = new Set([5, 6]);
/** NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB */
const unavailable = new Set([7, 8, 10, 11, 13, 14, 15, 26]);
const tooBig = 18;
const ioError = 10;
const notADatabase = 26;
/** READONLY, CANTOPEN */
const inaccessible = new Set([8, 14]);

export function failureOf(error: unknown): SqliteFailure {
  if (ProcedoError.isError(error)) return error.code === "storage_unavailable" ? "unavailable" : "statement";
  const code = primaryCodeOf(error);
  if (code === undefined) return hasCode(error, "ERR_INVALID_STATE") ? "unavailable" : "statement";
  if (busy.has(code)) return "busy";
  return unavailable.has(code) ? "unavailable" : "statement";
}

/** Converts a failure to the error that leaves the adapter. SQLite's messages name tables and columns, never values. */
export function procedoErrorOf(error: unknown): ProcedoError {
  if (ProcedoError.isError(error)) return error;
  const text = textOf(error);
  switch (failureOf(error)) {
    case "busy":
      return new ProcedoError(
        "storage_unavailable",
        "Another process has held the database's write lock for too long; try again, or end that process.",
        { cause: error },
      );
    case "unavailable":
      return new ProcedoError("storage_unavailable", `The database file cannot be used now: ${text}.`, {
        cause: error,
      });
    case "statement":
      return primaryCodeOf(error) === tooBig
        ? new ProcedoError("payload_too_large", "A value is larger than SQLite stores (1 GB).", { cause: error })
        : new ProcedoError("internal", `The database rejected a statement: ${text}.`, { cause: error });
  }
}

/** The error for a file that cannot be opened. It names the file and what to do. */
export function openingErrorOf(path: string, error: unknown): ProcedoError {
  const known = procedoErrorOf(error);
  const code = primaryCodeOf(known.cause);
  const saying = (as: "invalid_configuration" | "storage_unavailable", message: string): ProcedoError =>
    new ProcedoError(as, message, { cause: known.cause });
  if (code === notADatabase) {
    return saying(
      "invalid_configuration",
      `The file "${path}" is not an SQLite database. Give Procedo a file of its own.`,
    );
  }
  if (code !== undefined && inaccessible.has(code)) {
    return saying(
      "storage_unavailable",
      `The database "${path}" cannot be opened for writing. The file and its folder must exist and be writable ` +
        "by this process, because SQLite keeps files beside the database.",
    );
  }
  if (code === ioError) {
    return saying(
      "storage_unavailable",
      `The database "${path}" cannot be used (${textOf(known.cause)}). Use a local disk: SQLite's write-ahead log needs ` +
        "shared memory, which network file systems do not have.",
    );
  }
  return known;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function primaryCodeOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
