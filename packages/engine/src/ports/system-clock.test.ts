import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "./system-clock.ts";

const dayMs = 86_400_000;

// Node's timers with Node's own bound: a longer delay fires after 1 ms.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a callback of the system's clock", () => {
  test.each([1, 2 ** 31 - 1, 2 ** 31, 30 * dayMs, 400 * dayMs])(
    "is called after %d ms, no sooner and once",
    (delayMs) => {
      const callback = vi.fn<() => void>();
      systemClock.after(delayMs, callback);
      vi.advanceTimersByTime(delayMs - 1);
      expect(callback).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(callback).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(2 ** 31);
      expect(callback).toHaveBeenCalledTimes(1);
    },
  );

  test("is never called after an infinite delay, during which the process stays alive", () => {
    const callback = vi.fn<() => void>();
    systemClock.after(Infinity, callback);
    vi.advanceTimersByTime(1_000 * dayMs);
    expect(callback).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(1);
  });

  test.each([0, 1, 24, 26, 60])("is not called when it was cancelled after %d days of 60", (days) => {
    const callback = vi.fn<() => void>();
    const cancel = systemClock.after(60 * dayMs, callback);
    vi.advanceTimersByTime(days * dayMs - (days === 60 ? 1 : 0));
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60 * dayMs);
    expect(callback).not.toHaveBeenCalled();
  });
});
