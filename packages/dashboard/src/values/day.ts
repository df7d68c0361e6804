/* Days of the reader's zone as moments. A day is written as in a date field: "2026-11-26". */
import type { TimeZone } from "./time.ts";

const dayMs = 86_400_000;

/** The first moment of a day in a zone, or of one some days later; `undefined` for a text that is not a day. */
export function startOfDay(day: string, timeZone: TimeZone, daysLater = 0): string | undefined {
  const parsedMs = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(parsedMs)) return undefined;
  const wantedMs = parsedMs + daysLater * dayMs;
  // The offset at the guess may be the one before a change of the clocks; the second guess has the right one.
  const guessMs = wantedMs - offsetMs(wantedMs, timeZone);
  return new Date(wantedMs - offsetMs(guessMs, timeZone)).toISOString();
}

/** By how much the clocks of a zone are ahead of UTC. */
function offsetMs(atMs: number, timeZone: TimeZone): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  }).formatToParts(new Date(atMs));
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const shownMs = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return shownMs - Math.floor(atMs / 1_000) * 1_000;
}
