import { environments, type Environment } from "@procedo/contract";
import type { ClaimLimits } from "../deliveries.ts";
import type { MemoryDelivery, MemoryState } from "./state.ts";

/**
 * Deliveries for a claim, in this order: webhooks take turns, and those of one webhook that have been due longest come
 * first.
 */
export function claimable(
  state: MemoryState,
  workspace: string,
  limits: Readonly<Record<Environment, ClaimLimits>>,
  nowMs: number,
): readonly MemoryDelivery[] {
  const candidates = environments.flatMap((environment) => {
    const { total, perWebhook } = limits[environment];
    const pending = pendingOf(state, workspace).filter(({ scope }) => scope.environment === environment);
    const webhooks = Map.groupBy(pending, ({ row }) => row.webhookId);
    const ofWebhooks = [...webhooks.values()].flatMap((ofWebhook) => {
      const claimed = ofWebhook.filter((delivery) => isClaimed(delivery, nowMs)).length;
      const due = ofWebhook.filter((delivery) => dueAt(delivery) <= nowMs).sort(longestDueFirst);
      return due
        .slice(0, Math.max(0, perWebhook - claimed))
        .map((delivery, index) => ({ delivery, rank: claimed + index }));
    });
    return ofWebhooks.sort(inTurn).slice(0, total);
  });
  return candidates.sort(inTurn).map(({ delivery }) => delivery);
}

interface Candidate {
  readonly delivery: MemoryDelivery;
  /** Number of deliveries of the same webhook before it, including claimed ones. */
  readonly rank: number;
}

function inTurn(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || longestDueFirst(a.delivery, b.delivery);
}

/** The earliest time at which another delivery becomes due. */
export function nextDueAtMs(state: MemoryState, workspace: string, nowMs: number): number | undefined {
  const later = pendingOf(state, workspace)
    .map(dueAt)
    .filter((dueAtMs) => dueAtMs > nowMs);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Whether a sender has claimed it under a lease that has not ended. */
export function isClaimed(delivery: MemoryDelivery, nowMs: number): boolean {
  return delivery.claimed && dueAt(delivery) > nowMs;
}

function pendingOf(state: MemoryState, workspace: string): readonly MemoryDelivery[] {
  return [...state.pendingDeliveries].filter(({ scope }) => scope.workspace === workspace);
}

function dueAt({ row }: MemoryDelivery): number {
  return row.dueAtMs ?? Infinity;
}

function longestDueFirst(a: MemoryDelivery, b: MemoryDelivery): number {
  return dueAt(a) - dueAt(b) || a.number - b.number;
}
