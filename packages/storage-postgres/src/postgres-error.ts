import { ProcedoError } from "@procedo/contract";
import { transactionPooler, withoutSessions } from "./check-sessions.ts";

/** What a failure means for the call that it broke off. */
export type PostgresFailure =
  /** Two transactions were in each other's way and this one was rolled back: the same again, a little later. */
  | "conflict"
  /** A primary that became a standby: nothing was written, and its connections are of no use any more. */
  | "read_only"
  /** Network, server or limits: nothing is known of what was asked for. */
  | "unavailable"
  /** This statement or its values. */
  | "statement";

/** SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html): serialization failure, deadlock. */
const conflicts = new Set(["40001", "40P01"]);
const readOnly = "25006";
/** Out of resources, operator's intervention and cancelled statements, system errors; connections, log in. */
const unavailableClasses = new Set(["08", "28", "53", "57", "58"]);
/**
 * No such database; lock timeout; a session that was idle in its transaction, or a transaction that took too long;
 * damaged data; a statement of which nobody knows whether it completed, as distributed databases say.
 */
const unavailableStates = new Set(["3D000", "55P03", "25P03", "25P04", "XX001", "XX002", "40003"]);
/**
 * The database as it is set up, not this statement: privileges that were taken away, a schema or a table that is missing,
 * a plan that a migration has made void, tables that were published without what identifies their rows.
 */
const setUpStates = new Set(["42501", "3F000", "42P01", "0A000", "55000"]);
/** A prepared statement that is not there, or is there already: the connection is no session, or was reset from outside. */
const preparedStates = new Set(["26000", "42P05"]);
const tooManyConnections = "53300";
const uniqueViolation = "23505";
const notInRepertoire = "22021";
/** Program limits, of which only the size of a value can be reached. */
const limitsClass = "54";

export function failureOf(error: unknown): PostgresFailure {
  const state = stateOf(error);
  if (state === undefined) return isUnavailable(error) ? "unavailable" : "statement";
  if (conflicts.has(state)) return "conflict";
  if (state === readOnly) return "read_only";
  const isUnavailableNow = [unavailableStates, setUpStates, preparedStates].some((states) => states.has(state));
  return isUnavailableNow || unavailableClasses.has(state.slice(0, 2)) ? "unavailable" : "statement";
}

/** Whether the server, or a pooler, gives no further connection. */
export function isOutOfConnections(error: unknown): boolean {
  return stateOf(error) === tooManyConnections || /max_client_conn/.test(textOf(error));
}

/** Whether a new connection's statement had no answer in the driver's own time limit, as behind a pooler that is full. */
export function isUnanswered(error: unknown): boolean {
  return textOf(error).includes("Query read timeout");
}

/** None of the connections that there are became free in time. */
export function outOfConnections(cause: unknown): ProcedoError {
  return unavailable(
    "The server gives no more connections (max_connections, the CONNECTION LIMIT of the role or the database, or a pooler's size), and none became free in time",
    cause,
  );
}

/**
 * What the driver threw, which has no SQLSTATE when the connection failed: before, instead of or in the middle of an
 * answer. To be called where the driver is, as nothing tells such an error from one of the program's own later on.
 */
export function driverErrorOf(error: unknown): Error {
  const known = stateOf(error) !== undefined || ProcedoError.isError(error);
  // The driver's way to say that it was called with something impossible.
  const mistake = error instanceof TypeError || error instanceof RangeError;
  if (error instanceof Error && (known || mistake)) return error;
  return unavailable(`The database cannot be used now: ${textOf(error)}`, error);
}

export function timedOut(timeoutMs: number): ProcedoError {
  return new ProcedoError("storage_unavailable", `The database did not answer within ${timeoutMs} ms.`);
}

/** Whether a row with this key exists already: another transaction was faster. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(ProcedoError.isError(error) ? error.cause : error) === uniqueViolation;
}

/** The error that leaves the adapter. What Postgres says of a statement may quote values, and stays in the cause. */
export function procedoErrorOf(error: unknown): ProcedoError {
  if (ProcedoError.isError(error)) return error;
  switch (failureOf(error)) {
    case "conflict":
      return unavailable("Postgres rolled the transaction back again and again, as others were in its way", error);
    case "read_only":
      return unavailable(
        "The database takes no writes: it is a standby, or became one; point the address at the primary",
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
  // Texts are looked at before they are stored; that nothing is stored under such a one is found out here.
  if (state === notInRepertoire) {
    return new ProcedoError("invalid_input", "A text holds a NUL character, which no stored text does.", { cause });
  }
  if (state?.startsWith(limitsClass) === true) {
    return new ProcedoError("payload_too_large", "A value is larger than Postgres stores.", { cause });
  }
  return new ProcedoError("internal", `The database refused a statement (${nameOf(cause)}).`, { cause });
}

function unavailable(message: string, cause: unknown): ProcedoError {
  return new ProcedoError("storage_unavailable", message.endsWith(".") ? message : `${message}.`, { cause });
}

/** Everything else without a SQLSTATE was thrown by the work itself. */
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

/** The SQLSTATE; `undefined` where the server did not say anything of the statement. */
export function stateOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  // The network's codes (ECONNRESET, EPIPE) have five characters too, some of them; no SQLSTATE class begins with E.
  return typeof error.code === "string" && /^(?!E)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
