import type { Clock } from "@procedo/engine";

/** A clock whose timers fire when a test says so; what is ready to run now runs by itself. */
export interface ManualClock extends Clock {
  /** Lets time pass, and whatever was due in it. */
  advance(ms: number): Promise<void>;
}

export function manualClock(startMs = Date.UTC(2026, 0, 2, 12)): ManualClock {
  let passedMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    now: () => startMs + passedMs,
    monotonic: () => passedMs,
    after: (delayMs, callback) => {
      const timer = { atMs: passedMs + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    soon: (callback) => void setImmediate(callback),
    advance: async (ms) => {
      const untilMs = passedMs + ms;
      for (;;) {
        await settle();
        const [next] = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        timers.delete(next);
        passedMs = Math.max(passedMs, next.atMs);
        next.callback();
      }
      passedMs = untilMs;
    },
  };
}
