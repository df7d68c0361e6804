import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ScheduledFiring, ScheduleState } from "@procedo/storage";
import { account, skipUntil, stateFrom } from "./account.ts";
import { schedule } from "./schedule.fixture.ts";
import type { Schedule } from "./schedule.ts";

const dayMs = 86_400_000;
const at = (text: string): number => Date.parse(text);
const shown = (firings: readonly ScheduledFiring[]) =>
  firings.map(({ scheduledAtMs, skipped }) => {
    const time = new Date(scheduledAtMs).toISOString();
    return skipped === undefined ? time : `${skipped.count} ${skipped.reason} until ${time}`;
  });
const daily = (fields: Parameters<typeof schedule>[2]) => schedule("30 6 * * *", "UTC", fields);
const friday = at("2026-11-20T06:30:00Z");
/** The state on Friday, after its time. */
const state = (one: Schedule): ScheduleState => stateFrom(one, friday);

describe("case 36: a server that was down for three days", () => {
  const monday = at("2026-11-23T09:00:00Z");
  test.each([
    [{ catchUp: "none" }, ["3 missed until 2026-11-23T06:30:00.000Z"]],
    [{ catchUp: "latest" }, ["2 missed until 2026-11-22T06:30:00.000Z", "2026-11-23T06:30:00.000Z"]],
    [{ catchUp: "latest", catchUpWithin: "PT1H" }, ["3 missed until 2026-11-23T06:30:00.000Z"]],
    [
      { catchUp: "all", catchUpWithin: "P7D" },
      ["2026-11-21T06:30:00.000Z", "2026-11-22T06:30:00.000Z", "2026-11-23T06:30:00.000Z"],
    ],
    [
      { catchUp: "all", catchUpWithin: "PT36H" },
      ["1 missed until 2026-11-21T06:30:00.000Z", "2026-11-22T06:30:00.000Z", "2026-11-23T06:30:00.000Z"],
    ],
  ] as const)("%j", (fields, firings) => {
    const one = daily(fields);
    const accounted = account(one, state(one), monday);
    expect(shown(accounted?.firings ?? [])).toEqual(firings);
    expect(accounted?.next).toEqual({ accountedAtMs: at("2026-11-23T06:30:00Z"), dueAtMs: at("2026-11-24T06:30:00Z") });
    expect(account(one, accounted?.next ?? state(one), monday)).toBeUndefined();
  });
});

test.each([
  [60_000, ["2026-11-21T06:30:00.000Z"]],
  [60_001, ["1 missed until 2026-11-21T06:30:00.000Z"]],
])("without catching up, a time that is %i ms late", (lateMs, firings) => {
  const one = daily({ catchUp: "none" });
  expect(shown(account(one, state(one), friday + dayMs + lateMs)?.firings ?? [])).toEqual(firings);
});

test("a spread counts from the delayed time", () => {
  const one = daily({ catchUp: "none", spread: "PT10M" });
  const dueAtMs = friday + dayMs + one.delayMs;
  expect(one.delayMs).toBeGreaterThan(0);
  expect(state(one).dueAtMs).toBe(dueAtMs);
  expect(account(one, state(one), dueAtMs - 1)).toBeUndefined();
  expect(shown(account(one, state(one), dueAtMs + 60_000)?.firings ?? [])).toEqual(["2026-11-21T06:30:00.000Z"]);
});

test("at most 100 times are caught up, the newest ones, the oldest first", () => {
  const minutes = schedule("* * * * *", "UTC", { catchUp: "all" });
  const start = at("2026-11-20T00:00:00Z");
  const { firings } = account(minutes, stateFrom(minutes, start), start + 150 * 60_000) ?? { firings: [] };
  expect(firings).toHaveLength(101);
  expect(shown(firings).slice(0, 2)).toEqual(["50 missed until 2026-11-20T00:50:00.000Z", "2026-11-20T00:51:00.000Z"]);
  expect(shown(firings).at(-1)).toBe("2026-11-20T02:30:00.000Z");
});

test("years of downtime are counted in parts, and no time is left out", () => {
  const quarters = schedule("*/15 * * * *", "Europe/Berlin");
  const start = at("2026-01-01T00:00:00Z");
  const end = at("2036-01-01T00:07:00Z");
  let current = stateFrom(quarters, start);
  let missed = 0;
  let fired = 0;
  let parts = 0;
  for (let next = account(quarters, current, end); next !== undefined; next = account(quarters, current, end)) {
    for (const { skipped } of next.firings) {
      missed += skipped?.count ?? 0;
      fired += skipped === undefined ? 1 : 0;
    }
    current = next.next;
    parts += 1;
  }
  expect(fired).toBe(1);
  expect(missed + fired).toBe((end - start - 7 * 60_000) / (15 * 60_000));
  expect(parts).toBeLessThan(7);
});

