import type { Clock } from "../src/index.ts";

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Resolves when `count` requests are asleep. */
  asleep(count: number): Promise<void>;
  advance(ms: number): void;
}

/** Makes a clock that stands at the start of 2026. */
export function createManualClock(): ManualClock {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const sleepers = new Set<Sleeper>();
  let watchers: { count: number; resolve: () => void }[] = [];
  const tell = (): void => {
    watchers = watchers.filter(({ count, resolve }) => {
      if (sleepers.size !== count) return true;
      resolve();
      return false;
    });
  };
  return {
    now: () => new Date(time),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = (how: "elapsed" | "aborted"): void => {
          sleepers.delete(sleeper);
          resolve(how);
        };
        const sleeper: Sleeper = { until: time + ms, wake: () => end("elapsed") };
        sleepers.add(sleeper);
        signal.addEventListener("abort", () => end("aborted"), { once: true });
        tell();
      }),
    asleep: (count) =>
      new Promise((resolve) => {
        watchers.push({ count, resolve });
        tell();
      }),
    advance(ms) {
      time += ms;
      for (const sleeper of sleepers) if (sleeper.until <= time) sleeper.wake();
    },
  };
}
