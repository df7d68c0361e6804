import { ProcedoError } from "@procedo/contract";
import type { CommitResult, RunCommit } from "@procedo/storage";
import { revoked } from "../access/principal.ts";
import type { ActiveRun } from "./active-run.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { retryUntilStored } from "./retry-storage.ts";

/** Result of the commit of a row. */
export type RowResult =
  | CommitResult
  /** Storage gave no answer: the row may or may not be durable. */
  | { readonly status: "unanswered"; readonly error: unknown }
  /** The resume trigger was stored without this row, or was not stored. */
  | { readonly status: "not_resumed" };

/**
 * Commits a run's next row. A row for which a caller waits is sent once: the first row of a run, and a row together
 * with the resume trigger that it follows from. Every other row is repeated until storage answers.
 *
 * @param onFailure called after each attempt that failed and is repeated
 */
export async function commitRow(
  ports: ExecutionPorts,
  { stopped }: Holder,
  { start, resumeTrigger }: ActiveRun,
  row: RunCommit,
  onFailure: () => void,
): Promise<RowResult> {
  const { runs } = ports.storage;
  const isSentOnce = start !== undefined || resumeTrigger !== undefined;
  if (start?.starter.isRevoked?.() === true) return { status: "refused", error: revoked() };
  try {
    if (resumeTrigger !== undefined) {
      return { status: (await resumeTrigger.store(row)) ? "committed" : "not_resumed" };
    }
    if (start !== undefined) return await runs.commit(row);
    const result = await retryUntilStored(ports, stopped, () => runs.commit(row), onFailure);
    return result ?? { status: "unanswered", error: new Error("The worker stopped while storage did not answer.") };
  } catch (error) {
    // A trigger that storage refuses with the row may be accepted alone, and the run is then claimed.
    if (resumeTrigger !== undefined && isRefusal(error)) return { status: "not_resumed" };
    return { status: isSentOnce ? "unanswered" : "refused", error };
  }
}

/** Whether storage refused the request for good. */
function isRefusal(error: unknown): boolean {
  return ProcedoError.isError(error) && !error.retryable;
}
