import type { RetryPolicy } from "@procedo/procedure";

/** An answer that asks for a longer wait than a day is waited for a day only. */
const maxRetryAfterMs = 86_400_000;

/**
 * How long to wait before the attempt after `attempt`: the policy's delay doubled each time up to its bound, half of
 * it drawn at random so that runs which failed together do not come back together, and never less than the other side
 * asked for.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempt: number,
  uniform: number,
  retryAfterMs: number | undefined,
): number {
  const full = Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** (attempt - 1));
  const jittered = Math.round(full / 2 + (full / 2) * uniform);
  const asked = retryAfterMs === undefined || Number.isNaN(retryAfterMs) ? 0 : retryAfterMs;
  return Math.max(jittered, Math.min(asked, maxRetryAfterMs));
}
