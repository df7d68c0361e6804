import { ProcedoError } from "@procedo/contract";
import { sourceOf } from "@procedo/contract/syntax";
import type { Clock } from "@procedo/engine";
import { createRateLimiter } from "./rate-limiter.ts";

/** Counts attempts with unknown keys, tokens and passwords per address. */
export interface FailedAttempts {
  /**
   * Counts a failed attempt. Returns the time to wait in milliseconds after too many attempts, otherwise `undefined`.
   */
  note(address: string | undefined): number | undefined;
  /** The time to wait in milliseconds when a further failed attempt would be one too many, otherwise `undefined`. */
  waitMs(address: string | undefined): number | undefined;
}

/** High enough for a misconfigured client to be noticed, low enough to keep its load harmless. */
const limit = { perSecond: 1_000 / 60, burst: 3_000 };

/**
 * Counts per address and refuses only failed attempts. A valid key from the same address is still accepted, so that one
 * caller cannot lock out another.
 */
export function createFailedAttempts(clock: Pick<Clock, "monotonic">): FailedAttempts {
  const limiter = createRateLimiter(clock, limit);
  // An embedding application that passes no address applies its own limits.
  return {
    note: (address) => (address === undefined ? undefined : limiter.take(sourceOf(address))),
    waitMs: (address) => (address === undefined ? undefined : limiter.waitMs(sourceOf(address))),
  };
}

/** The refusal of a failed attempt after too many others. */
export function tooManyFailures(retryAfterMs: number): ProcedoError {
  const message = "This address sent too many invalid keys, tokens or passwords. Retry after the time in Retry-After.";
  return new ProcedoError("rate_limited", message, { retryAfterMs });
}
