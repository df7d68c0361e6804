import type { Clock } from "./clock.ts";

/** The machine's own clock. Its timers keep the process alive, so a waiting engine does not exit by accident. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (callback) => {
    setImmediate(callback);
  },
};
