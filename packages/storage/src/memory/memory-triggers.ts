import { firingIdOf, scheduledDedupeKey } from "../firing-id.ts";
import { firingCursorQuery } from "../list-queries.ts";
import type { Scope } from "../scope.ts";
import { assertStorable } from "../storable.ts";
import type { AddedFiring } from "../firings.ts";
import type { DueSchedule, ScheduleAdvance, TriggerState, TriggerStore } from "../triggers.ts";
import { append, follows } from "./memory-audit.ts";
import { addEvent, takeBatch } from "./memory-events.ts";
import { claimFirings } from "./memory-firing-queue.ts";
import { addFiring, claimedFiring, endFiring, findFiring, firingRow, firingsOf } from "./memory-firings.ts";
import { queuedOf, triggerKey } from "./memory-firings.ts";
import { removeExpired } from "./memory-trigger-retention.ts";
import { pageByTime } from "./page.ts";
import { keyOf, sameScope, type MemoryFiring, type MemoryState } from "./state.ts";

const maxCounted = 1_000;
const maxFailures = 100;

export function memoryTriggers(state: MemoryState): TriggerStore {
  function findOf(scope: Scope, triggerId: string, firingId: string): MemoryFiring | undefined {
    const firing = findFiring(state, scope, firingId);
    return firing?.triggerId === triggerId ? firing : undefined;
  }

  return {
    async take(batch) {
      assertStorable(batch);
      return takeBatch(state, batch);
    },

    async due({ workspace, limit, beforeMs }) {
      const nowMs = state.now();
      const untilMs = beforeMs ?? nowMs;
      const set = [...state.gates.values()]
        .flatMap((gate) => dueOf(state, gate))
        .filter(({ scope }) => scope.workspace === workspace)
        .sort((a, b) => a.dueAtMs - b.dueAtMs || (a.triggerId < b.triggerId ? -1 : 1));
      const schedules = set.filter(({ dueAtMs }) => dueAtMs <= untilMs).slice(0, limit);
      return { nowMs, schedules, nextDueAtMs: set.find(({ dueAtMs }) => dueAtMs > untilMs)?.dueAtMs };
    },

    async advance(items) {
      return items.map((item) => advanceOne(state, item));
    },

    async add({ scope, triggerId, firings }) {
      assertStorable([scope, triggerId, firings]);
      const hasGate = state.gates.has(triggerKey(scope, triggerId));
      const results = firings.map((firing) => {
        const firingId = firingIdOf(triggerId, firing.dedupeKey);
        if (findFiring(state, scope, firingId) !== undefined) return { status: "known", firingId } as const;
        const original = firing.refireOf === undefined ? undefined : findOf(scope, triggerId, firing.refireOf);
        const isUnknown = firing.refireOf !== undefined && original === undefined;
        if (!hasGate || isUnknown) return { status: "not_found", firingId } as const;
        addOne(state, scope, triggerId, firingId, firing, original);
        return { status: "added", firingId } as const;
      });
      if (results.some(({ status }) => status === "added")) state.feed.emit({ type: "fireable" });
      return results;
    },

    async claim(request) {
      return claimFirings(state, request);
    },

    async settle(items) {
      assertStorable(items);
      return items.map(({ scope, next, ...claim }) => {
        const firing = claimedFiring(state, scope, claim);
        if (firing === undefined) return "fenced";
        if (next.status === "pending") {
          firing.isClaimed = false;
          firing.dueAtMs = state.now() + next.afterMs;
        } else {
          endFiring(state, firing, next.status, next.reason);
          if (next.status === "failed") firing.error = next.error;
        }
        return "settled";
      });
    },

    async endPending({ scope, reason, limit, audit }) {
      assertStorable([reason, audit]);
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      const queued = [...state.queuedFirings].filter((firing) => sameScope(firing.scope, scope)).slice(0, limit);
      for (const firing of queued) endFiring(state, firing, "skipped", reason);
      append(state, scope.workspace, audit);
      return { status: "ended", firings: queued.length };
    },

    async list(request) {
      const { scope, triggerId, status, fromMs = -Infinity, toMs = Infinity } = request;
      const rows = firingsOf(state, scope, triggerId).filter(
        (firing) =>
          (status === undefined || firing.status === status) &&
          firing.receivedAtMs >= fromMs &&
          firing.receivedAtMs < toMs,
      );
      return pageByTime(rows, {
        ...request,
        query: firingCursorQuery(request),
        newestFirst: true,
        positionOf: ({ receivedAtMs, number }) => [receivedAtMs, number],
        itemOf: firingRow,
      });
    },

    async get({ scope, triggerId, firingId }) {
      const firing = findOf(scope, triggerId, firingId);
      return firing && { ...firingRow(firing), content: firing.event?.content };
    },

    async states({ scope, triggerIds }) {
      return [...new Set(triggerIds)].flatMap((triggerId): readonly TriggerState[] => {
        const gate = state.gates.get(triggerKey(scope, triggerId));
        if (gate === undefined) return [];
        const newestFirst = [...firingsOf(state, scope, triggerId)].reverse();
        return [
          {
            triggerId,
            schedule: gate.schedule,
            lastFiringAtMs: newestFirst[0]?.receivedAtMs,
            waiting: Math.min(maxCounted, queuedOf(state, scope, triggerId).length),
            consecutiveFailures: failuresOf(newestFirst),
          },
        ];
      });
    },

    async removeExpired(request) {
      return removeExpired(state, request);
    },
  };
}

