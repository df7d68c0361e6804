import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

const read = (time: string) => valueOf("timestamp(input.time)", { time });
const readIn = (time: string, zone: string) => valueOf("timestamp(input.time, input.zone)", { time, zone });

describe("a time from a service is read if it means one moment", () => {
  test.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00Z"],
    ["2026-01-31t09:30:00.25z", "2026-01-31T09:30:00.250Z"],
    ["2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00Z"],
    ["2026-01-31T23:30:00-05:30", "2026-02-01T05:00:00Z"],
    ["2026-01-31T09:00:00.000+0000", "2026-01-31T09:00:00Z"],
    ["2026-01-31T09:00:00.000-0530", "2026-01-31T14:30:00Z"],
    ["2026-01-31T09:00:00+00", "2026-01-31T09:00:00Z"],
    ["2026-01-31T09:00:00+02", "2026-01-31T07:00:00Z"],
    ["2026-01-31T09:00:00\u221201:00", "2026-01-31T10:00:00Z"],
    ["2026-01-31 09:00:00Z", "2026-01-31T09:00:00Z"],
    ["2026-01-31 09:00:00 +0100", "2026-01-31T08:00:00Z"],
    ["2026-01-31 09:00:00 UTC", "2026-01-31T09:00:00Z"],
    ["2026-01-31 09:00:00.123456+00", "2026-01-31T09:00:00.123Z"],
    ["2026-01-31T09:00:00,5Z", "2026-01-31T09:00:00.500Z"],
    ["2024-02-29T00:00:00.123456789Z", "2024-02-29T00:00:00.123Z"],
    ["2026-01-31T09:00:00.1234567+01:00", "2026-01-31T08:00:00.123Z"],
    ["2026-01-31T09:00Z", "2026-01-31T09:00:00Z"],
    ["2026-01-31T09:00+01:00[Europe/Berlin]", "2026-01-31T08:00:00Z"],
    ["2026-01-31T09:00Z[UTC]", "2026-01-31T09:00:00Z"],
    ["20260131T090000Z", "2026-01-31T09:00:00Z"],
    ["20260131T0900+0100", "2026-01-31T08:00:00Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"],
    ["2016-12-31T18:59:60.5-05:00", "2017-01-01T00:00:00Z"],
    ["2026/01/31 09:00:00+0000", "2026-01-31T09:00:00Z"],
    ["2026.01.31", "2026-01-31T00:00:00Z"],
    ["Sat, 31 Jan 2026 09:00:00 GMT", "2026-01-31T09:00:00Z"],
    ["Sat, 31 Jan 2026 09:00:00 +0100", "2026-01-31T08:00:00Z"],
    ["Sat, 31 Jan 2026 09:00:00 +0100 (CET)", "2026-01-31T08:00:00Z"],
    ["2026-01-31 09:00:00.5 +0000 UTC", "2026-01-31T09:00:00.500Z"],
    ["20260131090000Z", "2026-01-31T09:00:00Z"],
    ["20260131090000.5+0100", "2026-01-31T08:00:00.500Z"],
    ["2026-01-31Z", "2026-01-31T00:00:00Z"],
    ["2026-01-31+01:00", "2026-01-30T23:00:00Z"],
    ["1 Feb 2026", "2026-02-01T00:00:00Z"],
    ["31-JAN-2026", "2026-01-31T00:00:00Z"],
    ["/Date(1769850000123)/", "2026-01-31T09:00:00.123Z"],
    ["/Date(1769850000123+0200)/", "2026-01-31T09:00:00.123Z"],
    ["2026-01-31", "2026-01-31T00:00:00Z"],
    ["20260131", "2026-01-31T00:00:00Z"],
    ["0100-01-01", "0100-01-01T00:00:00Z"],
  ])("%s is %s", (written, moment) => {
    expect(read(written)).toBe(moment);
  });
});

