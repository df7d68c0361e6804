import { expect, test } from "vitest";
import { scheduleSource, schedule, timesBetween } from "./schedule.fixture.ts";
import { scheduleOf } from "./schedule.ts";

test("times lie between startsAt, inclusive, and endsAt, exclusive", () => {
  const bounds = { startsAt: "2026-05-01T06:00:00Z", endsAt: "2026-05-03T06:00:00Z" };
  const one = schedule("0 6 * * *", "UTC", bounds);
  expect(timesBetween(one, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")).toEqual([
    "2026-05-01T06:00:00.000Z",
    "2026-05-02T06:00:00.000Z",
  ]);
  expect(one.before(Date.parse("2027-01-01T00:00:00Z"))).toBe(Date.parse("2026-05-02T06:00:00Z"));
  expect(one.before(Date.parse("2026-05-01T06:00:00Z"))).toBeUndefined();
  expect(one.count(Date.parse("2026-01-01T00:00:00Z"), Date.parse("2027-01-01T00:00:00Z"))).toBe(2);
});

test("a spread delays each trigger by its own part, which never changes", () => {
  const spread = scheduleSource("0 * * * *", "UTC", { spread: "PT30M" });
  const delays = Array.from({ length: 400 }, (_, index) => scheduleOf(spread, `trg_${index}`).delayMs);
  expect(delays).toEqual(Array.from({ length: 400 }, (_, index) => scheduleOf(spread, `trg_${index}`).delayMs));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...delays)).toBeLessThan(1_800_000);
  const early = delays.filter((delay) => delay < 900_000).length;
  expect(early).toBeGreaterThan(150);
  expect(early).toBeLessThan(250);
});

test("a schedule with faults cannot be read", () => {
  expect(() => schedule("60 * * * *")).toThrow('The schedule "60 * * * *" in "UTC" has faults.');
  expect(() => schedule("0 * * * *", "+01:00")).toThrow(/has faults/);
});
