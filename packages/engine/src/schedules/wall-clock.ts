import { momentsOfLocal, timeZoneOf, type TimeZone } from "@procedo/procedure";

/**
 * The clock of a time zone. A reading of it is given as the milliseconds at which UTC clocks show the same.
 */
export interface WallClock {
  /** Its name in the IANA database. */
  readonly timeZone: string;
  /** The milliseconds by which its readings are ahead of UTC. */
  offsetAt(ms: number): number;
  /** The first moment at which it shows a reading or a later one: a reading that it skips counts as the end of the gap. */
  momentOf(reading: number): number;
  /** The first reading whose moment is not before `ms`. */
  firstReading(ms: number): number;
  /** The first change of its offset after one moment and not after another, if there is one. */
  nextChange(afterMs: number, untilMs: number): number | undefined;
  /** The last change of its offset after one moment and not after another, if there is one. */
  lastChange(afterMs: number, untilMs: number): number | undefined;
}

/** The clock of a zone with this IANA name; `undefined` for another name, and for an offset such as `+01:00`. */
export function wallClockOf(timeZone: string): WallClock | undefined {
  const zone = /^[A-Za-z]{2}/.test(timeZone) ? timeZoneOf(timeZone) : undefined;
  if (zone === undefined) return undefined;

  const momentOf = (reading: number): number => {
    const [first] = momentsOfLocal(reading, zone);
    return (
      first ?? changeBetween(zone, reading - zone.offsetAt(reading + dayMs), reading - zone.offsetAt(reading - dayMs))
    );
  };

  return {
    timeZone,
    offsetAt: (ms) => zone.offsetAt(ms),
    momentOf,
    firstReading: (ms) => {
      const first = momentOf(ms + zone.offsetAt(ms));
      // All readings in a gap are the moment of its end. The offset before the gap names the first of them.
      if (first === ms) return ms + zone.offsetAt(ms - 1);
      // The clock repeats this reading. All readings before the end of the repeated ones have earlier moments.
      const change = changeBetween(zone, first, ms);
      return change + zone.offsetAt(change - 1);
    },
    nextChange: (afterMs, untilMs) => {
      for (let ms = afterMs; ms < untilMs; ms += dayMs) {
        const later = Math.min(ms + dayMs, untilMs);
        if (zone.offsetAt(ms) !== zone.offsetAt(later)) return changeBetween(zone, ms, later);
      }
      return undefined;
    },
    lastChange: (afterMs, untilMs) => {
      for (let ms = untilMs; ms > afterMs; ms -= dayMs) {
        const earlier = Math.max(ms - dayMs, afterMs);
        if (zone.offsetAt(earlier) !== zone.offsetAt(ms)) return changeBetween(zone, earlier, ms);
      }
      return undefined;
    },
  };
}

const dayMs = 86_400_000;

/** The change of an offset after one moment and not after another. Changes are at whole seconds. */
function changeBetween(zone: TimeZone, afterMs: number, untilMs: number): number {
  const offset = zone.offsetAt(untilMs);
  let before = Math.floor(afterMs / 1000);
  let since = Math.ceil(untilMs / 1000);
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (zone.offsetAt(middle * 1000) === offset) since = middle;
    else before = middle;
  }
  return since * 1000;
}
