import type { RunHead } from "../heads.ts";
import type { ArchivedHead, NewStub, RetentionStore } from "../retention.ts";
import { assertStorable } from "../storable.ts";
import { append, follows } from "./memory-audit.ts";
import { removeReservations, removeUnused } from "./memory-budgets.ts";
import { endedAtMsOf } from "./memory-heads.ts";
import { unreadOf } from "./memory-queue.ts";
import { pageByTime } from "./page.ts";
import type { MemoryDelivery, MemoryRun, MemoryState } from "./state.ts";
import { findRun, sameScope } from "./state.ts";

export function memoryRetention(state: MemoryState): RetentionStore {
  return {
    async archivable(request) {
      const { scope, endedBeforeMs } = request;
      const busy = new Set([...state.pendingDeliveries].map(({ row }) => row.runId));
      const runs = [...state.runs.values()].filter(
        (run) => sameScope(run.scope, scope) && endedAtMsOf(run) < endedBeforeMs && isArchivable(run, busy),
      );
      return pageByTime(runs, {
        ...request,
        query: ["archivable", scope.workspace, scope.environment, endedBeforeMs],
        newestFirst: false,
        positionOf: (run) => [endedAtMsOf(run), run.number],
        itemOf: headOf,
      });
    },

    async archive({ scope, runs, audit }) {
      assertStorable([runs, audit]);
      const busy = new Set([...state.pendingDeliveries].map(({ row }) => row.runId));
      const found = runs.map((stub) => {
        const run = findRun(state, scope, stub.runId);
        const fits = run !== undefined && isArchivable(run, busy) && isHeadOf(run, stub);
        return { stub, run: fits ? run : undefined };
      });
      const changed = found.filter(({ run }) => run === undefined).map(({ stub }) => stub.runId);
      if (changed.length > 0) return { status: "changed", runIds: changed };
      if (!follows(state, scope.workspace, audit)) return { status: "audit_behind" };
      for (const { stub, run } of found) if (run !== undefined) archiveOne(state, run, stub, audit.seq);
      append(state, scope.workspace, audit);
      return { status: "archived" };
    },

    async stub({ scope, runId }) {
      return findRun(state, scope, runId)?.stub;
    },

    async stubs(request) {
      const { scope } = request;
      const stubs = [...state.runs.values()].flatMap(({ number, stub, scope: own }) =>
        stub !== undefined && sameScope(own, scope) ? [{ number, stub }] : [],
      );
      return pageByTime(stubs, {
        ...request,
        query: ["stubs", scope.workspace, scope.environment],
        newestFirst: false,
        positionOf: ({ number, stub }) => [stub.endedAtMs, number],
        itemOf: ({ stub: { output: _output, ...head } }): ArchivedHead => head,
      });
    },

    async removeExpired({ scope, beforeMs, budgetsBeforeMs, limit }) {
      const keys = [...state.idempotency].filter(([, { expiresAtMs }]) => expiresAtMs <= state.now()).slice(0, limit);
      for (const [key] of keys) state.idempotency.delete(key);
      const deliveries = [...state.deliveries.values()]
        .filter((delivery) => sameScope(delivery.scope, scope) && isDone(delivery) && delivery.row.runId === undefined)
        .filter(({ row }) => row.createdAtMs < beforeMs)
        .slice(0, limit);
      for (const { row } of deliveries) state.deliveries.delete(row.deliveryId);
      return keys.length + deliveries.length + removeUnused(state, scope, budgetsBeforeMs, limit);
    },
  };
}

function isArchivable(run: MemoryRun, busy: ReadonlySet<string | undefined>): boolean {
  return run.place.kind === "ended" && run.journal.length > 0 && unreadOf(run).length === 0 && !busy.has(run.runId);
}

function isHeadOf(run: MemoryRun, { seq, hash }: NewStub): boolean {
  const head = headOf(run);
  return head.seq === seq && head.hash === hash;
}

function headOf(run: MemoryRun): RunHead {
  const { seq = 0, hash = "" } = run.journal.at(-1) ?? {};
  return { runId: run.runId, seq, hash, endedAtMs: endedAtMsOf(run) };
}

function archiveOne(state: MemoryState, run: MemoryRun, { output }: NewStub, auditSeq: number): void {
  run.stub = { ...headOf(run), auditSeq, output };
  if (run.place.kind === "ended") run.place = { ...run.place, output: undefined };
  run.journal.length = 0;
  run.inbox.clear();
  run.openReview = undefined;
  removeReservations(state, run);
  for (const [reviewId, review] of state.reviews) if (review.run === run) state.reviews.delete(reviewId);
  for (const [key, { runId }] of state.decisionKeys) if (runId === run.runId) state.decisionKeys.delete(key);
  for (const [invocationId, invocation] of state.invocations) {
    if (invocation.run !== run) continue;
    state.invocations.delete(invocationId);
    state.pendingInvocations.delete(invocation);
  }
  for (const [deliveryId, { row }] of state.deliveries) {
    if (row.runId === run.runId) state.deliveries.delete(deliveryId);
  }
}

function isDone({ row }: MemoryDelivery): boolean {
  return row.status !== "pending";
}
