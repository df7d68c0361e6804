import type { Clock } from "@procedo/engine";

/** How often each of many sources may do something. */
export interface Rate {
  /** Takes one. Answers how long to wait, in milliseconds, when there is none left; else `undefined`. */
  take(source: string): number | undefined;
}

/** So many at once, and afterwards so many a second. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Beyond so many sources the one that came first is forgotten. */
const maxSources = 10_000;

/** Counts by one number for each source: until when what it has taken so far weighs (GCRA, the virtual scheduling form). */
export function createRate(clock: Pick<Clock, "monotonic">, { perSecond, burst }: RateLimit): Rate {
  const msEach = 1_000 / perSecond;
  const busyUntil = new Map<string, number>();
  return {
    take: (source) => {
      const nowMs = clock.monotonic();
      const until = Math.max(busyUntil.get(source) ?? nowMs, nowMs) + msEach;
      const tooMuchMs = until - nowMs - burst * msEach;
      // A sum of fractions is not exact.
      if (tooMuchMs > 1e-6) return tooMuchMs;
      const [oldest] = busyUntil.keys();
      if (busyUntil.size >= maxSources && oldest !== undefined && !busyUntil.has(source)) busyUntil.delete(oldest);
      busyUntil.set(source, until);
      return undefined;
    },
  };
}
