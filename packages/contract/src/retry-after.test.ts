import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const nowMs = Date.UTC(2026, 0, 2, 12);

test.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["0", 0],
  ["1000000000", 1e12],
  ["Fri, 02 Jan 2026 11:59:59 GMT", 0],
  ["Fri, 02 Jan 2026 12:00:30 GMT", 30_000],
  ["Friday, 02-Jan-26 12:00:30 GMT", 30_000],
  ["Fri Jan  2 12:01:00 2026 GMT", 60_000],
])("%s is a wait of %d ms", (value, delayMs) => {
  expect(retryAfterMs(value, nowMs)).toBe(delayMs);
});

test.each([null, undefined, "", "-5", "1.5", "soon", "2026-01-03T00:00:00Z", "Fri, nonsense"])(
  "%s is not a wait",
  (value) => {
    expect(retryAfterMs(value, nowMs)).toBeUndefined();
  },
);
