import { describe, expect, test } from "vitest";
import { scheduleProblems } from "./check-schedule.ts";
import { scheduleSource } from "./schedule.fixture.ts";

const now = Date.parse("2026-11-26T12:00:00Z");
const problems = (...source: Parameters<typeof scheduleSource>) => scheduleProblems(scheduleSource(...source), now);

describe("case 40: an expression is refused with its reason", () => {
  test.each([
    ["0 0 30 2 *", /^never fires: it has no time within ten years$/],
    ["0 0 31 4,6,9,11 *", /^never fires/],
    ["* * * * * *", /^has 6 fields, but a schedule fires at most once a minute/],
    ["0 0 0 1 1 * 2027", /^has 7 fields/],
    ["@daily", /^is a nickname: write minute, hour/],
    ["2026-05-01T00:00:00", /^is a date, and a schedule repeats/],
    ["", /^is empty/],
    [" \t", /^is empty/],
    ["0 0 * *", /^has 4 fields/],
    ["hourly", /^has 1 field:/],
    ["60 * * * *", /Invalid value for minute: 60$/],
    ["* 24 * * *", /Invalid value for hour: 24$/],
    ["0 0 0 * *", /^is not a cron expression/],
    ["0 0 * 13 *", /^is not a cron expression/],
    ["0 0 * * 8", /^is not a cron expression/],
    ["0 22-2 * * *", /From value is larger than to value/],
    ["*/0 * * * *", /illegal stepping: 0/],
    ["5/15 * * * *", /Use wildcard \(\*\/step\)/],
    ["? * * * *", /^has the character "\?"/],
    ["0 0 * * +1", /^has the character "\+"/],
    ["0 0 H * *", /^is not a cron expression/],
    ["０ 0 * * *", /^has the character "０"/],
    ["0 0 * * \u{1F4B6}", /^has the character "\u{1F4B6}"/u],
  ])("%j", (cron, message) => {
    expect(problems(cron)).toEqual([{ path: "/cron", message: expect.stringMatching(message) }]);
  });
});

describe("case 40: a time zone is refused with its reason", () => {
  test.each([
    ["+05:30", /^is an offset/],
    ["-08", /^is an offset/],
    ["Z", /^is an offset/],
    ["Nowhere/Zone", /^is not a known time zone/],
    ["", /^is not a known time zone/],
    ["Europe/Berlin ", /^is not a known time zone/],
    ["__proto__", /^is not a known time zone/],
  ])("%j", (timeZone, message) => {
    expect(problems("0 6 * * *", timeZone)).toEqual([{ path: "/timeZone", message: expect.stringMatching(message) }]);
  });
});

test.each(["UTC", "Etc/GMT+5", "europe/berlin", "America/Argentina/Buenos_Aires"])(
  "the zone %s is accepted",
  (timeZone) => {
    expect(problems("0 6 * * *", timeZone)).toEqual([]);
  },
);

test("a leap day is accepted, also across the year 2100", () => {
  expect(problems("0 0 29 2 *")).toEqual([]);
  expect(problems("0 0 29 2 *", "UTC", { startsAt: "2096-03-01T00:00:00Z" })).toEqual([]);
});

test("all faults are reported together", () => {
  const faults = problems("60 * * * *", "Nowhere/Zone", { spread: "P1M", catchUpWithin: "PT0S" });
  expect(faults.map(({ path }) => path)).toEqual(["/cron", "/timeZone", "/spread", "/catchUpWithin"]);
});

test("a spread is at most the shortest interval", () => {
  expect(problems("*/15 * * * *", "UTC", { spread: "PT15M" })).toEqual([]);
  expect(problems("0,10 * * * *", "UTC", { spread: "PT15M" })).toEqual([
    { path: "/spread", message: "is longer than the shortest interval of the schedule, which is 10 minutes" },
  ]);
});

test("times are caught up for at most 366 days", () => {
  expect(problems("0 6 * * *", "UTC", { catchUpWithin: "P366D" })).toEqual([]);
  expect(problems("0 6 * * *", "UTC", { catchUpWithin: "P367D" })).toEqual([
    { path: "/catchUpWithin", message: "is longer than 366 days" },
  ]);
});

test("an end before the first time is refused", () => {
  const bounds = { startsAt: "2027-01-01T07:00:00Z", endsAt: "2027-01-02T06:00:00Z" };
  expect(problems("0 6 * * *", "UTC", bounds)).toEqual([
    { path: "/endsAt", message: "is too early: the first time of the schedule is 2027-01-02T06:00:00.000Z" },
  ]);
  expect(problems("0 6 * * *", "UTC", { ...bounds, endsAt: "2027-01-02T06:00:01Z" })).toEqual([]);
});
