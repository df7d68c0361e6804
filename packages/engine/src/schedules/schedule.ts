import { createHash } from "node:crypto";
import type { CatchUp, ScheduleSource } from "@procedo/contract";
import { parseDuration } from "@procedo/procedure";
import { countTimes } from "./count-times.ts";
import { parseCron } from "./cron.ts";
import { wallClockOf } from "./wall-clock.ts";
import { zonedTimes, type ClockChange } from "./zoned-times.ts";

/*
 * The times of schedules. Pure: the caller gives the current time.
 *
 *   schedule.ts        this file: the times of one schedule, within its bounds
 *   check-schedule.ts  the faults of a schedule that a person wrote
 *   account.ts         the times that fire when a schedule is due, and those that were missed
 *   next-times.ts      the next times and their local times, for people
 *   cron.ts            an expression, and its times on a clock that is never changed
 *   wall-clock.ts      the clock of a time zone, and the changes of its offset
 *   zoned-times.ts     the times of an expression in a zone, by the rule for changes of the clock
 *   count-times.ts     how many times lie in a period, without a look at each
 */

/** The nominal times of one schedule, in milliseconds since the epoch. */
export interface Schedule {
  /** The name of its time zone. */
  readonly timeZone: string;
  readonly catchUp: CatchUp;
  readonly catchUpWithinMs: number;
  /** How long after its nominal time each firing is due. */
  readonly delayMs: number;
  /** The first time after a moment; `undefined` when the schedule is over. */
  after(ms: number): number | undefined;
  /** The last time before a moment; `undefined` when there is none. */
  before(ms: number): number | undefined;
  /** How many times are later than the first moment, and not later than the second. */
  count(afterMs: number, untilMs: number): number;
  /** The change of the clock that moved this time, or that gives it two moments. */
  changeAt(ms: number): ClockChange | undefined;
}

/**
 * Reads a schedule that was checked.
 *
 * @param triggerId decides the part of the spread. Without it, nothing is delayed.
 * @throws Error for a schedule with faults
 */
export function scheduleOf(source: ScheduleSource, triggerId: string | undefined): Schedule {
  const { timeZone, catchUp } = source;
  const cron = parseCron(source.cron);
  const clock = wallClockOf(timeZone);
  if (!cron.ok || clock === undefined) throw new Error(`The schedule "${source.cron}" in "${timeZone}" has faults.`);
  const times = zonedTimes(cron.cron, clock);
  const startsAtMs = source.startsAt === null ? -Infinity : Date.parse(source.startsAt);
  const endsAtMs = source.endsAt === null ? Infinity : Date.parse(source.endsAt);
  return {
    timeZone,
    catchUp,
    catchUpWithinMs: durationOf(source.catchUpWithin),
    delayMs: triggerId === undefined ? 0 : partOf(durationOf(source.spread), triggerId),
    after: (ms) => within(times.after(Math.max(ms, startsAtMs - 1))),
    before: (ms) => within(times.before(Math.min(ms, endsAtMs))),
    count: (afterMs, untilMs) =>
      countTimes(cron.cron, clock, Math.max(afterMs, startsAtMs - 1), Math.min(untilMs, endsAtMs - 1)),
    changeAt: (ms) => times.changeAt(ms),
  };

  function within(ms: number | undefined): number | undefined {
    return ms !== undefined && ms >= startsAtMs && ms < endsAtMs ? ms : undefined;
  }
}

/** The milliseconds of a duration that was checked. The spread may have none. */
export function durationOf(text: string): number {
  const duration = parseDuration(text);
  return duration.ok ? duration.ms : 0;
}

/** A part of a duration, in whole seconds, that is always the same for a trigger and evenly spread over triggers. */
function partOf(durationMs: number, triggerId: string): number {
  const fraction = createHash("sha256").update(triggerId).digest().readUInt32BE() / 2 ** 32;
  return Math.floor((fraction * durationMs) / 1000) * 1000;
}
