import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { schedule } from "./schedule.fixture.ts";

const zones = Intl.supportedValuesOf("timeZone");
const dayMs = 86_400_000;

const field = (least: number, most: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant("*"),
    fc.integer({ min: 2, max: most - least }).map((step) => `*/${step}`),
    fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 }).map((list) => list.join(",")),
    fc
      .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
  );
const someDays = fc.constantFrom("* * *", "* * 1-5", "* * 0", "L * *", "15W * *", "* * MON#2", "* * FRIL", "1-7 * 2");
const minute = fc.oneof(fc.constantFrom("0", "30", "*/15", "5,59"), field(0, 59));
const cron = fc.tuple(minute, field(0, 23), someDays).map((fields) => fields.join(" "));
const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });

test("times increase, and looking back from one finds the one before", () => {
  fc.assert(
    fc.property(cron, fc.constantFrom(...zones), moment, (expression, timeZone, start) => {
      const one = schedule(expression, timeZone);
      let last = one.after(start);
      for (let count = 0; count < 8 && last !== undefined; count++) {
        expect(last).toBeGreaterThan(start);
        const next = one.after(last);
        if (next === undefined) break;
        expect(next).toBeGreaterThan(last);
        expect(one.before(next)).toBe(last);
        expect(one.before(next + 1)).toBe(next);
        expect(one.after(next - 1)).toBe(next);
        last = next;
      }
    }),
    { numRuns: 80 },
  );
});

test("from any moment, the time before and the time after enclose it", () => {
  fc.assert(
    fc.property(cron, fc.constantFrom(...zones), moment, (expression, timeZone, ms) => {
      const one = schedule(expression, timeZone);
      const before = one.before(ms);
      if (before === undefined) return;
      expect(before).toBeLessThan(ms);
      expect(one.after(before)).toBe(one.after(ms - 1));
    }),
    { numRuns: 80 },
  );
});

test("a count is the number of times", () => {
  const span = fc.integer({ min: 0, max: 12 * dayMs });
  fc.assert(
    fc.property(cron, fc.constantFrom(...zones), moment, span, (expression, timeZone, start, length) => {
      const one = schedule(expression, timeZone);
      let counted = 0;
      let ms = one.after(start);
      for (; ms !== undefined && ms <= start + length && counted < 300; ms = one.after(ms)) counted += 1;
      expect(one.count(start, Math.min(start + length, (ms ?? Infinity) - 1))).toBe(counted);
    }),
    { numRuns: 60 },
  );
});

test("case 35: the time zone of the machine changes no time", () => {
  const program = new URL("print-times.fixture.ts", import.meta.url).pathname;
  const printed = ["UTC", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"].map((zone) =>
    execFileSync(process.execPath, ["--conditions=@procedo/source", program], {
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    }),
  );
  const [first = "", ...others] = printed;
  expect(first.split("\n")).toHaveLength(141);
  for (const other of others) expect(other).toBe(first);
});
