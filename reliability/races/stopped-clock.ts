import type { Clock } from "@procedo/engine";

/** A clock that stands still until it is set: what is due then is called, the earliest first. */
export interface StoppedClock extends Clock {
  /** Moves time on, timer by timer; lets every promise settle after each. */
  advance(byMs: number): Promise<void>;
}

export const startMs = Date.UTC(2026, 10, 20);

export function stoppedClock(): StoppedClock {
  let atMs = startMs;
  const timers = new Set<{ readonly dueMs: number; readonly call: () => void }>();
  return {
    now: () => atMs,
    monotonic: () => atMs - startMs,
    after: (delayMs, call) => {
      const timer = { dueMs: atMs + Math.max(0, delayMs), call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    soon: (call) => void Promise.resolve().then(call),
    advance: async (byMs) => {
      const endMs = atMs + byMs;
      for (;;) {
        const [next] = [...timers].sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined || next.dueMs > endMs) break;
        timers.delete(next);
        atMs = Math.max(atMs, next.dueMs);
        next.call();
        await settle();
      }
      atMs = endMs;
      await settle();
    },
  };
}

/** Lets every promise settle that can. */
export function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
