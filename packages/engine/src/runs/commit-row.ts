import { ProcedoError } from "@procedo/contract";
import type { CommitResult, RunCommit } from "@procedo/storage";
import { revoked } from "../access/principal.ts";
import { isRowAwaited, type ActiveRun } from "./active-run.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { retryUntilStored } from "./retry-storage.ts";

/** What became of a row. */
export type RowResult =
  | CommitResult
  /** Storage gave no answer: the row may or may not be durable. */
  | { readonly status: "unanswered"; readonly error: unknown }
  /** The resume trigger was stored without this row, or was not stored. */
  | { readonly status: "not_resumed" };

/**
 * Sends a run's next row to storage, once: together with the resume trigger, if there is one. The first row is sent only
 * while the starter's key is valid. Rejects where storage gives no answer; {@link unanswered} says how to go on.
 */
export async function sendRow(
  { storage }: Pick<ExecutionPorts, "storage">,
  { start, resumeTrigger }: ActiveRun,
  row: RunCommit,
): Promise<RowResult> {
  if (start?.starter.isRevoked?.() === true) return { status: "refused", error: revoked() };
  if (resumeTrigger === undefined) return await storage.runs.commit(row);
  return { status: (await resumeTrigger.store(row)) ? "committed" : "not_resumed" };
}

/** Repeats a row that storage did not answer. A row for which a caller waits is given up at once. */
export async function unanswered(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  row: RunCommit,
  error: unknown,
): Promise<RowResult> {
  const isOutage = ProcedoError.isError(error) && error.retryable;
  // A trigger that storage refuses with the row may be accepted alone, and the run is then claimed.
  if (run.resumeTrigger !== undefined && ProcedoError.isError(error) && !isOutage) return { status: "not_resumed" };
  if (isRowAwaited(run)) return { status: "unanswered", error };
  if (!isOutage) return { status: "refused", error };
  try {
    const result = await retryUntilStored(ports, holder.stopped, () => ports.storage.runs.commit(row));
    return result ?? { status: "unanswered", error };
  } catch (refusal) {
    return { status: "refused", error: refusal };
  }
}
