import { fail } from "./evaluation-failure.ts";

/** The clocks of a place, or a fixed offset. */
export interface TimeZone {
  /** Milliseconds by which the local time is ahead of UTC at a moment. */
  offsetAt(ms: number): number;
}

export const utc: TimeZone = { offsetAt: () => 0 };

export const zoneProblem =
  'takes a time zone by its name in the IANA database, such as "Europe/Berlin", or an offset, such as "+01:00"';

/** Names of the IANA database begin with a letter; the longest has some 30 characters. */
const nameLike = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** By lower-case name. Creating one takes 100 microseconds; there are some 600, which take 15 MB together. */
const zones = new Map<string, TimeZone>();

/**
 * Reads a name of the IANA database, such as `Europe/Berlin`, or an offset, such as `+01:00`; otherwise `undefined`.
 */
export function timeZoneOf(name: string): TimeZone | undefined {
  const offset = offsetFromText(name);
  if (offset !== undefined) return { offsetAt: () => offset };
  if (!nameLike.test(name)) return undefined;
  const key = name.toLowerCase();
  const zone = zones.get(key) ?? zoneOfName(name);
  if (zone !== undefined) zones.set(key, zone);
  return zone;
}

/** The milliseconds of an offset as in times: `Z`, `UTC`, `GMT`, `+01:00`, `+0100`, `+01`; otherwise `undefined`. */
export function offsetFromText(text: string): number | undefined {
  if (/^(?:z|utc|gmt)$/i.test(text)) return 0;
  const parts = /^([+\u2212-])(\d{2})(?::?(\d{2}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, hours, minutes = "0"] = parts;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function zoneOfName(timeZone: string): TimeZone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return undefined;
  }
  return { offsetAt: (ms) => shownBy(format, ms) - Math.floor(ms / 1000) * 1000 };
}

/** The local time at a moment, as the milliseconds at which UTC clocks show the same. */
function shownBy(format: Intl.DateTimeFormat, ms: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  // Date.UTC reads years below 100 as 19xx. The calendar repeats every 400 years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) - 146_097 * dayMs;
}

const dayMs = 24 * 3_600_000;

/**
 * The moment at which the clocks of a zone show a local time, given as the milliseconds at which UTC clocks show it. A
 * local time that clocks skip, and one that they show twice, are refused.
 */
export function momentOfLocal(localMs: number, zone: TimeZone): number {
  const [moment, another] = momentsOfLocal(localMs, zone);
  if (moment === undefined) {
    return fail("takes a local time, but this one does not exist in its time zone, as clocks are set forward over it");
  }
  if (another === undefined) return moment;
  return fail("takes a local time, but this one occurs twice in its time zone, as clocks are set back: add its offset");
}

/** The first moment of a local day: midnight or, if clocks skip midnight, the moment at which they are set forward. */
export function startOfLocalDay(localMs: number, zone: TimeZone): number {
  return momentsOfLocal(localMs, zone)[0] ?? localMs - zone.offsetAt(localMs - dayMs);
}

/**
 * The moments at which the clocks of a zone show a local time, earliest first: one, two if clocks repeat it, none if
 * they skip it. The local time is given as the milliseconds at which UTC clocks show it.
 */
export function momentsOfLocal(localMs: number, zone: TimeZone): readonly number[] {
  // Two offsets can apply: those of a day before and of a day after. No zone changes its clocks twice in that time.
  const offsets = new Set([zone.offsetAt(localMs - dayMs), zone.offsetAt(localMs + dayMs)]);
  return [...offsets]
    .map((offset) => localMs - offset)
    .filter((ms) => ms + zone.offsetAt(ms) === localMs)
    .sort((a, b) => a - b);
}
