import { environments, type Environment } from "@procedo/contract";
import type { ClaimedRun, ClaimResult, RunPlace, RunStore } from "../runs.ts";
import type { Notification } from "../notification.ts";
import { sameScope, type MemoryRun, type MemoryState } from "./state.ts";

/** Moves a run to its place after a commit. Unread notifications make a parked run claimable. */
export function placeRun(state: MemoryState, run: MemoryRun, then: RunPlace): void {
  switch (then.kind) {
    case "hot":
      run.status = "running";
      run.place = { kind: "hot", workerId: then.workerId };
      return;
    case "parked":
      run.status = then.status;
      run.place = { kind: "parked", wakeAtMs: then.wakeAtMs, waitsFor: then.waitsFor };
      if (unreadOf(run).length > 0) makeClaimable(run, then.wakeAtMs, state.now());
      return;
    case "ended":
      run.status = then.status;
      run.place = { kind: "ended", endedAtMs: then.endedAtMs, error: then.error, output: then.output };
  }
}

/** Notifies a run: claims a parked run for `claimFor`, or makes it claimable. */
export function wake(state: MemoryState, run: MemoryRun, claimFor: string | undefined): ClaimedRun | undefined {
  if (run.place.kind === "hot") {
    state.feed.emit({ type: "notified", runId: run.runId });
    return undefined;
  }
  if (run.place.kind === "ended") return undefined;
  if (claimFor !== undefined) return giveTo(run, claimFor, { takenOver: false, dueAtMs: undefined });
  makeClaimable(run, run.place.wakeAtMs, state.now());
  state.feed.emit({ type: "claimable" });
  return undefined;
}

/** Wakes runs that wait for a connection. */
export function wakeWaiting(state: MemoryState, { scope, waitsFor, limit }: Parameters<RunStore["wake"]>[0]): number {
  const now = state.now();
  const waiting: MemoryRun[] = [];
  for (const run of state.open) {
    const { place, status } = run;
    if (waiting.length === limit) break;
    if (place.kind !== "parked" || place.waitsFor !== waitsFor || !sameScope(run.scope, scope)) continue;
    if (status === "running" && (place.wakeAtMs ?? Infinity) > now) waiting.push(run);
  }
  for (const run of waiting) run.place = { kind: "parked", wakeAtMs: now };
  if (waiting.length > 0) state.feed.emit({ type: "claimable" });
  return waiting.length;
}

export function claim(
  state: MemoryState,
  { workspace, workerId, limit, perEnvironment }: Parameters<RunStore["claim"]>[0],
): ClaimResult {
  const now = state.now();
  const waiting: Record<Environment, Waiting[]> = { sandbox: [], live: [] };
  let nextWakeAtMs: number | undefined;
  for (const run of state.open) {
    if (run.scope.workspace !== workspace || holds(workerId, run)) continue;
    const sinceMs = claimableSince(state, run);
    if (sinceMs === undefined) continue;
    if (sinceMs <= now) waiting[run.scope.environment].push({ run, sinceMs });
    else if (run.place.kind === "parked") nextWakeAtMs = earliest(nextWakeAtMs, sinceMs);
  }
  const inTurn = environments.flatMap((environment) =>
    waiting[environment]
      .sort(longestFirst)
      .slice(0, perEnvironment?.[environment] ?? limit)
      .map((entry, place) => ({ ...entry, place })),
  );
  inTurn.sort((a, b) => a.place - b.place || longestFirst(a, b));
  const runs = inTurn.slice(0, limit).map(({ run, sinceMs }) => {
    const takenOver = run.place.kind === "hot";
    return giveTo(run, workerId, { takenOver, dueAtMs: takenOver ? undefined : sinceMs });
  });
  return { runs, nextWakeAtMs };
}

interface Waiting {
  readonly run: MemoryRun;
  readonly sinceMs: number;
}

function longestFirst(a: Waiting, b: Waiting): number {
  return a.sinceMs - b.sinceMs || a.run.number - b.run.number;
}

export function holds(workerId: string, { place }: MemoryRun): boolean {
  return place.kind === "hot" && place.workerId === workerId;
}

export function unreadOf(run: MemoryRun): readonly Notification[] {
  const unread: Notification[] = [];
  for (const [effectKey, { body, consumed }] of run.inbox) if (!consumed) unread.push({ effectKey, body });
  return unread;
}

/** When a run becomes claimable. A worker without heartbeats has no lease. */
function claimableSince(state: MemoryState, run: MemoryRun): number | undefined {
  if (run.place.kind === "hot") return state.leases.get(run.place.workerId) ?? 0;
  return run.place.kind === "parked" ? run.place.wakeAtMs : undefined;
}

function giveTo(run: MemoryRun, workerId: string, found: Pick<ClaimedRun, "takenOver" | "dueAtMs">): ClaimedRun {
  run.epoch += 1;
  run.status = "running";
  run.place = { kind: "hot", workerId };
  return {
    scope: run.scope,
    runId: run.runId,
    procedureId: run.creation.procedureId,
    procedureVersion: run.creation.procedureVersion,
    epoch: run.epoch,
    ...found,
    journal: run.journal.slice(),
    inbox: unreadOf(run),
  };
}

function makeClaimable(run: MemoryRun, wakeAtMs: number | undefined, nowMs: number): void {
  run.status = "running";
  const waitsFor = run.place.kind === "parked" ? run.place.waitsFor : undefined;
  run.place = { kind: "parked", wakeAtMs: earliest(wakeAtMs, nowMs), waitsFor };
}

function earliest(a: number | undefined, b: number): number {
  return a === undefined ? b : Math.min(a, b);
}
