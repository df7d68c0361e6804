import { idempotencyKeyTtlBoundsMs } from "@procedo/contract";
import type { CallResult, FrozenCall, Intent } from "./journal.ts";

/*
 * The attempts of a call as its retry policy counts them. Pure.
 */

/**
 * Whether this attempt ended before its call had begun: its worker had to stop, or was too late, and nothing left it. Then
 * nobody was asked, so it takes nothing from what the policy or the run allows, and the next one needs no leave.
 */
export function isNotStarted(result: CallResult): boolean {
  return result.status === "error" && result.error.code === "not_started";
}

/** Which attempt this one is of those that its retry policy counts, from 1. */
export function attemptsCounted({
  attempt,
  notStarted = 0,
  deferrals = 0,
}: Pick<Intent, "attempt" | "notStarted" | "deferrals">): number {
  return attempt - notStarted - deferrals;
}

/**
 * Until when a call may be repeated automatically: as long as the other service surely knows its idempotency key. A call of
 * which no attempt can have arrived may be made at any time, and so may a `read`, whose repetition changes nothing.
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
