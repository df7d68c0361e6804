import { ProcedoError } from "@procedo/contract";
import type {
  ClaimedDelivery,
  DeliveryRow,
  DeliverySettlement,
  DeliveryStore,
  NewDeliveryAttempt,
  SettleResult,
} from "../deliveries.ts";
import { resendCursorQuery } from "../deliveries.ts";
import { deliveryIdOf } from "../delivery-id.ts";
import { deliveryCursorQuery } from "../list-queries.ts";
import type { NewEvent } from "../new-event.ts";
import type { Scope } from "../scope.ts";
import { assertStorable } from "../storable.ts";
import { append, follows } from "./memory-audit.ts";
import { claimable, isClaimed, nextDueAtMs } from "./memory-delivery-queue.ts";
import { pageByTime } from "./page.ts";
import type { MemoryDelivery, MemoryState } from "./state.ts";
import { keyOf, sameScope } from "./state.ts";

export function memoryDeliveries(state: MemoryState): DeliveryStore {
  function find(scope: Scope, webhookId: string, deliveryId: string): MemoryDelivery | undefined {
    const delivery = state.deliveries.get(deliveryId);
    const found = delivery?.row.webhookId === webhookId && sameScope(delivery.scope, scope);
    return found ? delivery : undefined;
  }

  return {
    async claim({ workspace, limits, leaseMs }) {
      const now = state.now();
      const next = nextDueAtMs(state, workspace, now);
      const claimed = claimable(state, workspace, limits, now);
      return { deliveries: claimed.map((delivery) => claimedDelivery(delivery, now + leaseMs)), nextDueAtMs: next };
    },

    async settle(items) {
      for (const { attempt, error } of items) assertStorable([error, attempt?.url, attempt?.failure]);
      return items.map((item) => settleOne(state, item));
    },

    async post({ scope, webhookId, event, audit }) {
      assertStorable([scope, webhookId, event, audit]);
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      const row = newDelivery(event, webhookId, undefined, state.now());
      if (state.deliveries.has(row.deliveryId)) {
        throw new ProcedoError("internal", `Event "${event.eventId}" exists already.`);
      }
      addDelivery(state, scope, row, true);
      append(state, scope.workspace, audit);
      state.feed.emit({ type: "deliverable" });
      return { status: "posted", delivery: row };
    },

    async resend({ scope, webhookId, deliveryId, repeatMs, manual = false, audit }) {
      assertStorable(audit);
      const delivery = find(scope, webhookId, deliveryId);
      if (delivery === undefined) return { status: "not_found" };
      const now = state.now();
      if (delivery.resentAtMs !== undefined && now - delivery.resentAtMs < repeatMs) {
        return { status: "repeated", delivery: delivery.row };
      }
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      delivery.resentAtMs = now;
      if (!isClaimed(delivery, now)) {
        const hasEnded = delivery.row.status !== "pending";
        if (hasEnded) delivery.placesUsed = 0;
        if (hasEnded || manual) delivery.manual = true;
        const dueAtMs = Math.min(delivery.row.dueAtMs ?? now, now);
        delivery.row = { ...delivery.row, status: "pending", dueAtMs };
        state.pendingDeliveries.add(delivery);
      }
      append(state, scope.workspace, audit);
      state.feed.emit({ type: "deliverable" });
      return { status: "resent", delivery: delivery.row };
    },

    async resendUndelivered(request) {
      const { scope, webhookId, statuses, sinceMs, repeatMs, audit } = request;
      assertStorable(audit);
      const now = state.now();
      const rows = [...state.deliveries.values()].filter(
        (delivery) =>
          delivery.row.webhookId === webhookId &&
          sameScope(delivery.scope, scope) &&
          delivery.row.createdAtMs >= sinceMs,
      );
      const { items, nextCursor } = pageByTime(rows, {
        ...request,
        query: resendCursorQuery(request),
        newestFirst: false,
        positionOf: ({ row, number }) => [row.createdAtMs, number],
        itemOf: (delivery) => delivery,
      });
      const wanted: readonly string[] = statuses;
      const undelivered = items.filter(
        ({ row, resentAtMs }) =>
          wanted.includes(row.status) && !(resentAtMs !== undefined && now - resentAtMs < repeatMs),
      );
      if (undelivered.length === 0) return { status: "resent", deliveries: 0, nextCursor };
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      for (const delivery of undelivered) {
        delivery.resentAtMs = now;
        delivery.placesUsed = 0;
        delivery.manual = false;
        delivery.row = { ...delivery.row, status: "pending", dueAtMs: now };
        state.pendingDeliveries.add(delivery);
      }
      append(state, scope.workspace, audit);
      state.feed.emit({ type: "deliverable" });
      return { status: "resent", deliveries: undelivered.length, nextCursor };
    },

    async endPending({ scope, error, limit, audit }) {
      assertStorable([error, audit]);
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      const pending = [...state.pendingDeliveries]
        .filter((delivery) => sameScope(delivery.scope, scope))
        .slice(0, limit);
      for (const delivery of pending) {
        delivery.claimed = false;
        delivery.manual = false;
        delivery.row = { ...delivery.row, status: "failed", error, dueAtMs: undefined };
        state.pendingDeliveries.delete(delivery);
      }
      append(state, scope.workspace, audit);
      return { status: "ended", deliveries: pending.length };
    },

    async list(request) {
      const { scope, webhookId, status, event, runId, fromMs = -Infinity, toMs = Infinity } = request;
      const rows = [...state.deliveries.values()].filter(
        ({ row, scope: own }) =>
          row.webhookId === webhookId &&
          sameScope(own, scope) &&
          (status === undefined || row.status === status) &&
          (event === undefined || row.event === event) &&
          (runId === undefined || row.runId === runId) &&
          row.createdAtMs >= fromMs &&
          row.createdAtMs < toMs,
      );
      return pageByTime(rows, {
        ...request,
        query: deliveryCursorQuery(request),
        newestFirst: true,
        positionOf: ({ row, number }) => [row.createdAtMs, number],
        itemOf: ({ row }) => row,
      });
    },

    async get({ scope, webhookId, deliveryId }) {
      return find(scope, webhookId, deliveryId)?.row;
    },

    async attempts({ scope, webhookId, deliveryId }) {
      const attempts = find(scope, webhookId, deliveryId)?.attempts ?? new Map<number, never>();
      return [...attempts].sort(([a], [b]) => a - b).map(([, attempt]) => attempt);
    },

    async failing({ scope: { workspace, environment }, webhookIds }) {
      return webhookIds.flatMap((webhookId) => {
        const key = keyOf(workspace, "webhook", webhookId);
        const sinceMs = state.failing.get(key);
        return sinceMs === undefined || state.records.get(key)?.environment !== environment
          ? []
          : [{ webhookId, sinceMs }];
      });
    },
  };
}

