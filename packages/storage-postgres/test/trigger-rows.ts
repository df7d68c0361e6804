import type { AddedFiring, ClaimedFiring, EventBatch, IncomingEvent, Storage, TriggerGate } from "@procedo/storage";
import { triggerEventKey } from "@procedo/storage";
import { firstRow, scope } from "./run-rows.ts";
import type { RunCommit } from "@procedo/storage";

export const source = "con-1";
const minuteMs = 60_000;

/** Stores a trigger that takes the events of a type; by default all of its firings pass. */
export async function putTrigger(
  storage: Storage,
  id: string,
  gate: Partial<TriggerGate> = {},
  { type = "paid", ifRevision = 0 } = {},
): Promise<void> {
  const trigger: TriggerGate = {
    ...{ overlap: "allow", maxOpenRuns: undefined, isHeld: false, schedule: undefined },
    ...gate,
  };
  const keys = [triggerEventKey(scope, source, type)];
  const record = { ...scope, kind: "trigger", id, body: "{}", uniqueKeys: [], keys, trigger };
  const result = await storage.records.put({ record, ifRevision });
  if (result.status !== "stored") throw new Error(`The trigger was not stored: ${result.status}.`);
}

/** An event under its own dedupe key. */
export function incoming(id: string, changes: Partial<IncomingEvent> = {}): IncomingEvent {
  const keys = [triggerEventKey(scope, source, "paid"), triggerEventKey(scope, source, undefined)];
  const facts = { id, type: "paid", digest: `digest-of-${id}`, occurredAtMs: undefined };
  const content = { body: JSON.stringify({ id }), headers: undefined };
  return { ...facts, ...content, keys, dedupeKey: id, dedupeForMs: 1_000 * minuteMs, ...changes };
}

export function batch(events: readonly IncomingEvent[], maxBacklog = 10_000): EventBatch {
  return { scope, source, events, maxBacklog };
}

export function manual(dedupeKey: string): AddedFiring {
  return { dedupeKey, requestedBy: "ada" };
}

export async function claimFirings(storage: Storage, limit = 10): Promise<readonly ClaimedFiring[]> {
  return (
    await storage.triggers.claim({
      workspace: scope.workspace,
      limits: { sandbox: limit, live: limit },
      leaseMs: minuteMs,
    })
  ).firings;
}

/** The row that creates the run of a firing. */
export function startingRow(runId: string, { triggerId, firingId, epoch }: ClaimedFiring): RunCommit {
  const row = firstRow(runId);
  const trigger = { triggerId, body: JSON.stringify({ triggerId, firingId }) };
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: 1, startedBy: "ada" };
  return { ...row, create: { ...create, ...row.create, trigger, firing: { triggerId, firingId, epoch } } };
}
