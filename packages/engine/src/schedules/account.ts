import type { ScheduledFiring, ScheduleState } from "@procedo/storage";
import type { Schedule } from "./schedule.ts";

/** What becomes of times that are due: their firings, and the state of the schedule after them. */
export interface Accounted {
  readonly firings: readonly ScheduledFiring[];
  /** Its due time may have passed already: then the rest is accounted for next. */
  readonly next: ScheduleState;
}

type SkipReason = NonNullable<ScheduledFiring["skipped"]>["reason"];

/** With `catchUp: "none"`, a time fires if it is at most this late. */
const punctualMs = 60_000;

/** The most times that fire together. */
const maxCaughtUp = 100;

/** The most time that is accounted for at once. Keeps the work of one call small after a jump of the clock. */
const longestPeriodMs = 1_000 * 86_400_000;

/** The longest `catchUpWithin`. Shorter than the longest period, so that all times that fire are in the last one. */
export const longestCatchUpMs = 366 * 86_400_000;

/** The state of a schedule that begins now, or counts from now after a change. */
export function stateFrom(schedule: Schedule, nowMs: number): ScheduleState {
  return stateAfter(schedule, nowMs);
}

/**
 * Accounts for the times up to now: each fires, or is counted as missed. Those that were missed together are one firing.
 *
 * The stored due time only tells when to look. The times themselves follow from the last one that was accounted for, so
 * that a new release of the time zone database, or a clock that was wrong for a while, silences no schedule.
 *
 * @returns `undefined` when the state is right and no time is due
 */
export function account(schedule: Schedule, state: ScheduleState, nowMs: number): Accounted | undefined {
  // The clock was ahead and was set back. Times that already fired have their firings, and stay single by their keys.
  if (state.accountedAtMs > nowMs) return { firings: [], next: stateFrom(schedule, nowMs) };
  const asOfMs = nowMs - schedule.delayMs;
  const sinceMs = state.accountedAtMs;
  const first = schedule.after(sinceMs);
  if (first === undefined || first > asOfMs) {
    const next = stateAfter(schedule, sinceMs);
    return next.dueAtMs === state.dueAtMs ? undefined : { firings: [], next };
  }
  const windowMs = schedule.catchUp === "none" ? punctualMs : schedule.catchUpWithinMs;
  const earliestMs = asOfMs - windowMs;
  const isLong = asOfMs - sinceMs > longestPeriodMs;
  const untilMs = isLong ? sinceMs + longestPeriodMs - longestCatchUpMs : asOfMs;
  const fired = isLong ? [] : firedTimes(schedule, Math.max(sinceMs, earliestMs - 1), asOfMs);
  const missedUntilMs = (fired[0] ?? untilMs + 1) - 1;
  const lastMs = isLong ? untilMs : (schedule.before(untilMs + 1) ?? untilMs);
  return {
    firings: [
      ...skipped(schedule, "missed", sinceMs, missedUntilMs),
      ...fired.map((scheduledAtMs) => ({ scheduledAtMs })),
    ],
    next: stateAfter(schedule, lastMs),
  };
}

/** Accounts for the times up to a moment as one skipped firing, and counts from then on. */
export function skipUntil(schedule: Schedule, state: ScheduleState, reason: SkipReason, untilMs: number): Accounted {
  return {
    firings: skipped(schedule, reason, state.accountedAtMs, untilMs),
    next: stateFrom(schedule, untilMs),
  };
}

/** The times after one moment and up to another that fire, the oldest first. */
function firedTimes(schedule: Schedule, afterMs: number, untilMs: number): readonly number[] {
  const most = schedule.catchUp === "latest" ? 1 : maxCaughtUp;
  const times: number[] = [];
  let time = schedule.before(untilMs + 1);
  while (time !== undefined && time > afterMs && times.length < most) {
    times.unshift(time);
    time = schedule.before(time);
  }
  return times;
}

function skipped(schedule: Schedule, reason: SkipReason, afterMs: number, untilMs: number): readonly ScheduledFiring[] {
  const count = schedule.count(afterMs, untilMs);
  const last = count === 0 ? undefined : schedule.before(untilMs + 1);
  return last === undefined ? [] : [{ scheduledAtMs: last, skipped: { reason, count } }];
}

function stateAfter(schedule: Schedule, accountedAtMs: number): ScheduleState {
  const next = schedule.after(accountedAtMs);
  return { accountedAtMs, dueAtMs: next === undefined ? undefined : next + schedule.delayMs };
}
