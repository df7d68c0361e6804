import type { Cron, Times } from "./cron.ts";
import type { WallClock } from "./wall-clock.ts";

/** The times of an expression in a zone. */
export interface ZonedTimes extends Times {
  /** The change of the clock that moved this time, or that gives it two moments. */
  changeAt(ms: number): ClockChange | undefined;
}

/** A change of the clock at a named time. */
export interface ClockChange {
  /** `skipped`: the clock is set forward over the time. `repeated`: it is set back and shows the time twice. */
  readonly kind: "skipped" | "repeated";
  /** The named time, as the milliseconds at which UTC clocks show it. */
  readonly reading: number;
}

/**
 * The times of an expression in a zone.
 *
 * An hour field that begins with `*` counts elapsed time: the expression fires whenever the clock shows a matching time.
 * Any other hour field names times of the day. Each fires once: one that the clock skips fires at the first moment after
 * the gap, and one that the clock repeats at its first occurrence.
 */
export function zonedTimes(cron: Cron, clock: WallClock): ZonedTimes {
  return cron.countsElapsedTime ? elapsedTimes(cron.times, clock) : namedTimes(cron.times, clock);
}

/** While the offset stays, readings follow each other as moments do. */
function elapsedTimes(readings: Times, clock: WallClock): ZonedTimes {
  return {
    after: (ms) => {
      for (let from = ms + 1; ;) {
        const offset = clock.offsetAt(from);
        const reading = readings.after(from + offset - 1);
        if (reading === undefined) return undefined;
        const change = clock.nextChange(from, reading - offset);
        if (change === undefined) return reading - offset;
        from = change;
      }
    },
    before: (ms) => {
      for (let until = ms; ;) {
        const offset = clock.offsetAt(until - 1);
        const reading = readings.before(until + offset);
        if (reading === undefined) return undefined;
        const change = clock.lastChange(reading - offset, until - 1);
        if (change === undefined) return reading - offset;
        until = change;
      }
    },
    changeAt: () => undefined,
  };
}

function namedTimes(readings: Times, clock: WallClock): ZonedTimes {
  const momentOf = (reading: number | undefined): number | undefined =>
    reading === undefined ? undefined : clock.momentOf(reading);
  return {
    after: (ms) => momentOf(readings.after(clock.firstReading(ms + 1) - 1)),
    before: (ms) => momentOf(readings.before(clock.firstReading(ms))),
    changeAt: (ms) => {
      const reading = readings.after(clock.firstReading(ms) - 1);
      if (reading === undefined) return undefined;
      if (reading !== ms + clock.offsetAt(ms)) return { kind: "skipped", reading };
      const end = clock.nextChange(ms, ms + repeatedWithinMs);
      const isRepeated = end !== undefined && reading >= end + clock.offsetAt(end);
      return isRepeated ? { kind: "repeated", reading } : undefined;
    },
  };
}

/** A clock is set back by a day at most. */
const repeatedWithinMs = 86_400_000;
