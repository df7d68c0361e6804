import { isDeepStrictEqual } from "node:util";
import type { History, InvariantName, LedgerRequest } from "./history.ts";
import { createRowCodec } from "../../packages/engine/src/journal/row-codec.ts";
import type { Intent } from "@procedo/procedure";

/** The leases of workers, as storage knows them. */
export interface LeaseWatch {
  /** Storage accepted a heartbeat of this worker. */
  heartbeat(workerId: string, leaseMs: number): void;
  released(workerId: string): void;
  /** The end of the worker's lease; `undefined` before its first heartbeat. */
  endsAtMs(workerId: string): number | undefined;
}

export function createLeaseWatch(nowMs: () => number): LeaseWatch {
  const ends = new Map<string, number>();
  return {
    heartbeat: (workerId, leaseMs) => void ends.set(workerId, nowMs() + leaseMs),
    released: (workerId) => void ends.delete(workerId),
    endsAtMs: (workerId) => ends.get(workerId),
  };
}

/**
 * Judges a call when it leaves an engine. Its intent must be durable with the same arguments, its deadline for sending
 * must not have passed, and the worker that wrote the intent must have a lease.
 */
export function judgeDeparture(
  request: LedgerRequest,
  history: History,
  lease: LeaseWatch,
  now: { readonly worldMs: number; readonly wallMs: number },
  violate: (invariant: InvariantName, text: string) => void,
): void {
  const { runId, key, attempt, nodeId } = request;
  const what = `Attempt ${attempt} of ${nodeId} in ${runId}`;
  const run = history.runs.get(runId);
  if (run === undefined) return violate("effects", `${what} left before the run was durable.`);
  const codec = createRowCodec(runId);
  let intent: Intent | undefined;
  let holder: string | undefined;
  let settled = false;
  for (const row of run.rows) {
    for (const entry of codec.decode(row.seq, row.body)) {
      if (entry.type === "intent" && entry.key === key && entry.attempt === attempt) {
        intent = entry;
        holder = row.commit.then.kind === "hot" ? row.commit.then.workerId : undefined;
        settled = false;
      } else if (entry.type === "outcome" && entry.nodeId === nodeId && entry.attempt === attempt) settled = true;
      else if (entry.type === "ended") settled = true;
    }
  }
  if (intent === undefined) return violate("effects", `${what} left before its intent was durable.`);
  // A jump of storage's clock may cause a question about an outcome; the ledger would still find a second payment.
  if (settled && !history.clockJumped) violate("effects", `${what} left although its outcome was already recorded.`);
  if (!isDeepStrictEqual(JSON.parse(request.body), intent.frozen.args)) {
    violate("effects", `${what} left with other arguments than its intent holds.`);
  }
  if (now.wallMs > intent.sendByMs)
    violate("effects", `${what} left ${now.wallMs - intent.sendByMs} ms after its deadline for sending.`);
  if (holder === undefined) return violate("owner", `${what} left under an intent that parked the run.`);
  const endsAtMs = lease.endsAtMs(holder);
  if (endsAtMs === undefined || now.worldMs >= endsAtMs)
    violate("owner", `${what} left after the lease of ${holder} had ended.`);
}
