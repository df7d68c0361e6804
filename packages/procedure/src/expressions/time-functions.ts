import { fail } from "./evaluation-failure.ts";
import { spend } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { overload } from "./overload.ts";
import type { FunctionDeclaration, Literal } from "./overload.ts";
import { timestampFromSeconds, timestampFromText } from "./read-time.ts";
import { duration, int, string, timestamp } from "./static-type.ts";
import { durationFromText } from "./time.ts";
import type { Timestamp } from "./time.ts";
import { timeZoneOf, utc, zoneProblem } from "./time-zone.ts";
import type { TimeZone } from "./time-zone.ts";

/** Reading a date takes as long as this many other steps. */
const timestampSteps = 5;
/** The same for a time zone lookup. Reading a local time needs four, and an unknown zone name takes longer. */
const zoneSteps = 50;
const localTimeSteps = 4 * zoneSteps;
const unknownZoneSteps = 600;

/**
 * Functions of times. The parts of a time and their numbering are those of CEL: `getMonth` counts from 0 for January,
 * `getDayOfWeek` from 0 for Sunday, `getDate` from 1. Each accepts a time zone; the default is UTC.
 */
export const timeFunctions: Readonly<Record<string, FunctionDeclaration>> = {
  /** From a text, from seconds since 1970, or from a local time and its time zone. */
  timestamp: {
    style: "function",
    checkLiterals(literals) {
      const [time, name] = literals;
      if (typeof time === "number") timestampFromSeconds(time);
      const zone = knownZone(name);
      // If the time zone is known only at run time, a literal time may lack its offset.
      if (typeof time === "string") timestampFromText(time, zone ?? (literals.length > 1 ? utc : undefined));
    },
    overloads: [
      overload(["string"], timestamp, (frame, text) => {
        spend(frame, timestampSteps);
        return timestampFromText(text);
      }),
      overload(["string", "string"], timestamp, (frame, text, name) => {
        spend(frame, timestampSteps + localTimeSteps);
        return timestampFromText(text, zoneOf(frame, name));
      }),
      overload(["number"], timestamp, (_frame, seconds) => timestampFromSeconds(seconds)),
      overload(["timestamp"], timestamp, (_frame, value) => value),
    ],
  },
  duration: {
    style: "function",
    checkLiterals([text]) {
      if (typeof text === "string") durationFromText(text);
    },
    overloads: [
      overload(["string"], duration, (_frame, text) => durationFromText(text)),
      overload(["duration"], duration, (_frame, value) => value),
    ],
  },
  getFullYear: partOfTime((local) => local.getUTCFullYear()),
  getMonth: partOfTime((local) => local.getUTCMonth()),
  getDate: partOfTime((local) => local.getUTCDate()),
  getDayOfMonth: partOfTime((local) => local.getUTCDate() - 1),
  getDayOfWeek: partOfTime((local) => local.getUTCDay()),
  getDayOfYear: partOfTime((local) => (local.getTime() - new Date(local).setUTCMonth(0, 1)) / 86_400_000),
  getHours: partOfTime(
    (local) => local.getUTCHours(),
    (ms) => ms / 3_600_000,
  ),
  getMinutes: partOfTime(
    (local) => local.getUTCMinutes(),
    (ms) => ms / 60_000,
  ),
  getSeconds: partOfTime(
    (local) => local.getUTCSeconds(),
    (ms) => ms / 1000,
  ),
  getMilliseconds: partOfTime(
    (local) => local.getUTCMilliseconds(),
    (ms) => ms % 1000,
  ),
  /** The date as `2026-01-31`: the format of dates for services, and the common prefix of all times of one day. */
  isoDate: {
    style: "method",
    checkLiterals: ([, name]) => void knownZone(name),
    overloads: [
      overload(["timestamp"], string, (_frame, value) => isoDate(localTime(value, utc))),
      overload(["timestamp", "string"], string, (frame, value, name) => isoDate(timeIn(frame, value, name))),
    ],
  },
};

/** The zone that a document names; `undefined` if it is known only at run time. */
function knownZone(name: Literal | undefined): TimeZone | undefined {
  return typeof name === "string" ? (timeZoneOf(name) ?? fail(zoneProblem)) : undefined;
}

function zoneOf(frame: Frame, name: string): TimeZone {
  const zone = timeZoneOf(name);
  if (zone !== undefined) return zone;
  spend(frame, unknownZoneSteps);
  return fail(zoneProblem);
}

/** A part of a time and, if it exists, of a duration: all of its whole hours, minutes or seconds, as in CEL. */
function partOfTime(ofTime: (local: Date) => number, ofDuration?: (ms: number) => number): FunctionDeclaration {
  const times = [
    overload(["timestamp"], int, (_frame, value) => ofTime(localTime(value, utc))),
    overload(["timestamp", "string"], int, (frame, value, name) => ofTime(timeIn(frame, value, name))),
  ];
  const durations =
    ofDuration === undefined ? [] : [overload(["duration"], int, (_frame, { ms }) => Math.trunc(ofDuration(ms)))];
  return { style: "method", checkLiterals: ([, name]) => void knownZone(name), overloads: [...times, ...durations] };
}

function timeIn(frame: Frame, value: Timestamp, name: string): Date {
  spend(frame, zoneSteps);
  return localTime(value, zoneOf(frame, name));
}

/** A date whose UTC parts are the local time in the zone. */
function localTime({ ms }: Timestamp, zone: TimeZone): Date {
  return new Date(ms + zone.offsetAt(ms));
}

function isoDate(local: Date): string {
  return `${String(local.getUTCFullYear()).padStart(4, "0")}-${pair(local.getUTCMonth() + 1)}-${pair(local.getUTCDate())}`;
}

function pair(part: number): string {
  return String(part).padStart(2, "0");
}
