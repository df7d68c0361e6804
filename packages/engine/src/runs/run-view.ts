import type { Environment, JsonObject, RunTrigger } from "@procedo/contract";
import type { RunRow, RunStatus } from "@procedo/storage";

/** A run without its steps. */
export interface RunView {
  /** Identifier of the run. */
  readonly runId: string;
  /** Status of the run. */
  readonly status: RunStatus;
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes, for its whole life. */
  readonly procedureVersion: string;
  /** The environment of the run. */
  readonly environment: Environment;
  /** The person who started the run. */
  readonly startedBy: string;
  /** The reference of the run, such as an invoice number; `undefined` if it has none. */
  readonly reference: string | undefined;
  /** Time of its start, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** What started it: a trigger, or a person by hand; `undefined` for a start by a program. */
  readonly trigger: RunTrigger | undefined;
  /** Time of its end, in milliseconds since the epoch; `undefined` before that. */
  readonly completedAtMs: number | undefined;
  /** Output of a completed run. */
  readonly output: JsonObject | undefined;
  /** Error of a failed run. */
  readonly error: string | undefined;
}

/** A stored run as it is shown. */
export function viewOf(row: RunRow, output: JsonObject | undefined): RunView {
  return {
    runId: row.runId,
    status: row.status,
    procedureId: row.procedureId,
    procedureVersion: row.procedureVersion,
    environment: row.scope.environment,
    startedBy: row.startedBy,
    reference: row.reference,
    createdAtMs: row.createdAtMs,
    trigger: triggerOf(row),
    completedAtMs: row.endedAtMs,
    output,
    error: row.error,
  };
}

/** What started a stored run. */
export function triggerOf({ trigger }: RunRow): RunTrigger | undefined {
  return trigger === undefined ? undefined : (JSON.parse(trigger) as RunTrigger);
}
