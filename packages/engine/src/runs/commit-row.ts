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
 * @param onFailure called after each attempt that failed
 */
export async function commitRow(
  ports: ExecutionPorts,
  holder: Holder,
  { start, resumeTrigger }: ActiveRun,
  row: RunCommit,
  onFailure: () => void,
): Promise<RowResult> {
  const send = async (): Promise<RowResult> => {
    try {
      if (resumeTrigger === undefined) return await ports.storage.runs.commit(row);
      return { status: (await resumeTrigger.store(row)) ? "committed" : "not_resumed" };
    } catch (error) {
      onFailure();
      throw error;
    }
  };
  if (resumeTrigger !== undefined) {
    // A trigger that storage refuses with the row may be accepted alone, and the run is then claimed.
    return await send().catch((error: unknown) =>
      isRefusal(error) ? { status: "not_resumed" } : { status: "unanswered", error },
    );
  }
  if (start !== undefined) {
    if (start.starter.isRevoked?.() === true) return { status: "refused", error: revoked() };
    return await send().catch((error: unknown) => ({ status: "unanswered", error }));
  }
  try {
    const result = await retryUntilStored(ports, holder.stopped, send);
    return result ?? { status: "unanswered", error: new Error("The worker stopped while storage did not answer.") };
  } catch (error) {
    return { status: "refused", error };
  }
}

/** Whether storage refused the request for good. */
function isRefusal(error: unknown): boolean {
  return ProcedoError.isError(error) && !error.retryable;
}
