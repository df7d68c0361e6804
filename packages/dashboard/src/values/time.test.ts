import { describe, expect, test } from "vitest";
import { formatAge, formatDuration, formatMoment, formatUntil, nextDay, readDay, startOfDay } from "./time.ts";

describe("a moment", () => {
  test.each([
    ["UTC", "20 Nov 2026, 13:44:42 UTC"],
    ["Europe/Berlin", "20 Nov 2026, 14:44:42 CET"],
    ["Asia/Kolkata", "20 Nov 2026, 19:14:42 GMT+5:30"],
  ])("in %s names its zone", (zone, text) => {
    expect(formatMoment("2026-11-20T13:44:42.123Z", zone)).toBe(text);
  });

  test("around the change from summer time the same hour has two names", () => {
    const zone = "Europe/Berlin";
    expect(formatMoment("2026-10-25T00:30:00Z", zone)).toBe("25 Oct 2026, 02:30:00 CEST");
    expect(formatMoment("2026-10-25T01:30:00Z", zone)).toBe("25 Oct 2026, 02:30:00 CET");
  });
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_449, "1.4 s"],
  [9_999, "9.9 s"],
  [59_999, "59 s"],
  [200_000, "3 min 20 s"],
  [3_600_000, "1 h"],
  [187_200_000, "2 d 4 h"],
])("%d ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("ages and remaining times", () => {
  const nowMs = Date.parse("2026-11-20T12:00:00Z");
  expect(formatAge("2026-11-20T11:59:58Z", nowMs)).toBe("just now");
  expect(formatAge("2026-11-20T11:55:00Z", nowMs)).toBe("5 min ago");
  expect(formatAge("2026-11-17T11:00:00Z", nowMs)).toBe("3 d ago");
  expect(formatUntil("2026-11-20T14:30:00Z", nowMs)).toBe("in 2 h 30 min");
  expect(formatUntil("2026-11-20T11:30:00Z", nowMs)).toBe("now");
});

describe("a day begins", () => {
  test.each([
    ["UTC", "2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["Europe/Berlin", "2026-11-20", "2026-11-19T23:00:00.000Z"],
    ["Asia/Kathmandu", "2026-11-26", "2026-11-25T18:15:00.000Z"],
    ["Asia/Kolkata", "2026-11-20", "2026-11-19T18:30:00.000Z"],
    ["America/New_York", "2026-07-04", "2026-07-04T04:00:00.000Z"],
    // The clocks change later on these days.
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z"],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
    ["Pacific/Auckland", "2026-09-27", "2026-09-26T12:00:00.000Z"],
    // These days begin at 01:00, because the clocks are put forward at midnight.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
  ])("in %s on %s", (zone, day, moment) => {
    expect(startOfDay(day, zone)).toBe(moment);
  });
});

test.each(["2026-11-20", " 2026-11-20 ", "2026-11-20T23:59:59Z"])("%j is a day", (text) => {
  expect(readDay(text)).toBe("2026-11-20");
});

test.each(["", "26.11.2026", "2026-13-01", "2026-02-31", "2027-02-29", "9999-12-31", 20_261_120, undefined])(
  "%j is not a day",
  (value) => {
    expect(readDay(value)).toBeUndefined();
  },
);

test("the next day", () => {
  expect(nextDay("2026-12-31")).toBe("2027-01-01");
  expect(nextDay("2028-02-28")).toBe("2028-02-29");
});
