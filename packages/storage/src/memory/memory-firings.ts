import type { Scope } from "../scope.ts";
import type { FiringRow, FiringStatus } from "../firings.ts";
import { keyOf, type MemoryEvent, type MemoryFiring, type MemoryRun, type MemoryState } from "./state.ts";

interface NewFiring {
  readonly scope: Scope;
  readonly triggerId: string;
  readonly firingId: string;
  readonly requestedBy?: string | undefined;
  readonly event?: MemoryEvent | undefined;
  readonly occurredAtMs?: number | undefined;
  readonly scheduledAtMs?: number | undefined;
  readonly refireOf?: string | undefined;
  readonly skipped?: { readonly reason: string; readonly count: number } | undefined;
}

export function addFiring(state: MemoryState, { skipped, ...firing }: NewFiring): void {
  const nowMs = state.now();
  const stored: MemoryFiring = {
    requestedBy: undefined,
    occurredAtMs: undefined,
    scheduledAtMs: undefined,
    refireOf: undefined,
    event: undefined,
    ...firing,
    number: state.nextNumber(),
    receivedAtMs: nowMs,
    count: skipped?.count ?? 1,
    status: skipped === undefined ? "pending" : "skipped",
    reason: skipped?.reason,
    error: undefined,
    dueAtMs: nowMs,
    epoch: 0,
    isClaimed: false,
    run: undefined,
  };
  const { scope, triggerId, firingId } = firing;
  state.firings.set(firingKey(scope, firingId), stored);
  const key = triggerKey(scope, triggerId);
  const ofTrigger = state.firingsOfTriggers.get(key);
  if (ofTrigger === undefined) state.firingsOfTriggers.set(key, new Set([stored]));
  else ofTrigger.add(stored);
  if (stored.status === "pending") state.queuedFirings.add(stored);
}

export function findFiring(state: MemoryState, scope: Scope, firingId: string): MemoryFiring | undefined {
  return state.firings.get(firingKey(scope, firingId));
}

/** All firings of a trigger, the oldest first. */
export function firingsOf(state: MemoryState, scope: Scope, triggerId: string): readonly MemoryFiring[] {
  return [...(state.firingsOfTriggers.get(triggerKey(scope, triggerId)) ?? [])];
}

/** The pending and waiting firings of a trigger, the oldest first. */
export function queuedOf(state: MemoryState, scope: Scope, triggerId: string): readonly MemoryFiring[] {
  const key = triggerKey(scope, triggerId);
  return [...state.queuedFirings].filter((firing) => triggerKey(firing.scope, firing.triggerId) === key);
}

/** The firing if it is claimed under this epoch. */
export function claimedFiring(
  state: MemoryState,
  scope: Scope,
  { firingId, epoch }: { readonly firingId: string; readonly epoch: number },
): MemoryFiring | undefined {
  const firing = findFiring(state, scope, firingId);
  return firing !== undefined && firing.isClaimed && firing.epoch === epoch ? firing : undefined;
}

export function endFiring(
  state: MemoryState,
  firing: MemoryFiring,
  status: Exclude<FiringStatus, "pending" | "waiting">,
  reason?: string,
): void {
  firing.status = status;
  firing.reason = reason;
  firing.isClaimed = false;
  state.queuedFirings.delete(firing);
}

export function removeFiring(state: MemoryState, firing: MemoryFiring): void {
  state.firings.delete(firingKey(firing.scope, firing.firingId));
  const key = triggerKey(firing.scope, firing.triggerId);
  const ofTrigger = state.firingsOfTriggers.get(key);
  ofTrigger?.delete(firing);
  if (ofTrigger?.size === 0) state.firingsOfTriggers.delete(key);
}

/** Ends a firing with the run that it started. */
export function startFiring(state: MemoryState, firing: MemoryFiring, run: MemoryRun): void {
  endFiring(state, firing, "started");
  firing.run = run;
  state.openFirings.add(firing);
}

/** Number of open firings of a trigger. Forgets those whose runs have ended since. */
export function openOf(state: MemoryState, scope: Scope, triggerId: string): number {
  for (const firing of state.openFirings) if (!isOpen(firing)) state.openFirings.delete(firing);
  const key = triggerKey(scope, triggerId);
  return [...state.openFirings].filter((firing) => triggerKey(firing.scope, firing.triggerId) === key).length;
}

/** Whether its run has not ended. */
export function isOpen({ run }: MemoryFiring): boolean {
  return run !== undefined && run.place.kind !== "ended";
}

/** Whether a worker holds it under a lease that has not ended. */
export function isLeased({ isClaimed, dueAtMs }: MemoryFiring, nowMs: number): boolean {
  return isClaimed && dueAtMs > nowMs;
}

export function firingRow(firing: MemoryFiring): FiringRow {
  const { scope, triggerId, firingId, status, requestedBy, reason, error, count, event, refireOf, run } = firing;
  const { scheduledAtMs, occurredAtMs, receivedAtMs } = firing;
  return {
    ...{ scope, triggerId, firingId, status, requestedBy, reason, error, count },
    ...{ scheduledAtMs, occurredAtMs, receivedAtMs, startedAtMs: run?.creation.createdAtMs, refireOf },
    event: event?.facts,
    duplicates: event?.duplicates ?? 0,
    run: run && { runId: run.runId, procedureVersion: run.creation.procedureVersion, status: run.status },
  };
}

export function triggerKey({ workspace, environment }: Scope, triggerId: string): string {
  return keyOf(workspace, environment, triggerId);
}

function firingKey({ workspace, environment }: Scope, firingId: string): string {
  return keyOf(workspace, environment, firingId);
}
