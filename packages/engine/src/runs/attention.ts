import type { RunAttention } from "@procedo/storage";

const dayMs = 24 * 3_600_000;

/** The last seven days in UTC, today included, by their beginnings. Pure. */
export function lastDays(nowMs: number): readonly number[] {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return [6, 5, 4, 3, 2, 1, 0].map((days) => today - days * dayMs);
}

/**
 * The runs that call for a person: those that wait for a review, and those that were started on the last seven days and
 * failed within the last 24 hours. The summary counts the same runs. Pure.
 */
export function attentionAt(nowMs: number): RunAttention {
  const [startedSinceMs = nowMs] = lastDays(nowMs);
  return { failedSinceMs: nowMs - dayMs, startedSinceMs };
}
