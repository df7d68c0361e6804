import { describe, expect, test } from "vitest";
import { retryDelayMs } from "./retry-delay.ts";

const policy = { maxAttempts: 10, initialDelayMs: 1_000, maxDelayMs: 30_000 };

describe("the delay before the next attempt", () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [5, 16_000],
    [6, 30_000],
    [19, 30_000],
    [2_000, 30_000],
  ])("after attempt %i is between half and all of %i ms", (attempt, full) => {
    expect(retryDelayMs(policy, attempt, 0, undefined)).toBe(full / 2);
    expect(retryDelayMs(policy, attempt, 0.5, undefined)).toBe(full * 0.75);
    const most = retryDelayMs(policy, attempt, 0.999999, undefined);
    expect(most).toBeGreaterThan(full * 0.99);
    expect(most).toBeLessThanOrEqual(full);
  });

  test("is zero if the policy says so", () => {
    expect(retryDelayMs({ maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 0 }, 2, 0.9, undefined)).toBe(0);
  });

  test("is never longer than the policy's maximum, even for a longer first delay", () => {
    expect(
      retryDelayMs({ maxAttempts: 3, initialDelayMs: 60_000, maxDelayMs: 10_000 }, 1, 0.99, undefined),
    ).toBeLessThanOrEqual(10_000);
  });

  test.each([
    [5_000, 5_000],
    [100, 500],
    [0, 500],
    [-1, 500],
    [NaN, 500],
    [-Infinity, 500],
    [3_600_001, 3_600_001],
    [86_400_001, 86_400_000],
    [Infinity, 86_400_000],
    [undefined, 500],
  ])("with a Retry-After of %o ms is %i ms", (retryAfterMs, expected) => {
    expect(retryDelayMs(policy, 1, 0, retryAfterMs)).toBe(expected);
  });

  test("is a whole number of milliseconds", () => {
    expect(Number.isInteger(retryDelayMs({ ...policy, initialDelayMs: 333 }, 1, 0.123, undefined))).toBe(true);
  });
});
