import { describe, expect, test } from "vitest";
import { schedule, timesBackwards, timesBetween } from "./schedule.fixture.ts";

/** The local day 2026-10-25 of Berlin, whose clock is set back at 03:00. */
const setBack = ["2026-10-24T21:59:59Z", "2026-10-25T23:00:00Z"] as const;
/** The local day 2026-03-29 of Berlin, whose clock is set forward at 02:00. */
const setForward = ["2026-03-28T22:59:59Z", "2026-03-29T22:00:00Z"] as const;

describe("a time that an hour field names", () => {
  test("case 34: fires once when the clock repeats it", () => {
    const times = ["2026-10-25T00:30:00.000Z", "2026-10-25T13:30:00.000Z"];
    expect(timesBetween(schedule("30 2,14 * * *", "Europe/Berlin"), ...setBack)).toEqual(times);
    expect(timesBackwards(schedule("30 2,14 * * *", "Europe/Berlin"), ...setBack)).toEqual(times);
  });

  test("case 34: fires at the end of the gap when the clock skips it", () => {
    const times = ["2026-03-29T01:00:00.000Z", "2026-03-29T12:30:00.000Z"];
    expect(timesBetween(schedule("30 2,14 * * *", "Europe/Berlin"), ...setForward)).toEqual(times);
    expect(timesBackwards(schedule("30 2,14 * * *", "Europe/Berlin"), ...setForward)).toEqual(times);
  });

  test.each([
    ["0 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z", "2026-04-23T22:00:00.000Z"],
    ["5 2 * * 0", "Australia/Lord_Howe", "2026-10-01T00:00:00Z", "2026-10-03T15:30:00.000Z"],
  ])("case 35: %s in %s fires at the end of the gap", (cron, timeZone, after, time) => {
    expect(schedule(cron, timeZone).after(Date.parse(after))).toBe(Date.parse(time));
  });

  test("several times that the clock skips are one", () => {
    expect(timesBetween(schedule("0,15,30 2,3 * * *", "Europe/Berlin"), ...setForward)).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T01:15:00.000Z",
      "2026-03-29T01:30:00.000Z",
    ]);
  });

  test("every time of a range fires once when the clock repeats the range", () => {
    expect(timesBetween(schedule("*/20 2-3 * * *", "Europe/Berlin"), ...setBack)).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T00:20:00.000Z",
      "2026-10-25T00:40:00.000Z",
      "2026-10-25T02:00:00.000Z",
      "2026-10-25T02:20:00.000Z",
      "2026-10-25T02:40:00.000Z",
    ]);
  });

  test("a day that a zone skips fires at its end", () => {
    expect(timesBetween(schedule("0 9 * * *", "Pacific/Apia"), "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z")).toEqual(
      ["2011-12-29T19:00:00.000Z", "2011-12-30T10:00:00.000Z", "2011-12-30T19:00:00.000Z", "2011-12-31T19:00:00.000Z"],
    );
  });

  test("a look from within the repeated hour finds no time of it again", () => {
    const daily = schedule("30 2 * * *", "Europe/Berlin");
    const repeated = Date.parse("2026-10-25T01:15:00Z");
    expect(daily.after(repeated)).toBe(Date.parse("2026-10-26T01:30:00Z"));
    expect(daily.before(repeated)).toBe(Date.parse("2026-10-25T00:30:00Z"));
  });
});

describe("an hour field that begins with an asterisk counts elapsed time", () => {
  test.each([
    [setBack, 100],
    [setForward, 92],
  ])("case 35: every 15 minutes on the day of a change", ([after, before], count) => {
    const quarters = schedule("*/15 * * * *", "Europe/Berlin");
    expect(timesBetween(quarters, after, before)).toHaveLength(count);
    expect(timesBackwards(quarters, after, before)).toHaveLength(count);
  });

  test("an hour that is repeated across midnight fires both times, in order", () => {
    const halves = schedule("*/30 0 * * *", "America/St_Johns");
    const quarter = schedule("15 * * * *", "America/St_Johns");
    // At 00:01 the clock was set back to 23:01 of the day before.
    const period = ["2010-11-07T01:30:00Z", "2010-11-07T05:00:00Z"] as const;
    expect(timesBetween(halves, ...period)).toEqual(["2010-11-07T02:30:00.000Z", "2010-11-07T04:00:00.000Z"]);
    const hourly = [
      "2010-11-07T01:45:00.000Z",
      "2010-11-07T02:45:00.000Z",
      "2010-11-07T03:45:00.000Z",
      "2010-11-07T04:45:00.000Z",
    ];
    expect(timesBetween(quarter, ...period)).toEqual(hourly);
    expect(timesBackwards(quarter, ...period)).toEqual(hourly);
  });

  test("no time appears in a gap", () => {
    expect(
      timesBetween(schedule("0 */2 * * *", "Europe/Berlin"), "2026-03-28T23:30:00Z", "2026-03-29T04:30:00Z"),
    ).toEqual(["2026-03-29T02:00:00.000Z", "2026-03-29T04:00:00.000Z"]);
  });
});

describe("days of the month and of the week", () => {
  const year = ["2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z"] as const;
  test.each([
    ["the last day", "0 6 L * *", ["2026-01-31", "2026-02-28", "2026-03-31"]],
    ["the working day nearest to the 15th", "0 6 15W * *", ["2026-01-15", "2026-02-16", "2026-03-16"]],
    ["the last working day", "0 6 LW * *", ["2026-01-30", "2026-02-27", "2026-03-31"]],
    ["the second Monday", "0 6 * * MON#2", ["2026-01-12", "2026-02-09", "2026-03-09"]],
    ["the last Friday", "0 6 * * FRIL", ["2026-01-30", "2026-02-27", "2026-03-27"]],
    ["the first of each quarter", "0 6 1 */3 *", ["2026-01-01"]],
    [
      "a day of the month or of the week",
      "0 6 1 3 TUE",
      ["2026-03-01", "2026-03-03", "2026-03-10", "2026-03-17", "2026-03-24", "2026-03-31"],
    ],
  ])("%s: %s", (_name, cron, days) => {
    expect(timesBetween(schedule(cron), ...year)).toEqual(days.map((day) => `${day}T06:00:00.000Z`));
  });
});
