import { runCursorQuery, wantedStatuses } from "../list-queries.ts";
import type { RunRow, RunStore } from "../runs.ts";
import { cancelledError, dayOf, tallyRuns, type RunAttention, type TallyCell } from "../run-tally.ts";
import { assertStorable } from "../storable.ts";
import { commitOne } from "./memory-commit.ts";
import { heads } from "./memory-heads.ts";
import { claim, wakeWaiting } from "./memory-queue.ts";
import { pageBySearch } from "./memory-search.ts";
import { pageByTime } from "./page.ts";
import type { MemoryRun, MemoryState } from "./state.ts";
import { findRun, idempotencyKeyOf, sameScope } from "./state.ts";

export function memoryRuns(state: MemoryState): RunStore {
  return {
    async commit(commit) {
      return commitOne(state, commit);
    },

    async claim(request) {
      return claim(state, request);
    },

    async wake(request) {
      return wakeWaiting(state, request);
    },

    async get({ scope, runId }) {
      const run = findRun(state, scope, runId);
      return run === undefined ? undefined : rowOf(run);
    },

    async findByKey({ scope, procedureId, idempotencyKey }) {
      assertStorable(idempotencyKey);
      const held = state.idempotency.get(idempotencyKeyOf(scope, procedureId, idempotencyKey));
      if (held === undefined || held.expiresAtMs <= state.now()) return undefined;
      const { runId, creation } = held.run;
      const { procedureVersion, startedBy } = creation;
      return { runId, digest: held.digest, procedureVersion, startedBy };
    },

    async journal({ scope, runId, afterSeq = 0, maxBytes = Infinity }) {
      const rows = findRun(state, scope, runId)?.journal.slice(afterSeq) ?? [];
      let bytes = 0;
      const end = rows.findIndex(({ body }, index) => (bytes += Buffer.byteLength(body)) > maxBytes && index > 0);
      return end === -1 ? rows : rows.slice(0, end);
    },

    async output({ scope, runId, maxBytes }) {
      const place = findRun(state, scope, runId)?.place;
      if (place?.kind !== "ended" || place.output === undefined) return undefined;
      const bytes = Buffer.byteLength(place.output);
      return { bytes, text: bytes > maxBytes ? undefined : place.output };
    },

    async list(request) {
      const { scope, procedureId, fromMs, toMs, startedBy, version, attention, search, triggerId } = request;
      const statuses = wantedStatuses(request);
      const rows = [...state.runs.values()].filter(
        (run) =>
          sameScope(run.scope, scope) &&
          (statuses === undefined || statuses.includes(run.status)) &&
          (procedureId === undefined || run.creation.procedureId === procedureId) &&
          (startedBy === undefined || run.creation.startedBy === startedBy) &&
          (version === undefined || run.creation.procedureVersion === version) &&
          (triggerId === undefined || run.creation.trigger?.triggerId === triggerId) &&
          (attention === undefined || needsAttention(run, attention)) &&
          (fromMs === undefined || run.creation.createdAtMs >= fromMs) &&
          (toMs === undefined || run.creation.createdAtMs < toMs),
      );
      const page = {
        ...request,
        query: runCursorQuery(request),
        positionOf: (run: MemoryRun) => [run.creation.createdAtMs, run.number] as const,
        itemOf: rowOf,
      };
      if (search === undefined) return pageByTime(rows, { ...page, newestFirst: true });
      const referenceOf = ({ creation }: MemoryRun): string | undefined => creation.reference;
      return pageBySearch(rows, { ...page, search, idsOf: ({ runId }) => [runId], referenceOf });
    },

    async tally(request) {
      const { scope, sinceMs } = request;
      const cells: TallyCell[] = [];
      const newest = new Map<string, number>();
      let failedSince = 0;
      for (const run of state.runs.values()) {
        if (!sameScope(run.scope, scope)) continue;
        const { procedureId, createdAtMs } = run.creation;
        newest.set(procedureId, Math.max(newest.get(procedureId) ?? -Infinity, createdAtMs));
        const cell = { procedureId, day: dayOf(request, createdAtMs), count: 1 };
        cells.push({ ...cell, what: "any" });
        if (run.status === "completed") continue;
        const wasCancelled = run.place.kind === "ended" && isCancelled(run.place);
        cells.push({ ...cell, what: wasCancelled ? "cancelled" : run.status });
        if (run.place.kind !== "ended" || wasCancelled || cell.day < 0) continue;
        if (run.place.endedAtMs >= sinceMs) failedSince += 1;
      }
      return tallyRuns(request, cells, failedSince, newest);
    },

    async heads(request) {
      return heads(state, request);
    },
  };
}

function needsAttention(
  { status, place, creation }: MemoryRun,
  { failedSinceMs, startedSinceMs }: RunAttention,
): boolean {
  if (status === "awaiting_review") return true;
  if (place.kind !== "ended" || status !== "failed" || isCancelled(place)) return false;
  return place.endedAtMs >= failedSinceMs && creation.createdAtMs >= startedSinceMs;
}

function isCancelled({ error = "" }: { readonly error: string | undefined }): boolean {
  return error.startsWith(cancelledError);
}

function rowOf({ scope, runId, creation, status, place }: MemoryRun): RunRow {
  const { procedureId, procedureVersion, startedBy, reference, trigger, createdAtMs } = creation;
  return {
    scope,
    runId,
    procedureId,
    procedureVersion,
    status,
    startedBy,
    reference,
    trigger: trigger?.body,
    createdAtMs,
    endedAtMs: place.kind === "ended" ? place.endedAtMs : undefined,
    error: place.kind === "ended" ? place.error : undefined,
  };
}