/** A delivery before its first attempt. */
export function newDelivery(
  event: NewEvent,
  webhookId: string,
  runId: string | undefined,
  dueAtMs: number,
): DeliveryRow {
  return {
    deliveryId: deliveryIdOf(event.eventId, webhookId),
    webhookId,
    eventId: event.eventId,
    runId,
    event: event.event,
    createdAtMs: event.createdAtMs,
    data: event.data,
    status: "pending",
    attemptCount: 0,
    url: undefined,
    responseCode: undefined,
    error: undefined,
    deliveredAtMs: undefined,
    dueAtMs,
  };
}

export function addDelivery(state: MemoryState, scope: Scope, row: DeliveryRow, manual: boolean): void {
  const number = state.nextNumber();
  const rest = { epoch: 0, claimed: false, manual, placesUsed: 0, resentAtMs: undefined, attempts: new Map() };
  const delivery: MemoryDelivery = { number, scope, row, ...rest };
  state.deliveries.set(row.deliveryId, delivery);
  state.pendingDeliveries.add(delivery);
}

function claimedDelivery(delivery: MemoryDelivery, leaseEndsAtMs: number): ClaimedDelivery {
  delivery.epoch += 1;
  delivery.claimed = true;
  delivery.placesUsed += 1;
  delivery.row = { ...delivery.row, attemptCount: delivery.row.attemptCount + 1, dueAtMs: leaseEndsAtMs };
  const { deliveryId, webhookId, event, createdAtMs, data } = delivery.row;
  const { scope, epoch, manual, placesUsed: attempt } = delivery;
  return { scope, deliveryId, webhookId, event, createdAtMs, data, epoch, attempt, manual };
}

function settleOne(state: MemoryState, item: DeliverySettlement): SettleResult {
  const { scope, deliveryId, epoch, attempt, error, cutOff = false, next } = item;
  const delivery = state.deliveries.get(deliveryId);
  if (delivery === undefined || !sameScope(delivery.scope, scope)) return { status: "fenced" };
  if (attempt !== undefined && !delivery.attempts.has(epoch)) delivery.attempts.set(epoch, { ...attempt, error });
  if (!delivery.claimed || delivery.epoch !== epoch) return { status: "fenced" };

  const { row } = delivery;
  delivery.claimed = false;
  if (attempt === undefined || cutOff) delivery.placesUsed -= 1;
  delivery.row = {
    ...row,
    status: next.status,
    attemptCount: attempt === undefined ? row.attemptCount - 1 : row.attemptCount,
    url: attempt?.url ?? row.url,
    responseCode: attempt === undefined ? row.responseCode : attempt.responseCode,
    error,
    deliveredAtMs: next.status === "delivered" ? attempt?.atMs : row.deliveredAtMs,
    dueAtMs: next.status === "pending" ? next.dueAtMs : undefined,
  };
  if (next.status !== "pending") {
    delivery.manual = false;
    state.pendingDeliveries.delete(delivery);
  }
  return { status: "settled", failingSinceMs: cutOff ? undefined : attempt && judge(state, delivery, attempt, error) };
}

/** When the webhook started to fail, given the result of this attempt. */
function judge(
  state: MemoryState,
  { scope, row }: MemoryDelivery,
  { atMs, manual }: NewDeliveryAttempt,
  error: string | undefined,
): number | undefined {
  const key = keyOf(scope.workspace, "webhook", row.webhookId);
  // No mark is stored for a removed webhook, nor for one of the other environment with the same id.
  if (state.records.get(key)?.environment !== scope.environment) return undefined;
  if (error === undefined) {
    state.failing.delete(key);
    return undefined;
  }
  if (manual) return undefined;
  const sinceMs = state.failing.get(key) ?? atMs;
  state.failing.set(key, sinceMs);
  return sinceMs;
}
