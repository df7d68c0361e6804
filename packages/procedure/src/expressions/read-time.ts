import { fail } from "./evaluation-failure.ts";
import { timestampAt } from "./time.ts";
import type { Timestamp } from "./time.ts";
import { momentOfLocal, offsetFromText, startOfLocalDay, timeZoneOf, utc } from "./time-zone.ts";
import type { TimeZone } from "./time-zone.ts";

/** A date, and what follows it: ISO 8601 with separators or without, and those of other places that put the year first. */
const dateFirst = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[Tt ](.+))?$/s;
/** Date and time in one, as payment services write it. Milliseconds since 1970 have thirteen digits until the year 2286. */
const digitsOnly = /^(\d{4})(\d{2})(\d{2})(\d{6}(?:[.,+\u2212Zz-].*)?)$/s;
/** A date with an offset (XML Schema): the first moment of the day there. */
const dateWithOffset = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})$/i;
/** As mail and HTTP write it (RFC 5322, RFC 9110): the month has its English name. */
const dateInWords = /^(?:([A-Za-z]{3}), )?(\d{1,2})[ -]([A-Za-z]{3})[ -](\d{4})(?: (.+))?$/s;
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** As services on .NET write it: milliseconds since 1970 in UTC, with an offset that says how to show it. */
const ticks = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;
const clockFirst = /^(\d{2})(:?)(\d{2})(?:\2(\d{2})(?:[.,](\d{1,12}))?)?(.*)$/s;
/** A zone's name behind an offset, in brackets (RFC 9557), in parentheses (RFC 5322) or after digits and a space, adds nothing to it. */
const zoneTags = /(?:(?:\[[^[\]]{1,64}\])+| \([^()]{1,64}\)|(?<=\d) [A-Z]{3,5})$/;

/** Longer texts are none of the forms. */
const maxLength = 120;

const advice = 'such as "2026-01-31T09:00:00Z", or a date, such as "2026-01-31"';

/**
 * Reads a time as services write it wherever it can mean one moment only: RFC 3339, ISO 8601 without separators or seconds, with
 * a comma, a space before the time or the offset, `+0000`, `+00` or `UTC`, date and time as fourteen digits, and the forms of mail, HTTP and .NET. A date alone
 * is its first moment. One form that names two different moments, such as by the wrong day of the week, is refused.
 * Parts of a millisecond are cut off, and a leap second is the second after it.
 *
 * @param zone of times without an offset and of dates. @defaultValue times need an offset, dates are those of UTC
 */
export function timestampFromText(text: string, zone?: TimeZone): Timestamp {
  if (text.length > maxLength) return fail(notADate(text));
  const ms = ticks.exec(text)?.[1];
  if (ms !== undefined) return timestampAt(Number(ms));
  const [, localDay, itsOffset = ""] = dateWithOffset.exec(text) ?? [];
  const itsZone = timeZoneOf(itsOffset);
  if (localDay !== undefined && itsZone !== undefined) return timestampFromText(localDay, itsZone);
  const parts = dateParts(text);
  if (parts === undefined) return fail(notADate(text));
  const { year, month, day, rest } = parts;
  const date = dateMs(year, month, day);
  if (rest === undefined) return timestampAt(startOfLocalDay(date, zone ?? utc));
  const clock = clockFirst.exec(rest);
  if (clock === null) return fail(`takes a time ${advice}: what follows the date is none of hours and minutes`);
  const [, hours = "", , minutes = "", seconds = "0", fraction = "", offset = ""] = clock;
  const isLeap = seconds === "60";
  const clockMs = millisecondsOf(hours, minutes, isLeap ? "59" : seconds);
  const local = date + clockMs + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const moment = momentOf(local, offset.trim(), zone);
  return timestampAt(isLeap ? leapSecond(moment) : moment);
}

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  /** Behind the date. */
  readonly rest: string | undefined;
}

function dateParts(text: string): DateParts | undefined {
  const numbers = dateFirst.exec(text);
  if (numbers !== null) {
    const [, year = "", , month = "", day = "", rest] = numbers;
    return { year, month, day, rest };
  }
  const inOne = digitsOnly.exec(text);
  if (inOne !== null) {
    const [, year = "", month = "", day = "", rest] = inOne;
    return { year, month, day, rest };
  }
  const [, weekday, day = "", name = "", year = "", rest] = dateInWords.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return undefined;
  const date = dateMs(year, String(month), day);
  if (weekday !== undefined && weekdays[new Date(date).getUTCDay()] !== weekday.toLowerCase()) {
    return fail(`takes a time ${advice}: the date is on another day of the week than the text says`);
  }
  return { year, month: String(month), day, rest };
}

