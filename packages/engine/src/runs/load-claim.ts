import type { CompiledProcedure, RunState } from "@procedo/procedure";
import type { ClaimedRun } from "@procedo/storage";
import { rowMemory } from "../journal/parsed-bytes.ts";
import type { Slices } from "../journal/slices.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { append, createActiveRun, type ActiveRun } from "./active-run.ts";
import { loadRun } from "./load-run.ts";
import { retryUntilStored } from "./retry-storage.ts";

export interface LoadPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly slices: Slices;
  readonly chainKey: Uint8Array;
  readonly loadProcedure: (procedureId: string, version: string) => Promise<CompiledProcedure>;
}

/**
 * Restores a claimed run from its journal, for its new owner.
 *
 * @returns `undefined` when `stopped` aborted before storage answered
 * @throws ProcedoError when the version cannot be loaded; otherwise see {@link loadRun}
 */
export async function loadClaim(
  ports: LoadPorts,
  { workerId, stopped }: { readonly workerId: string; readonly stopped: AbortSignal },
  claim: ClaimedRun,
): Promise<ActiveRun | undefined> {
  const { procedureId, procedureVersion, inbox } = claim;
  const procedure = await retryUntilStored(ports, stopped, () => ports.loadProcedure(procedureId, procedureVersion));
  if (procedure === undefined) return undefined;
  const { state, writer } = await loadRun(ports, procedure, claim);
  const run = createActiveRun(procedure, writer, state, inbox);
  run.journalMemory = journalMemory(claim);
  // A notification that was posted since the claim was not announced to this worker.
  run.inboxStale = true;
  // A notification wakes a run before its wait is over.
  if (inbox.length === 0) run.dueAtMs = claim.dueAtMs;
  // The previous owner made the open call, even if it handed the run back.
  if (claim.takenOver || isCalling(state)) {
    append(run, { type: "recovered", atMs: ports.clock.now(), workerId, epoch: claim.epoch });
  }
  return run;
}

/** Estimated bytes of memory for the journal. */
export function journalMemory({ journal }: ClaimedRun): number {
  return journal.reduce((sum, { body }) => sum + rowMemory(body), 0);
}

/** Whether the run has an open call that its owner made. Invocations are made by clients. */
function isCalling({ cursor }: RunState): boolean {
  return cursor.at === "calling" && cursor.intent.frozen.dispatched !== true;
}
