import { dayMs, type Cron } from "./cron.ts";
import type { WallClock } from "./wall-clock.ts";

/**
 * How many times of an expression in a zone are after one moment and not after another, by the rule of `zonedTimes`.
 * Costs a step for each day, not for each time.
 */
export function countTimes(cron: Cron, clock: WallClock, afterMs: number, untilMs: number): number {
  if (untilMs <= afterMs) return 0;
  const count = readingCounter(cron);
  return cron.countsElapsedTime
    ? elapsedTimes(count, clock, afterMs, untilMs)
    : namedTimes(count, clock, afterMs, untilMs);
}

/** The number of matching readings from one to before another. */
type CountReadings = (from: number, to: number) => number;

/** While the offset stays, each moment has its own reading. */
function elapsedTimes(count: CountReadings, clock: WallClock, afterMs: number, untilMs: number): number {
  let total = 0;
  let from = afterMs + 1;
  while (from <= untilMs) {
    const end = clock.nextChange(from, untilMs) ?? untilMs + 1;
    const offset = clock.offsetAt(from);
    total += count(from + offset, end + offset);
    from = end;
  }
  return total;
}

/** Each reading is one time, but those that a change skips are one with its end. */
function namedTimes(count: CountReadings, clock: WallClock, afterMs: number, untilMs: number): number {
  let total = count(clock.firstReading(afterMs + 1), clock.firstReading(untilMs + 1));
  for (
    let change = clock.nextChange(afterMs, untilMs);
    change !== undefined;
    change = clock.nextChange(change, untilMs)
  ) {
    const first = change + clock.offsetAt(change - 1);
    const last = change + clock.offsetAt(change);
    if (last > first) total -= Math.max(0, count(first, last + 1) - 1);
  }
  return total;
}

function readingCounter(cron: Cron): CountReadings {
  const minutes = cron.minutesOfDay().map((minute) => minute * 60_000);
  const inDay = (day: number, from: number, to: number): number =>
    from <= day && to >= day + dayMs
      ? minutes.length
      : minutes.filter((minute) => day + minute >= from && day + minute < to).length;
  const dayAfter = cron.isDaily ? (day: number): number => day + dayMs : (day: number) => cron.days.after(day);

  return (from, to) => {
    const start = Math.floor(from / dayMs) * dayMs;
    let total = 0;
    for (let day = dayAfter(start - dayMs); day !== undefined && day < to; day = dayAfter(day))
      total += inDay(day, from, to);
    return total;
  };
}
