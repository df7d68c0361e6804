import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemRuntime } from "./runtime.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("sleeps for the given time", async () => {
  const begin = systemRuntime.now();
  const slept = systemRuntime.sleep(5_000, undefined).then(() => systemRuntime.now() - begin);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await slept).toBe(5_000);
});

test("a sleep that is aborted ends with the reason and leaves no timer", async () => {
  const controller = new AbortController();
  const slept = systemRuntime.sleep(5_000, controller.signal);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(slept).rejects.toBe(reason);
  await expect(systemRuntime.sleep(5_000, controller.signal)).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test("a reason that is not an error becomes the cause of one", async () => {
  await expect(systemRuntime.sleep(1, AbortSignal.abort("enough"))).rejects.toMatchObject({ cause: "enough" });
});

test("delays between repetitions grow to a maximum and are randomized", () => {
  const delays = (attempt: number): number[] => Array.from({ length: 50 }, () => systemRuntime.retryDelayMs(attempt));
  for (const [attempt, most] of [
    [1, 300],
    [2, 600],
    [4, 2_400],
    [20, 8_000],
  ] as const) {
    const drawn = delays(attempt);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(most);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(most / 2);
    expect(new Set(drawn).size).toBeGreaterThan(1);
  }
});
