import { LruCache } from "@procedo/contract/syntax";
import type { Clock } from "@procedo/engine";

/** A rate limit applied to each of many sources. */
export interface RateLimiter {
  /** Uses one unit. Returns the time to wait in milliseconds when the limit is reached, otherwise `undefined`. */
  take(source: string): number | undefined;
  /** The time to wait in milliseconds until a unit can be used; `undefined` when one can be used now. */
  waitMs(source: string): number | undefined;
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
  const next = (source: string): { readonly until: number; readonly waitMs: number | undefined } => {
    const nowMs = clock.monotonic();
    const until = Math.max(busyUntil.get(source) ?? nowMs, nowMs) + msEach;
    const tooMuchMs = until - nowMs - burst * msEach;
    // Tolerance for floating-point rounding.
    return { until, waitMs: tooMuchMs > 1e-6 ? tooMuchMs : undefined };
  };
  return {
    take: (source) => {
      const { until, waitMs } = next(source);
      if (waitMs === undefined) busyUntil.set(source, until);
      return waitMs;
    },
    waitMs: (source) => next(source).waitMs,
  };
}