/** Seconds since 1970, as many services count time, to the millisecond. */
export function timestampFromSeconds(seconds: number): Timestamp {
  if (Math.abs(seconds) > latestSeconds) {
    return fail("takes seconds since 1970, and this number is beyond the year 9999: milliseconds are divided by 1000");
  }
  return timestampAt(Math.round(seconds * 1000));
}

const latestSeconds = 253_402_300_799;

function dateMs(year: string, month: string, day: string): number {
  if (Number(month) < 1 || Number(month) > 12) return fail(`takes a time ${advice}: there is no month ${month}`);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC reads years below 100 as 19xx, and rolls the 31st of a short month over: neither comes back the same.
  if (date.getUTCFullYear() !== Number(year) && Number(year) < 100)
    return fail("takes a time of the years 100 to 9999");
  if (date.getUTCDate() !== Number(day))
    return fail(`takes a time ${advice}: month ${month} of ${year} has no day ${day}`);
  return date.getTime();
}

function millisecondsOf(hours: string, minutes: string, seconds: string): number {
  if (Number(hours) > 23) {
    const midnight = hours === "24" ? ", midnight is 00:00 of the day after" : "";
    return fail(`takes a time ${advice}: there is no hour ${hours}${midnight}`);
  }
  if (Number(minutes) > 59) return fail(`takes a time ${advice}: there is no minute ${minutes}`);
  if (Number(seconds) > 59) return fail(`takes a time ${advice}: there is no second ${seconds}`);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

function momentOf(local: number, offset: string, zone: TimeZone | undefined): number {
  if (offset === "") {
    if (zone !== undefined) return momentOfLocal(local, zone);
    return fail(
      'takes a time with Z or an offset, such as "+01:00", and this one has none: timestamp(text, zone) reads it',
    );
  }
  const offsetMs = offsetFromText(offset.replace(zoneTags, ""));
  if (offsetMs !== undefined) return local - offsetMs;
  return fail(`takes a time ${advice}: what follows the time is neither Z nor an offset, such as "+01:00"`);
}

/** Leap seconds are put in at the end of a day of UTC, and nowhere else (RFC 3339, 5.6). */
function leapSecond(moment: number): number {
  const second = Math.floor(moment / 1000) * 1000 + 1000;
  return second % 86_400_000 === 0 ? second : fail(`takes a time ${advice}: there is no second 60 here`);
}

/** Why a text begins with no date, by the usual suspects. It says nothing of the text itself. */
function notADate(text: string): string {
  if (text !== text.trim()) return `takes a time ${advice}, without spaces around it: use trim()`;
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/.test(text)) {
    return `takes a time ${advice}: whether the day or the month comes first cannot be told here`;
  }
  if (/^-?\d{9,11}(?:\.\d+)?$/.test(text))
    return `takes a time ${advice}; seconds since 1970 are a number: double(text)`;
  if (/^\d{12}$/.test(text)) {
    return `takes a time ${advice}: whether this is milliseconds since 1970 or a date and a time cannot be told here`;
  }
  if (/^-?\d{12,13}$/.test(text)) {
    return `takes a time ${advice}; milliseconds since 1970 are a number: timestamp(double(text) / 1000)`;
  }
  if (/^\d{4}(?:-\d{2})?$/.test(text)) return `takes a time ${advice}: this one has no day`;
  if (/^\d{4}-(?:\d-\d{1,2}|\d{2}-\d)(?!\d)/.test(text))
    return `takes a time ${advice}: months and days have two digits`;
  if (/^[A-Za-z]{3}/.test(text)) {
    return `takes a time ${advice}: a month's name stands between the day and the year, such as "31 Jan 2026"`;
  }
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return `takes a time ${advice}: a T or a space stands between date and time`;
  return `takes a time ${advice}${/^[+-]?\d{5,6}-/.test(text) ? ", of the years 100 to 9999" : ""}`;
}
