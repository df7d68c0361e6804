import type { RetryPolicy } from "@procedo/procedure";

/** The longest wait that an answer can ask for: a day. */
const maxRetryAfterMs = 86_400_000;

/**
 * The wait before the attempt that follows `attempt`: the policy's delay, doubled for each attempt up to its bound.
 * Half of the wait is random, so that runs that failed together are not repeated together. The wait is never shorter
 * than the other service asked for.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempt: number,
  uniform: number,
  retryAfterMs: number | undefined,
): number {
  const full = Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** (attempt - 1));
  const jittered = Math.round(full / 2 + (full / 2) * uniform);
  const requestedMs = retryAfterMs === undefined || Number.isNaN(retryAfterMs) ? 0 : retryAfterMs;
  return Math.max(jittered, Math.min(requestedMs, maxRetryAfterMs));
}
