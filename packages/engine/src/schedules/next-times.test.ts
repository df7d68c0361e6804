import { expect, test } from "vitest";
import { localTime, nextTimes } from "./next-times.ts";
import { schedule } from "./schedule.fixture.ts";

const shown = (cron: string, timeZone: string, after: string) =>
  nextTimes(schedule(cron, timeZone), Date.parse(after)).map(({ local, note }) =>
    note === undefined ? local : `${local} ${note}`,
  );

test("the next five times have local times", () => {
  expect(shown("30 6 * * 1-5", "Europe/Berlin", "2026-11-26T05:30:00Z")).toEqual([
    "2026-11-27T06:30:00+01:00",
    "2026-11-30T06:30:00+01:00",
    "2026-12-01T06:30:00+01:00",
    "2026-12-02T06:30:00+01:00",
    "2026-12-03T06:30:00+01:00",
  ]);
});

test("a time that the clock skips says why it is shifted", () => {
  expect(shown("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z").slice(0, 2)).toEqual([
    "2026-03-29T03:00:00+02:00 The clock skips 02:30 on this day. The schedule fires at the first moment after the gap.",
    "2026-03-30T02:30:00+02:00",
  ]);
});

test("a time that the clock repeats says which of the two fires", () => {
  expect(shown("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z").slice(0, 2)).toEqual([
    "2026-10-25T02:30:00+02:00 The clock shows 02:30 twice on this day. The schedule fires at the first.",
    "2026-10-26T02:30:00+01:00",
  ]);
});

test("times beside a change have no note", () => {
  const times = shown("59 1 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z").concat(
    shown("0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z"),
  );
  expect(times.every((time) => time.length === "2026-10-25T01:59:00+02:00".length)).toBe(true);
});

test("elapsed time is shifted by no change, and the offsets tell repeated hours apart", () => {
  expect(shown("0 * * * *", "Europe/Berlin", "2026-10-24T23:00:00Z").slice(0, 3)).toEqual([
    "2026-10-25T02:00:00+02:00",
    "2026-10-25T02:00:00+01:00",
    "2026-10-25T03:00:00+01:00",
  ]);
});

test("a schedule that is over has no next time", () => {
  const over = schedule("0 6 * * *", "UTC", { endsAt: "2026-01-01T00:00:00Z" });
  expect(nextTimes(over, Date.parse("2026-06-01T00:00:00Z"))).toEqual([]);
});

test("a spread delays the firing, not the nominal time", () => {
  const spread = schedule("0 6 * * *", "UTC", { spread: "PT1H" });
  const beforeFiring = Date.parse("2026-06-01T06:00:00Z") + spread.delayMs - 1;
  const [first] = nextTimes(spread, beforeFiring);
  expect(first).toMatchObject({
    scheduledAtMs: Date.parse("2026-06-01T06:00:00Z"),
    atMs: beforeFiring + 1,
    local: "2026-06-01T06:00:00+00:00",
  });
});

test.each([
  ["America/St_Johns", "2026-01-01T12:00:00-03:30"],
  ["Asia/Kathmandu", "2026-01-01T21:15:00+05:45"],
  ["UTC", "2026-01-01T15:30:00+00:00"],
])("a local time in %s has its offset", (timeZone, local) => {
  expect(localTime(timeZone, Date.parse("2026-01-01T15:30:00Z"))).toBe(local);
});
