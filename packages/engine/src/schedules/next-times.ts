import type { Schedule } from "./schedule.ts";
import type { ClockChange } from "./zoned-times.ts";
import { wallClockOf } from "./wall-clock.ts";

/** A time of a schedule. */
export interface NextTime {
  /** When it fires, in milliseconds since the epoch: the nominal time and the spread. */
  readonly atMs: number;
  /** The nominal time, in milliseconds since the epoch. */
  readonly scheduledAtMs: number;
  /** The nominal time in the zone, ISO 8601 with its offset. */
  readonly local: string;
  /** Why it is shifted; `undefined` if it is not. */
  readonly note: string | undefined;
}

/** The first times after a moment, at most five. */
export function nextTimes(schedule: Schedule, afterMs: number): readonly NextTime[] {
  const found: NextTime[] = [];
  let time = schedule.after(afterMs - schedule.delayMs);
  while (time !== undefined && found.length < 5) {
    const change = schedule.changeAt(time);
    found.push({
      atMs: time + schedule.delayMs,
      scheduledAtMs: time,
      local: localTime(schedule.timeZone, time),
      note: change === undefined ? undefined : noteOf(change),
    });
    time = schedule.after(time);
  }
  return found;
}

/** A moment as ISO 8601 with the offset of the zone: `2026-11-26T06:30:00+01:00`. */
export function localTime(timeZone: string, ms: number): string {
  const offset = wallClockOf(timeZone)?.offsetAt(ms) ?? 0;
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const reading = new Date(ms + offset).toISOString().slice(0, 19);
  return `${reading}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

function noteOf({ kind, reading }: ClockChange): string {
  const named = new Date(reading).toISOString().slice(11, 16);
  return kind === "skipped"
    ? `The clock skips ${named} on this day. The schedule fires at the first moment after the gap.`
    : `The clock shows ${named} twice on this day. The schedule fires at the first.`;
}
