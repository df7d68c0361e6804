import type { ScheduleSource, TriggerProblem } from "@procedo/contract";
import { parseDuration } from "@procedo/procedure";
import { longestCatchUpMs } from "./account.ts";
import { parseCron } from "./cron.ts";
import { durationOf, scheduleOf, type Schedule } from "./schedule.ts";
import { wallClockOf } from "./wall-clock.ts";

/** A schedule without a time in this period never fires. The longest pause of a day of the calendar has eight years. */
const horizonMs = 3_653 * 86_400_000;

/** How many of the next times are looked at for the shortest interval. */
const intervals = 50;

/** The one duration without a length, which other durations may not have. */
const noSpread = "PT0S";

/** The faults of a schedule that is to begin now, each with a JSON pointer into the source; none if it is good. */
export function scheduleProblems(source: ScheduleSource, nowMs: number): readonly TriggerProblem[] {
  const cron = parseCron(source.cron);
  const problems = [
    ...(cron.ok ? [] : [{ path: "/cron", message: cron.message }]),
    ...zoneProblems(source.timeZone),
    ...(source.spread === noSpread ? [] : durationProblems("/spread", source.spread)),
    ...catchUpProblems(source.catchUpWithin),
  ];
  return problems.length > 0 ? problems : timeProblems(source, nowMs);
}

function zoneProblems(timeZone: string): readonly TriggerProblem[] {
  if (wallClockOf(timeZone) !== undefined) return [];
  const isOffset = /^(?:[+-]|Z$)/i.test(timeZone);
  const form = 'write a name of the IANA database, such as "Europe/Berlin"';
  const message = isOffset
    ? `is an offset, which does not follow the changes of a place's clocks: ${form}`
    : `is not a known time zone: ${form}`;
  return [{ path: "/timeZone", message }];
}

function catchUpProblems(within: string): readonly TriggerProblem[] {
  if (durationOf(within) > longestCatchUpMs) {
    return [{ path: "/catchUpWithin", message: "is longer than 366 days" }];
  }
  return durationProblems("/catchUpWithin", within);
}

function durationProblems(path: string, text: string): readonly TriggerProblem[] {
  const duration = parseDuration(text);
  return duration.ok ? [] : [{ path, message: duration.message }];
}

function timeProblems(source: ScheduleSource, nowMs: number): readonly TriggerProblem[] {
  const schedule = scheduleOf(source, undefined);
  const fromMs = Math.max(nowMs, source.startsAt === null ? nowMs : Date.parse(source.startsAt) - 1);
  const unbounded = scheduleOf({ ...source, endsAt: null }, undefined);
  const first = unbounded.after(fromMs);
  if (first === undefined || first > fromMs + horizonMs) {
    return [{ path: "/cron", message: "never fires: it has no time within ten years" }];
  }
  if (schedule.after(fromMs) === undefined) {
    const message = `is too early: the first time of the schedule is ${new Date(first).toISOString()}`;
    return [{ path: "/endsAt", message }];
  }
  const shortestMs = shortestInterval(schedule, first);
  if (durationOf(source.spread) <= shortestMs) return [];
  const message = `is longer than the shortest interval of the schedule, which is ${shortestMs / 60_000} minutes`;
  return [{ path: "/spread", message }];
}

/** The shortest interval between the first times. */
function shortestInterval(schedule: Schedule, firstMs: number): number {
  let shortest = Infinity;
  let time = firstMs;
  for (let count = 0; count < intervals; count++) {
    const next = schedule.after(time);
    if (next === undefined) break;
    shortest = Math.min(shortest, next - time);
    time = next;
  }
  return shortest;
}
