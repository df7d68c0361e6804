import { ProcedoError } from "@procedo/contract";
import type { CommitResult, RunCommit } from "@procedo/storage";
import { revoked } from "../access/principal.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import type { ActiveRun } from "./active-run.ts";
import { orRetryStorage } from "./retry-storage.ts";

/** What became of a row. */
export type RowResult =
  | CommitResult
  /** Nothing is known of it. */
  | { readonly status: "unknown"; readonly error: unknown }
  /** The news that it follows from was stored without it, or not at all. */
  | { readonly status: "unresumed" };

/**
 * Sends a run's row to be made durable, with the news that it follows from; the first one only for a key that exists. Rejects when storage did not answer; then
 * {@link unanswered} says what becomes of it.
 */
export function sendRow(
  { storage }: Pick<ExecutionPorts, "storage">,
  { news, starter }: ActiveRun,
  row: RunCommit,
): Promise<RowResult> {
  if (starter?.isRevoked?.() === true) return Promise.resolve({ status: "refused", error: revoked() });
  if (news === undefined) return storage.runs.commit(row);
  return news.store(row).then((stored) => ({ status: stored ? "committed" : "unresumed" }));
}

/** What becomes of a row that storage did not answer: only one for which somebody waits is given up at once. */
export function unanswered(
  ports: ExecutionPorts,
  holder: Holder,
  { creation, news }: ActiveRun,
  row: RunCommit,
  error: unknown,
): Promise<RowResult> {
  // What storage refuses together, it may take apart: the news, that is, and then the run is claimed.
  if (news !== undefined && isRefusal(error)) return Promise.resolve({ status: "unresumed" });
  if (creation !== undefined || news !== undefined) return Promise.resolve({ status: "unknown", error });
  return commitAgain(ports, holder, row, error);
}

/** Whether storage has said that it did not do what it was asked. */
function isRefusal(error: unknown): boolean {
  return ProcedoError.isError(error) && !error.retryable;
}

/** Commits a row until storage has answered. */
async function commitAgain(ports: ExecutionPorts, holder: Holder, row: RunCommit, error: unknown): Promise<RowResult> {
  try {
    const result = await orRetryStorage(ports, holder.stopped, () => ports.storage.runs.commit(row))(error);
    return result ?? { status: "unknown", error: stoppedEarly.error };
  } catch (refusal) {
    return { status: "refused", error: refusal };
  }
}

/** The worker stopped while storage did not answer; what is durable goes on elsewhere. */
export const stoppedEarly = {
  kind: "abandoned",
  error: new Error("The worker stopped while storage did not answer."),
} as const;
