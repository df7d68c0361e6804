import { environments, type Environment } from "@procedo/contract";
import type { EnvironmentBound, WebhookBound } from "../deliveries.ts";
import type { MemoryDelivery, MemoryState } from "./state.ts";
import { keyOf } from "./state.ts";

/** Deliveries that are to be handed out now, in the order in which they are: webhooks in turn, the longest due first. */
export function claimable(
  state: MemoryState,
  workspace: string,
  bounds: EnvironmentBound & {
    readonly most: Readonly<Record<Environment, EnvironmentBound>> | undefined;
    readonly wider: readonly WebhookBound[];
  },
  nowMs: number,
): readonly MemoryDelivery[] {
  const widerOf = new Map(
    bounds.wider.map(({ environment, webhookId, perWebhook }) => [keyOf(environment, webhookId), perWebhook]),
  );
  const ofEnvironments = environments.flatMap((environment) => {
    const { limit, perWebhook } = bounds.most?.[environment] ?? bounds;
    const webhooks = new Map<string, { claimed: number; readonly due: MemoryDelivery[] }>();
    for (const delivery of pendingOf(state, workspace)) {
      if (delivery.scope.environment !== environment) continue;
      const key = keyOf(environment, delivery.row.webhookId);
      const webhook = webhooks.get(key) ?? { claimed: 0, due: [] };
      webhooks.set(key, webhook);
      if (claimedOf(delivery, nowMs)) webhook.claimed += 1;
      else if (dueAt(delivery) <= nowMs) webhook.due.push(delivery);
    }
    const candidates = [...webhooks].flatMap(([key, { claimed, due }]) =>
      due
        .sort(longestDueFirst)
        .slice(0, Math.max(0, (widerOf.get(key) ?? perWebhook) - claimed))
        .map((delivery, index) => ({ delivery, rank: claimed + index, counts: claimed + index < perWebhook })),
    );
    return inTurn(candidates, limit);
  });
  return inTurn(ofEnvironments, bounds.limit).map(({ delivery }) => delivery);
}

interface Candidate {
  readonly delivery: MemoryDelivery;
  /** How many of its webhook come before it. */
  readonly rank: number;
  readonly counts: boolean;
}

/** All of them in turn, or the first `limit` where so many count. */
function inTurn(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  const counted = candidates.filter(({ counts }) => counts).length;
  return candidates
    .toSorted((a, b) => a.rank - b.rank || longestDueFirst(a.delivery, b.delivery))
    .slice(0, counted < limit ? Infinity : limit);
}

/** The earliest time at which one becomes due that is not due now. */
export function nextDueAtMs(state: MemoryState, workspace: string, nowMs: number): number | undefined {
  let next = Infinity;
  for (const delivery of pendingOf(state, workspace)) {
    if (dueAt(delivery) > nowMs) next = Math.min(next, dueAt(delivery));
  }
  return next === Infinity ? undefined : next;
}

/** Whether a sender has it whose lease has not ended. */
export function claimedOf(delivery: MemoryDelivery, nowMs: number): boolean {
  return delivery.claimed && dueAt(delivery) > nowMs;
}

function pendingOf(state: MemoryState, workspace: string): readonly MemoryDelivery[] {
  return [...state.outbox].filter(({ scope }) => scope.workspace === workspace);
}

function dueAt({ row }: MemoryDelivery): number {
  return row.dueAtMs ?? Infinity;
}

function longestDueFirst(a: MemoryDelivery, b: MemoryDelivery): number {
  return dueAt(a) - dueAt(b) || a.number - b.number;
}
