import { ProcedoError } from "@procedo/contract";
import { transactionPooler, withoutSessions } from "./check-sessions.ts";

/** The meaning of a failure for its call. */
export type PostgresFailure =
  /** Two transactions conflicted and this one was rolled back; a retry after a short wait can succeed. */
  | "conflict"
  /** A primary became a standby. Nothing was written, and its connections are useless. */
  | "read_only"
  /** Network, server or limits failed; the outcome of the request is unknown. */
  | "unavailable"
  /** The statement or its values are at fault. */
  | "statement";

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html): serialization failure, deadlock. */
const conflicts = new Set(["40001", "40P01"]);
const readOnly = "25006";
/** Insufficient resources, operator intervention and cancelled statements, system errors, connections, login. */
const unavailableClasses = new Set(["08", "28", "53", "57", "58"]);
/**
 * Missing database; lock timeout; a session that was idle in its transaction, or a transaction that exceeded its time
 * limit; damaged data; a statement whose completion is unknown, as distributed databases report.
 */
const unavailableStates = new Set(["3D000", "55P03", "25P03", "25P04", "XX001", "XX002", "40003"]);
/**
 * The database is not set up correctly; the statement is not at fault. Privileges were revoked, a schema or a table is
 * missing, a migration invalidated a plan, or tables were published without a replica identity.
 */
const setUpStates = new Set(["42501", "3F000", "42P01", "0A000", "55000"]);
/** A prepared statement is missing or already exists: the connection is not a session, or was reset from outside. */
const preparedStates = new Set(["26000", "42P05"]);
const tooManyConnections = "53300";
const uniqueViolation = "23505";
const notInRepertoire = "22021";
/** Program limits. Only the size of a value can reach one. */
const limitsClass = "54";

export function failureOf(error: unknown): PostgresFailure {
  const state = stateOf(error);
  if (state === undefined) return isUnavailable(error) ? "unavailable" : "statement";
  if (conflicts.has(state)) return "conflict";
  if (state === readOnly) return "read_only";
  const isUnavailableNow = [unavailableStates, setUpStates, preparedStates].some((states) => states.has(state));
  return isUnavailableNow || unavailableClasses.has(state.slice(0, 2)) ? "unavailable" : "statement";
}

/** Whether the server or a pooler allows no further connection. */
export function isOutOfConnections(error: unknown): boolean {
  return stateOf(error) === tooManyConnections || /max_client_conn/.test(textOf(error));
}

/** Whether a new connection's first statement exceeded the driver's time limit, as behind a full pooler. */
export function isUnanswered(error: unknown): boolean {
  return textOf(error).includes("Query read timeout");
}

/** The error when no connection became free in time. */
export function outOfConnections(cause: unknown): ProcedoError {
  return unavailable(
    "The server allows no more connections (max_connections, the CONNECTION LIMIT of the role or the database, or a pooler's size), and none became free in time",
    cause,
  );
}

/**
 * Converts an error of the driver. It has no SQLSTATE if the connection failed before, instead of or during an answer.
 * Call it next to the driver: later, such an error cannot be told apart from the program's own errors.
 */
export function driverErrorOf(error: unknown): Error {
  const known = stateOf(error) !== undefined || ProcedoError.isError(error);
  // The driver throws these for invalid arguments.
  const mistake = error instanceof TypeError || error instanceof RangeError;
  if (error instanceof Error && (known || mistake)) return error;
  return unavailable(`The database cannot be used now: ${textOf(error)}`, error);
}

export function timedOut(timeoutMs: number): ProcedoError {
  return new ProcedoError("storage_unavailable", `The database did not answer within ${timeoutMs} ms.`);
}

/** Whether a row with this key already exists, because another transaction was faster. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(ProcedoError.isError(error) ? error.cause : error) === uniqueViolation;
}

/**
 * Converts a failure to the error that leaves the adapter. Postgres' messages may quote values and stay in the cause.
 */
export function procedoErrorOf(error: unknown): ProcedoError {
  if (ProcedoError.isError(error)) return error;
  switch (failureOf(error)) {
    case "conflict":
      return unavailable(
        "Postgres repeatedly rolled the transaction back because of conflicts with other transactions",
        error,
      );
    case "read_only":
      return unavailable(
        "The database accepts no writes because it is a standby. Set the address to that of the primary",
        error,
      );
    case "unavailable":
      return preparedStates.has(stateOf(error) ?? "")
        ? unavailable(`${poolerSuspected} ${withoutSessions}`, error)
        : unavailable(`The database cannot be used now: ${textOf(error)}`, error);
    case "statement":
      return refusal(error);
  }
}

const poolerSuspected = `A prepared statement was lost. ${transactionPooler}`;

function refusal(cause: unknown): ProcedoError {
  const state = stateOf(cause);
  // Texts are checked before they are stored. A lookup by an invalid text fails only here.
  if (state === notInRepertoire) {
    return new ProcedoError("invalid_input", "A text contains a NUL character, which no stored text contains.", {
      cause,
    });
  }
  if (state?.startsWith(limitsClass) === true) {
    return new ProcedoError("payload_too_large", "A value is larger than Postgres stores.", { cause });
  }
  return new ProcedoError("internal", `The database rejected a statement (${nameOf(cause)}).`, { cause });
}

function unavailable(message: string, cause: unknown): ProcedoError {
  return new ProcedoError("storage_unavailable", message.endsWith(".") ? message : `${message}.`, { cause });
}

/** Other errors without a SQLSTATE were thrown by the work itself. */
function isUnavailable(error: unknown): boolean {
  return ProcedoError.isError(error) && error.code === "storage_unavailable";
}

function nameOf(error: unknown): string {
  const state = stateOf(error);
  if (state === undefined) return textOf(error);
  const constraint =
    typeof error === "object" && error !== null && "constraint" in error ? error.constraint : undefined;
  return typeof constraint === "string" ? `SQLSTATE ${state}, ${constraint}` : `SQLSTATE ${state}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The SQLSTATE; `undefined` if the server reported nothing about the statement. */
export function stateOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  // Some network codes (EPIPE) also have five characters, but no SQLSTATE class begins with E.
  return typeof error.code === "string" && /^(?!E)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
