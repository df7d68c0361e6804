import { fail } from "./evaluation-failure.ts";
import { timestampAt } from "./time.ts";
import type { Timestamp } from "./time.ts";
import { momentOfLocal, offsetFromText, startOfLocalDay, timeZoneOf, utc } from "./time-zone.ts";
import type { TimeZone } from "./time-zone.ts";

/** A date and the text after it: ISO 8601 with or without separators, and other notations that begin with the year. */
const dateFirst = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[Tt ](.+))?$/s;
/**
 * Date and time without separators, as in payment services. Milliseconds since 1970 have thirteen digits until the year
 * 2286.
 */
const digitsOnly = /^(\d{4})(\d{2})(\d{2})(\d{6}(?:[.,+\u2212Zz-].*)?)$/s;
/** A date with an offset (XML Schema): the first moment of the day at that offset. */
const dateWithOffset = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})$/i;
/** The format of mail and HTTP (RFC 5322, RFC 9110), with the English name of the month. */
const dateInWords = /^(?:([A-Za-z]{3}), )?(\d{1,2})[ -]([A-Za-z]{3})[ -](\d{4})(?: (.+))?$/s;
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The format of .NET services: milliseconds since 1970 in UTC, with an offset for display only. */
const ticks = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;
const clockFirst = /^(\d{2})(:?)(\d{2})(?:\2(\d{2})(?:[.,](\d{1,12}))?)?(.*)$/s;
/**
 * A zone name after an offset, in brackets (RFC 9557), in parentheses (RFC 5322) or after digits and a space. It adds
 * nothing to the offset.
 */
const zoneTags = /(?:(?:\[[^[\]]{1,64}\])+| \([^()]{1,64}\)|(?<=\d) [A-Z]{3,5})$/;

/** No accepted format is longer. */
const maxLength = 120;

const advice = 'such as "2026-01-31T09:00:00Z", or a date, such as "2026-01-31"';

/**
 * Reads a time in the formats of common services if it can mean only one moment: RFC 3339, ISO 8601 without separators
 * or seconds, with a comma, with a space before the time or the offset, with `+0000`, `+00` or `UTC`, fourteen digits,
 * and the formats of mail, HTTP and .NET. A date alone is its first moment. A text that contradicts itself, for example
 * by a wrong day of the week, is refused. Fractions of a millisecond are truncated, and a leap second is the second
 * after it.
 *
 * @param zone for times without an offset and for dates. @defaultValue times need an offset, dates are in UTC
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
  if (clock === null) return fail(`takes a time ${advice}: the text after the date is not hours and minutes`);
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
  /** The text after the date. */
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

/** Seconds since 1970, as many services represent time, with millisecond precision. */
export function timestampFromSeconds(seconds: number): Timestamp {
  if (Math.abs(seconds) > latestSeconds) {
    return fail("takes seconds since 1970, but this number is beyond the year 9999: divide milliseconds by 1000");
  }
  return timestampAt(Math.round(seconds * 1000));
}

const latestSeconds = 253_402_300_799;

function dateMs(year: string, month: string, day: string): number {
  if (Number(month) < 1 || Number(month) > 12) return fail(`takes a time ${advice}: there is no month ${month}`);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC reads years below 100 as 19xx, and turns the 31st of a short month into a day of the next month. Both are
  // detected because the parts differ afterwards.
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
  return fail(`takes a time ${advice}: the text after the time is neither Z nor an offset, such as "+01:00"`);
}

/** Leap seconds are inserted only at the end of a UTC day (RFC 3339, 5.6). */
function leapSecond(moment: number): number {
  const second = Math.floor(moment / 1000) * 1000 + 1000;
  return second % 86_400_000 === 0 ? second : fail(`takes a time ${advice}: there is no second 60 here`);
}

/** The likely reason why a text does not begin with a date. The message does not contain the text itself. */
function notADate(text: string): string {
  if (text !== text.trim()) return `takes a time ${advice}, without spaces around it: use trim()`;
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/.test(text)) {
    return `takes a time ${advice}: the order of day and month is ambiguous here`;
  }
  if (/^-?\d{9,11}(?:\.\d+)?$/.test(text))
    return `takes a time ${advice}; seconds since 1970 are a number: double(text)`;
  if (/^\d{12}$/.test(text)) {
    return `takes a time ${advice}: milliseconds since 1970 and a date with a time cannot be told apart here`;
  }
  if (/^-?\d{12,13}$/.test(text)) {
    return `takes a time ${advice}; milliseconds since 1970 are a number: timestamp(double(text) / 1000)`;
  }
  if (/^\d{4}(?:-\d{2})?$/.test(text)) return `takes a time ${advice}: the day is missing`;
  if (/^\d{4}-(?:\d-\d{1,2}|\d{2}-\d)(?!\d)/.test(text))
    return `takes a time ${advice}: months and days have two digits`;
  if (/^[A-Za-z]{3}/.test(text)) {
    return `takes a time ${advice}: a month's name stands between the day and the year, such as "31 Jan 2026"`;
  }
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return `takes a time ${advice}: a T or a space stands between date and time`;
  return `takes a time ${advice}${/^[+-]?\d{5,6}-/.test(text) ? ", of the years 100 to 9999" : ""}`;
}
