import { LruCache } from "@procedo/contract/syntax";
import type { Clock } from "@procedo/engine";

/** A rate limit applied to each of many sources. */
export interface RateLimiter {
  /** Uses one unit. Returns the time to wait in milliseconds when the limit is reached, otherwise `undefined`. */
  take(source: string): number | undefined;
}

/** A burst, followed by a sustained rate. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Above this number of sources, the one that has sent nothing for longest is forgotten. */
const maxSources = 10_000;

/** Keeps one number per source, its theoretical arrival time (GCRA, virtual scheduling form). */
export function createRateLimiter(clock: Pick<Clock, "monotonic">, { perSecond, burst }: RateLimit): RateLimiter {
  const msEach = 1_000 / perSecond;
  const busyUntil = new LruCache<string, number>(maxSources);
  return {
    take: (source) => {
      const nowMs = clock.monotonic();
      const until = Math.max(busyUntil.get(source) ?? nowMs, nowMs) + msEach;
      const tooMuchMs = until - nowMs - burst * msEach;
      // Tolerance for floating-point rounding.
      if (tooMuchMs > 1e-6) return tooMuchMs;
      busyUntil.set(source, until);
      return undefined;
    },
  };
}
