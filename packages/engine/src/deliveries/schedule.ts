const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delays before each attempt, counted from the previous one. After the last attempt the delivery has failed. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

/** The longest wait that a receiver can ask for. */
const maxRetryAfterMs = 24 * hourMs;

/** Spreads out the retries of deliveries that failed together. */
const jitter = 0.2;

/**
 * The delay before the attempt after `attempt`: up to a fifth more or less than the schedule's, and never less than the
 * receiver asked for. `undefined` after the last attempt. Pure.
 *
 * @param attempt the number of the attempt that failed, from 1
 * @param uniform drawn from [0, 1)
 */
export function delayAfterMs(attempt: number, uniform: number, retryAfterMs = 0): number | undefined {
  const delayMs = attemptDelaysMs[attempt];
  if (delayMs === undefined) return undefined;
  const jittered = Math.round(delayMs * (1 - jitter + 2 * jitter * uniform));
  return Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs));
}