function dueOf(
  state: MemoryState,
  { scope, triggerId, schedule }: Pick<DueSchedule, "scope" | "triggerId"> & { schedule: TriggerState["schedule"] },
): readonly DueSchedule[] {
  if (schedule?.dueAtMs === undefined) return [];
  const revision = state.records.get(keyOf(scope.workspace, "trigger", triggerId))?.revision ?? 0;
  return [{ scope, triggerId, revision, accountedAtMs: schedule.accountedAtMs, dueAtMs: schedule.dueAtMs }];
}

function advanceOne(state: MemoryState, item: ScheduleAdvance): "advanced" | "stale" {
  const { scope, triggerId, revision, dueAtMs, firings, next } = item;
  const gate = state.gates.get(triggerKey(scope, triggerId));
  const isCurrent = state.records.get(keyOf(scope.workspace, "trigger", triggerId))?.revision === revision;
  if (gate?.schedule === undefined || gate.schedule.dueAtMs !== dueAtMs || !isCurrent) return "stale";
  gate.schedule = next;
  for (const firing of firings) {
    const firingId = firingIdOf(triggerId, scheduledDedupeKey(firing));
    if (findFiring(state, scope, firingId) !== undefined) continue;
    addFiring(state, { scope, triggerId, firingId, ...firing });
  }
  if (firings.some(({ skipped }) => skipped === undefined)) state.feed.emit({ type: "fireable" });
  return "advanced";
}

function addOne(
  state: MemoryState,
  scope: Scope,
  triggerId: string,
  firingId: string,
  { requestedBy, scheduledAtMs, refireOf, event }: AddedFiring,
  original: MemoryFiring | undefined,
): void {
  const atMs = state.now();
  const own = event && addEvent(state, scope, event, { receivedAtMs: atMs, knownUntilMs: atMs });
  const { event: again, occurredAtMs, scheduledAtMs: before } = original ?? {};
  const of = { event: own ?? again, occurredAtMs, scheduledAtMs: scheduledAtMs ?? before, refireOf };
  addFiring(state, { scope, triggerId, firingId, requestedBy, ...of });
}

/** The failures among the newest firings, up to one whose run completed. */
function failuresOf(newestFirst: readonly MemoryFiring[]): number {
  let failures = 0;
  for (const { status, run } of newestFirst) {
    if (run?.status === "completed" || failures === maxFailures) break;
    if (status === "failed" || run?.status === "failed") failures += 1;
  }
  return failures;
}