test("a schedule with no time in a long part moves on", () => {
  const leapDays = schedule("0 0 29 2 *", "UTC", { catchUp: "none" });
  const start = at("2024-03-01T00:00:00Z");
  let current = stateFrom(leapDays, start);
  let missed = 0;
  for (
    let next = account(leapDays, current, at("2037-01-01T00:00:00Z"));
    next !== undefined;
    next = account(leapDays, current, at("2037-01-01T00:00:00Z"))
  ) {
    missed += next.firings.reduce((sum, { skipped }) => sum + (skipped?.count ?? 0), 0);
    current = next.next;
  }
  expect(missed).toBe(3);
  expect(current.dueAtMs).toBe(at("2040-02-29T00:00:00Z"));
});

test("times that pass during a pause are one skipped firing, and nothing is caught up", () => {
  const one = daily({ catchUp: "all" });
  const resumed = skipUntil(one, { ...state(one), dueAtMs: undefined }, "paused", friday + 5 * dayMs + 1);
  expect(shown(resumed.firings)).toEqual(["5 paused until 2026-11-25T06:30:00.000Z"]);
  expect(account(one, resumed.next, friday + 5 * dayMs + 2)).toBeUndefined();
  expect(skipUntil(one, state(one), "paused", friday + 1_000).firings).toEqual([]);
});

describe("case 38: a clock that jumps", () => {
  const hours = schedule("0 * * * *", "UTC");
  const noon = at("2026-11-20T12:00:00Z");

  test("back: the state counts from the earlier time, and the next time is the next real one", () => {
    const after = account(hours, stateFrom(hours, noon - 1), noon)?.next ?? stateFrom(hours, noon);
    expect(account(hours, after, noon - 3_600_000)).toEqual({
      firings: [],
      next: { accountedAtMs: noon - 3_600_000, dueAtMs: noon },
    });
  });

  test.each([3_600_000, 400 * dayMs])("forward by %i ms and back: the next real time is due again", (jumpMs) => {
    const ahead = account(hours, stateFrom(hours, noon), noon + jumpMs);
    expect(ahead?.firings.at(-1)).toEqual({ scheduledAtMs: noon + jumpMs });
    const back = account(hours, ahead?.next ?? stateFrom(hours, noon), noon + 1);
    expect(back).toEqual({ firings: [], next: { accountedAtMs: noon + 1, dueAtMs: noon + 3_600_000 } });
  });
});

test("a due time of another release of the time zone database is corrected without a firing", () => {
  const one = daily({});
  const stale = { accountedAtMs: friday, dueAtMs: friday + dayMs - 3_600_000 };
  expect(account(one, stale, friday + dayMs - 1_800_000)).toEqual({ firings: [], next: state(one) });
});

test("a schedule that is over stays over", () => {
  const one = daily({ endsAt: "2026-11-21T00:00:00Z" });
  expect(state(one)).toEqual({ accountedAtMs: friday, dueAtMs: undefined });
  expect(account(one, state(one), friday + 9 * dayMs)).toBeUndefined();
});

test("every time is accounted for once, whenever the service looks", () => {
  const sources = fc.record({
    cron: fc.constantFrom("*/20 * * * *", "30 2,14 * * *", "0 */3 * * 1-5", "59 23 * * *"),
    timeZone: fc.constantFrom("Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe", "UTC"),
    catchUp: fc.constantFrom("none", "latest", "all"),
    catchUpWithin: fc.constantFrom("PT1H", "PT24H", "P7D"),
    spread: fc.constantFrom("PT0S", "PT15M"),
  });
  const looks = fc.array(fc.oneof(fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 1, max: 10 * dayMs })), {
    minLength: 1,
    maxLength: 8,
  });
  const starts = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 1) });
  fc.assert(
    fc.property(sources, starts, looks, ({ cron, timeZone, ...fields }, start, pauses) => {
      const one = schedule(cron, timeZone, fields);
      let current = stateFrom(one, start);
      let now = start;
      let accounted = 0;
      let newest = start;
      for (const pause of pauses) {
        now += pause;
        const result = account(one, current, now);
        if (result === undefined) continue;
        for (const { scheduledAtMs, skipped } of result.firings) {
          expect(scheduledAtMs).toBeGreaterThan(newest);
          expect(scheduledAtMs).toBeLessThanOrEqual(now - one.delayMs);
          newest = scheduledAtMs;
          accounted += skipped?.count ?? 1;
        }
        expect(result.next.dueAtMs).toBeGreaterThan(now);
        current = result.next;
      }
      expect(accounted).toBe(one.count(start, now - one.delayMs));
    }),
    { numRuns: 50 },
  );
});
