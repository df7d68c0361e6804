import { fail } from "./evaluation-failure.ts";

/** A moment, in milliseconds since 1970-01-01T00:00:00Z. */
export class Timestamp {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/** A length of time in milliseconds; it may be negative. */
export class Duration {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

const dateTime = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2}))?$/;
const earliestMs = Date.UTC(100, 0, 1);
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Reads an RFC 3339 time, or a date alone, which is its first moment in UTC. Parts of a millisecond are cut off. */
export function timestampFromText(text: string): Timestamp {
  const parts = text.length > 40 ? null : dateTime.exec(text);
  if (parts === null) return notATime();
  const [, year, month, day, hours = "0", minutes = "0", seconds = "0", fraction = "", zone = "Z"] = parts;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC reads years below 100 as 19xx, and rolls the 31st of a short month over: neither comes back the same.
  if (date.toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return notATime();
  const offset = zoneMinutes(zone);
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59 || offset === undefined) return notATime();
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const clock = ((Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1000 + ms;
  return timestampAt(date.getTime() + clock);
}

export function timestampAt(ms: number): Timestamp {
  return ms < earliestMs || ms > latestMs ? notATime() : new Timestamp(ms);
}

export function timestampToText(value: Timestamp): string {
  return new Date(value.ms).toISOString().replace(".000Z", "Z");
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const longestMs = 10_000 * 366 * 24 * 3_600_000;

/** Reads CEL's durations, `36h`, `1h30m`, `1.5s`, `-250ms`, to the millisecond. */
export function durationFromText(text: string): Duration {
  const parts = text.length > 40 ? null : /^(-?)((?:\d+(?:\.\d+)?(?:h|ms|m|s))+)$/.exec(text);
  if (parts === null) return fail('duration() takes hours, minutes and seconds, such as "36h" or "1h30m"');
  let ms = 0;
  for (const [, amount, unit = ""] of (parts[2] ?? "").matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    ms += Number(amount) * (unitMs[unit] ?? 0);
  }
  return durationOf(parts[1] === "-" ? -Math.round(ms) : Math.round(ms));
}

export function durationOf(ms: number): Duration {
  return Math.abs(ms) > longestMs ? fail("makes a duration of more than 10,000 years") : new Duration(ms);
}

/** Seconds with their fraction, as CEL writes durations: `5400s`, `0.25s`. */
export function durationToText(value: Duration): string {
  return `${value.ms / 1000}s`;
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function notATime(): never {
  return fail(
    'timestamp() takes a time such as "2026-01-31T09:00:00Z" or a date such as "2026-01-31", of the years 100 to 9999',
  );
}
