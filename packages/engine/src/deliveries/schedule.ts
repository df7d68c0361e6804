const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long to wait before each attempt, counted from the one before; after the last one the delivery has failed. */
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

/** A receiver that asks for a longer wait than this waits this long. */
const maxRetryAfterMs = 24 * hourMs;

/** Deliveries that failed together shall not come back together. */
const jitter = 0.2;

/**
 * How long to wait before the attempt after `attempt`, a fifth more or less, and never less than the receiver asked for;
 * `undefined` when there is none. Pure.
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