describe("a text that is not a time is refused with its fault", () => {
  test.each([
    ["2026-02-29", "month 02 of 2026 has no day 29"],
    ["2026-13-01", "there is no month 13"],
    ["2026-00-10", "there is no month 00"],
    ["2026-01-00", "has no day 00"],
    ["2026-01-31T24:00:00Z", "there is no hour 24, midnight is 00:00 of the day after"],
    ["2026-01-31T09:60:00Z", "there is no minute 60"],
    ["2026-01-31T09:30:61Z", "there is no second 61"],
    ["2026-01-31T09:30:60Z", "there is no second 60 here"],
    ["2026-01-31T09:30:00", "and this one has none"],
    ["2026-01-31 09:30", "and this one has none"],
    ["2026-01-31T09:30:00+24:00", "neither Z nor an offset"],
    ["2026-01-31T09:30:00 CET", "neither Z nor an offset"],
    ["2026-01-31T09:30:00[Europe/Berlin]", "neither Z nor an offset"],
    ["2026-01-31T9Z", "not hours and minutes"],
    ["2026-01-31 at noon", "not hours and minutes"],
    ["2026-1-31", "months and days have two digits"],
    ["2026-01-31_09:00:00Z", "a T or a space stands between"],
    ["2026-01", "the day is missing"],
    ["31 Jon 2026", "such as"],
    ["30 Feb 2026", "has no day 30"],
    ["31.01.2026", "the order of day and month is ambiguous"],
    ["01/02/2026", "the order of day and month is ambiguous"],
    ["1.2.26", "the order of day and month is ambiguous"],
    ["202601310900", "cannot be told"],
    ["20260131090000", "and this one has none"],
    ["20261331090000", "there is no month 13"],
    ["Sun, 31 Jan 2026 09:00:00 GMT", "another day of the week"],
    ["Sat Jan 31 2026 09:00:00 GMT+0000", "between the day and the year"],
    ["January 31, 2026", "between the day and the year"],
    ["2026-01-31T09:30:00 AM", "neither Z nor an offset"],
    ["2026-01-31T09:30:00Z EST", "neither Z nor an offset"],
    ["+012026-01-31", "of the years 100 to 9999"],
    [" 2026-01-31", "use trim()"],
    ["2026-01-31\n", "use trim()"],
    ["1769850000", "double(text)"],
    ["1769850000123", "timestamp(double(text) / 1000)"],
    ["0099-01-01", "of the years 100 to 9999"],
    ["9999-12-31T23:59:59-01:00", "after 9999"],
    ["31012026", "there is no month 20"],
    ["now", "such as"],
    ["", "such as"],
    [`2026-01-31T09:30:00.${"0".repeat(500)}Z`, "such as"],
  ])("%j: %s", (written, problem) => {
    expect(() => read(written)).toThrow(problem);
  });

  test("and never repeats any other part of the text", () => {
    expect(() => read("secret-4711")).toThrow(/^timestamp\(input\.time\) takes a time such as [^4]*$/);
  });

  test("when the version is published, if it is a literal in the document", () => {
    expect(problemsOf('timestamp("2026-02-30") < timestamp(run.createdAt)')).toContain("has no day 30");
    expect(problemsOf('timestamp("2026-01-31T09:00:00")')).toContain("this one has none");
    expect(problemsOf('duration("1d")')).toContain("hours, minutes and seconds");
    expect(problemsOf('timestamp("2026-01-31T09:00:00", input.reference)')).toBe("");
  });
});

describe("seconds since 1970", () => {
  test("are a time, as in CEL, and a time becomes seconds again", () => {
    expect(valueOf("timestamp(1769850000)")).toBe("2026-01-31T09:00:00Z");
    expect(valueOf("timestamp(1769850000.123)")).toBe("2026-01-31T09:00:00.123Z");
    expect(valueOf("timestamp(-1)")).toBe("1969-12-31T23:59:59Z");
    expect(valueOf('int(timestamp("2026-01-31T09:00:00.9Z"))')).toBe(1_769_850_000);
  });

  test("are not interpreted as milliseconds", () => {
    expect(() => valueOf("timestamp(input.at)", { at: 1_769_850_000_000 })).toThrow("divide milliseconds by 1000");
    expect(problemsOf("timestamp(1769850000000)")).toContain("divide milliseconds by 1000");
    expect(valueOf("timestamp(input.at / 1000)", { at: 1_769_850_000_123 })).toBe("2026-01-31T09:00:00.123Z");
  });
});

describe("a local time and its time zone", () => {
  test.each([
    ["2026-01-31T09:00:00", "Europe/Berlin", "2026-01-31T08:00:00Z"],
    ["2026-07-31T09:00:00", "Europe/Berlin", "2026-07-31T07:00:00Z"],
    ["2026-07-31 09:00", "America/New_York", "2026-07-31T13:00:00Z"],
    ["2026-01-31T09:00:00", "+05:45", "2026-01-31T03:15:00Z"],
    ["2026-01-31T09:00:00Z", "Europe/Berlin", "2026-01-31T09:00:00Z"],
    ["2026-01-31", "Europe/Berlin", "2026-01-30T23:00:00Z"],
    ["20260131090000", "Asia/Shanghai", "2026-01-31T01:00:00Z"],
    ["2026-01-31+09:00", "Europe/Berlin", "2026-01-30T15:00:00Z"],
    ["2026-01-31", "europe/berlin", "2026-01-30T23:00:00Z"],
    ["2026-03-29T01:59:59", "Europe/Berlin", "2026-03-29T00:59:59Z"],
    ["2026-03-29T03:00:00", "Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["2017-10-15", "America/Sao_Paulo", "2017-10-15T03:00:00Z"],
    ["1500-06-01T00:00:00", "UTC", "1500-06-01T00:00:00Z"],
  ])("%s in %s is %s", (written, zone, moment) => {
    expect(readIn(written, zone)).toBe(moment);
  });

  test("are refused if clocks are set forward over the time", () => {
    expect(() => readIn("2026-03-29T02:30:00", "Europe/Berlin")).toThrow("does not exist in its time zone");
    expect(problemsOf('timestamp("2026-03-29T02:30:00", "Europe/Berlin")')).toContain("does not exist");
    expect(() => readIn("2011-12-30T12:00:00", "Pacific/Apia")).toThrow("does not exist in its time zone");
  });

  test("are refused if clocks are set back and the time occurs twice, unless it has its offset", () => {
    expect(() => readIn("2026-10-25T02:30:00", "Europe/Berlin")).toThrow("occurs twice in its time zone");
    expect(readIn("2026-10-25T02:30:00+01:00", "Europe/Berlin")).toBe("2026-10-25T01:30:00Z");
  });

  test("are refused if the zone does not exist: at the latest at evaluation", () => {
    expect(() => readIn("2026-01-31", "Europe/Berlim")).toThrow("takes a time zone by its name");
    expect(problemsOf('timestamp(input.reference, "Mars/Olympus")')).toContain("takes a time zone by its name");
    expect(problemsOf('timestamp(input.reference, "")')).toContain("takes a time zone by its name");
  });
});
