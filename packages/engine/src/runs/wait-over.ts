import type { Cursor } from "@procedo/procedure";
import type { ActiveRun } from "./active-run.ts";

/** Upper bound of the difference between the clocks of two servers. */
export const maxLagMs = 60_000;

/** A wait by the clock of the worker that began it. */
export interface TimedWait {
  /** `undefined`: not known. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number;
}

/**
 * Whether a wait is over: its time has come, or storage ended it and a clock was set back meanwhile. The clock of
 * storage was set back if storage made the end earlier (`workers.heartbeat`). The clock of this worker was set back if the
 * wait began in its future. An end by storage alone proves nothing, because its clock may always be ahead of this
 * worker's. Pure.
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

/** When the wait began, for a run that waits only for a time. */
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
