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

const earliestMs = Date.UTC(100, 0, 1);
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export function timestampAt(ms: number): Timestamp {
  return ms < earliestMs || ms > latestMs ? fail("makes a time before the year 100 or after 9999") : new Timestamp(ms);
}

export function timestampToText(value: Timestamp): string {
  return new Date(value.ms).toISOString().replace(".000Z", "Z");
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const longestMs = 10_000 * 366 * 24 * 3_600_000;

/** Reads CEL's durations, `36h`, `1h30m`, `1.5s`, `-250ms`, to the millisecond. */
export function durationFromText(text: string): Duration {
  const parts = text.length > 40 ? null : /^(-?)((?:\d+(?:\.\d+)?(?:h|ms|m|s))+)$/.exec(text);
  if (parts === null) return fail('takes hours, minutes and seconds, such as "36h" or "1h30m"; a day is 24h');
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
