import type { CommitResult, RunCommit, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import { retryUntilStored } from "./retry-storage.ts";

interface RecoverPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly storage: Pick<Storage, "runs" | "workers">;
}

/**
 * Determines the result of a row that started or resumed a run and that storage did not answer. The caller was told
 * that the request failed, but storage may have assigned the run to this worker. Only this worker knows that the run's
 * next call was not made.
 *
 * @returns `committed` where this worker holds the run and storage has the row; `undefined` where it does not hold the
 *   run, or `stopped` aborted first
 */
export async function recoverRow(
  ports: RecoverPorts,
  { workerId, stopped }: { readonly workerId: string; readonly stopped: AbortSignal },
  run: ActiveRun,
  row: RunCommit,
): Promise<CommitResult | undefined> {
  const { storage } = ports;
  const isHeldHere = async (): Promise<boolean> => {
    const held = await storage.workers.listRuns({ workerId });
    // The run may be held because another trigger has resumed it since.
    return held.includes(runIdOf(run)) && (run.resumeTrigger === undefined || (await run.resumeTrigger.isStored(row)));
  };
  if ((await retryUntilStored(ports, stopped, isHeldHere)) !== true) return undefined;
  // Storage answers `committed` if it has the row. If it has only the trigger, it appends the row now.
  return await retryUntilStored(ports, stopped, () => storage.runs.commit(withoutLease(row)));
}

/** The row without the lease of its invocation, whose client may have been told that no call follows. */
function withoutLease(row: RunCommit): RunCommit {
  if (row.invocation?.lease === undefined) return row;
  const { lease: _lease, ...invocation } = row.invocation;
  return { ...row, invocation };
}
