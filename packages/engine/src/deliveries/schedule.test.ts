import { describe, expect, test } from "vitest";
import { attemptDelaysMs, delayAfterMs } from "./schedule.ts";

const hourMs = 3_600_000;

describe("the schedule", () => {
  test("has ten attempts, the first at once, the last about three days later", () => {
    expect(attemptDelaysMs).toHaveLength(10);
    expect(attemptDelaysMs[0]).toBe(0);
    const sum = attemptDelaysMs.reduce((total, delayMs) => total + delayMs, 0);
    expect(sum / hourMs).toBeCloseTo(75.6, 1);
  });

  test.each(attemptDelaysMs.slice(1).map((delayMs, index) => [index + 1, delayMs] as const))(
    "waits up to a fifth more or less than the delay after attempt %d",
    (attempt, delayMs) => {
      expect(delayAfterMs(attempt, 0)).toBe(delayMs * 0.8);
      expect(delayAfterMs(attempt, 0.5)).toBe(delayMs);
      expect(delayAfterMs(attempt, 1)).toBe(delayMs * 1.2);
    },
  );

  test("ends with the tenth attempt", () => {
    expect(delayAfterMs(10, 0.5)).toBeUndefined();
    expect(delayAfterMs(11, 0.5, hourMs)).toBeUndefined();
  });

  test("never sends sooner than the receiver asked for, up to 24 hours", () => {
    expect(delayAfterMs(1, 0.5, 60_000)).toBe(60_000);
    expect(delayAfterMs(1, 0.5, 1_000)).toBe(5_000);
    expect(delayAfterMs(1, 0.5, 1e12)).toBe(24 * hourMs);
    expect(delayAfterMs(9, 1, 1e12)).toBe(24 * hourMs * 1.2);
  });
});
