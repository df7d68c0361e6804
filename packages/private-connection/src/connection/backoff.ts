import type { Runtime } from "../runtime.ts";

const firstCeilingMs = 1_000;
const maxCeilingMs = 60_000;
/** Spreads the retries of clients with the same Retry-After. */
const spreadMs = 1_000;

/**
 * The wait before the n-th retry, counted from 1, in milliseconds: full jitter under a ceiling that doubles from 1 s to
 * 60 s, and at least the wait that the service requested.
 */
export function backoffMs(runtime: Pick<Runtime, "uniform">, attempt: number, retryAfterMs?: number): number {
  const ceilingMs = Math.min(firstCeilingMs * 2 ** Math.min(attempt - 1, 30), maxCeilingMs);
  const jitterMs = runtime.uniform() * ceilingMs;
  return retryAfterMs === undefined ? jitterMs : Math.max(jitterMs, retryAfterMs + runtime.uniform() * spreadMs);
}
