import type { Cursor } from "@procedo/procedure";
import type { ActiveRun } from "./active-run.ts";

/** Clocks of servers differ by less. */
export const maxLagMs = 60_000;

/** A wait by the clock of the worker that began it. */
export interface TimedWait {
  /** `undefined`: not known. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number;
}

/**
 * Whether a wait is over: its time has come, or storage had it end and a clock was set back meanwhile. Storage's own clock
 * was, where storage has moved the end up (`workers.heartbeat`); this worker's was, where the wait began in its future. Storage
 * alone is not believed: its clock may be ahead of this worker's at all times. Pure.
 */
export function isWaitOver(
  { dueAtMs }: Pick<ActiveRun, "dueAtMs">,
  { sinceMs, untilMs }: TimedWait,
  nowMs: number,
): boolean {
  if (untilMs <= nowMs) return true;
  if (dueAtMs === undefined) return false;
  const wasMovedUp = dueAtMs < untilMs - maxLagMs;
  const beganInFuture = sinceMs !== undefined && nowMs < sinceMs - maxLagMs;
  return wasMovedUp || beganInFuture;
}

/** When the wait of a run that waits for time alone began. */
export function waitSinceMs(cursor: Cursor): number | undefined {
  switch (cursor.at) {
    case "backoff":
    case "model_backoff":
      return cursor.failedAtMs;
    case "unknown":
      return cursor.atMs;
    default:
      return undefined;
  }
}
