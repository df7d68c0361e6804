import { idempotencyKeyTtlBoundsMs } from "@procedo/contract";
import type { FrozenCall } from "./frozen-call.ts";
import type { Intent } from "./journal.ts";
import type { CallResult } from "./call-result.ts";

/* The attempts of a call as its retry policy counts them. Pure. */

/**
 * Whether this attempt ended before its call was sent, because its worker had to stop or was too late. The other
 * service then received nothing, so the attempt does not count against the policy or the run, and the next one needs no
 * permission.
 */
export function isNotStarted(result: CallResult): boolean {
  return result.status === "error" && result.error.code === "not_started";
}

/** The number of this attempt among those that the retry policy counts, from 1. */
export function attemptsCounted({
  attempt,
  notStarted = 0,
  deferrals = 0,
}: Pick<Intent, "attempt" | "notStarted" | "deferrals">): number {
  return attempt - notStarted - deferrals;
}

/**
 * The time until which a call may be repeated automatically: as long as the other service certainly keeps its
 * idempotency key. A call may be repeated at any time if none of its attempts can have arrived, or if it is a `read`,
 * whose repetition changes nothing.
 *
 * @returns milliseconds since the epoch; Infinity without a bound
 */
export function repeatableUntilMs({
  frozen,
  firstSentAtMs,
}: {
  readonly frozen: Pick<FrozenCall, "effect" | "idempotencyKeyTtlMs">;
  readonly firstSentAtMs?: number | undefined;
}): number {
  if (frozen.effect === "read" || firstSentAtMs === undefined) return Infinity;
  return firstSentAtMs + (frozen.idempotencyKeyTtlMs ?? idempotencyKeyTtlBoundsMs.default);
}
