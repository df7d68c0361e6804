import { clockToleranceMs } from "../clock-tolerance.ts";
import type { MemoryState } from "./state.ts";

/** Moves due times and leases back when the clock was set back since the last heartbeat. */
export function noticeSetBack(state: MemoryState): void {
  const nowMs = state.now();
  const byMs = state.latestBeatMs - nowMs;
  if (byMs > clockToleranceMs) moveUp(state, nowMs, byMs);
  state.latestBeatMs = byMs > clockToleranceMs ? nowMs : Math.max(nowMs, state.latestBeatMs);
}

function moveUp(state: MemoryState, nowMs: number, byMs: number): void {
  const moved = (atMs: number): number => (atMs > nowMs + clockToleranceMs ? Math.max(nowMs, atMs - byMs) : atMs);
  for (const [workerId, endsAtMs] of state.leases) state.leases.set(workerId, moved(endsAtMs));
  for (const run of state.open) {
    if (run.place.kind !== "parked" || run.status !== "running" || run.place.wakeAtMs === undefined) continue;
    run.place = { ...run.place, wakeAtMs: moved(run.place.wakeAtMs) };
  }
  for (const one of state.pendingInvocations) {
    if (one.lease !== undefined) one.lease = { ...one.lease, endsAtMs: moved(one.lease.endsAtMs) };
  }
  for (const delivery of state.pendingDeliveries) {
    const { dueAtMs } = delivery.row;
    if (dueAtMs !== undefined) delivery.row = { ...delivery.row, dueAtMs: moved(dueAtMs) };
  }
  // A nominal time of a schedule is a date, and does not move.
  for (const firing of state.queuedFirings) firing.dueAtMs = moved(firing.dueAtMs);
  state.feed.emit({ type: "claimable" });
  state.feed.emit({ type: "deliverable" });
  state.feed.emit({ type: "fireable" });
}
