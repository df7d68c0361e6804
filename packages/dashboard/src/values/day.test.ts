import { expect, test } from "vitest";
import { startOfDay } from "./day.ts";

test.each([
  ["2026-11-26", "UTC", "2026-11-26T00:00:00.000Z"],
  ["2026-11-26", "Europe/Berlin", "2026-11-25T23:00:00.000Z"],
  ["2026-11-26", "America/New_York", "2026-11-26T05:00:00.000Z"],
  ["2026-11-26", "Asia/Kathmandu", "2026-11-25T18:15:00.000Z"],
  // The days on which the clocks change.
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z"],
])("%s begins in %s at %s", (day, zone, at) => {
  expect(startOfDay(day, zone)).toBe(at);
});

test("the day after the change to winter time begins 25 hours later", () => {
  expect(startOfDay("2026-10-25", "Europe/Berlin", 1)).toBe("2026-10-25T23:00:00.000Z");
});

test.each(["", "26.11.2026", "2026-13-01", "2026-11-26T10:00:00Z"])("%j is not a day", (text) => {
  expect(startOfDay(text, "UTC")).toBeUndefined();
});
