import type { Clock } from "@procedo/engine";

/** A clock of several processes that runs faster than the machine's, and is set ahead. All count from one moment. */
export interface Pace {
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  /** The factor by which time is faster. */
  readonly factor: number;
  readonly aheadMs: number;
}

export function pacedNow({ sinceMs, factor, aheadMs }: Pace): number {
  return sinceMs + Math.floor((Date.now() - sinceMs) * factor) + aheadMs;
}

export function pacedClock(pace: Pace): Clock {
  const { factor } = pace;
  return {
    now: () => pacedNow(pace),
    monotonic: () => performance.now() * factor,
    after: (delayMs, callback) => {
      if (delayMs === Infinity) return () => {};
      const timer = setTimeout(callback, Math.min(delayMs / factor, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
    soon: (callback) => void setImmediate(callback),
  };
}
