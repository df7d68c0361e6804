import { idempotencyKeyTtlBoundsMs, type JsonObject } from "@procedo/contract";
import { repeatableUntilMs, type FrozenCall, type Intent } from "@procedo/procedure";

/** The facts that determine the age of a call's idempotency key. */
export interface SentCall {
  readonly frozen: Pick<FrozenCall, "effect" | "idempotencyKeyTtlMs">;
  /** Time of the first intent whose attempt may have arrived; `undefined` when none can have. */
  readonly firstSentAtMs?: number | undefined;
}

/**
 * Why a call is not repeated automatically at `retryAtMs`: the other service may have forgotten its idempotency key by
 * then. `undefined` when it may be repeated.
 */
export function tooOldToRepeat(call: SentCall, retryAtMs: number, nowMs: number): string | undefined {
  const untilMs = repeatableUntilMs(call);
  if (retryAtMs <= untilMs) return undefined;
  const expires = untilMs < nowMs ? "expired" : "expires before the next attempt,";
  return `The call is not repeated automatically: its idempotency key ${expires} at ${iso(untilMs)}.`;
}

/** The idempotency key of a call of unknown outcome, as shown to reviewers. A repetition would use this key. */
export function shownKeyAge(intent: Intent, atMs: number): { readonly expired: boolean; readonly data: JsonObject } {
  const { frozen, firstSentAtMs = intent.atMs } = intent;
  const firstSentAt = iso(firstSentAtMs);
  // A `once` action makes no promise on its key, unless it declares how long the key is kept.
  const isPromised = frozen.effect === "idempotent" || frozen.idempotencyKeyTtlMs !== undefined;
  if (!isPromised) return { expired: false, data: { firstSentAt } };
  const { idempotencyKeyTtlMs = idempotencyKeyTtlBoundsMs.default } = frozen;
  const untilMs = firstSentAtMs + idempotencyKeyTtlMs;
  const expired = untilMs < atMs;
  const sent = `First sent ${durationText(Math.max(0, atMs - firstSentAtMs))} before this review was opened.`;
  const kept = durationText(idempotencyKeyTtlMs);
  const advice = expired
    ? `The service keeps the key for ${kept}, which ended at ${iso(untilMs)}: sent again, the call may be made twice.`
    : `The service keeps the key for ${kept}, until ${iso(untilMs)}. Sent again later than that, the call may be made twice.`;
  return {
    expired,
    data: {
      firstSentAt,
      idempotencyKeyAge: `${sent} ${advice}`,
      idempotencyKeyTtlMs,
      idempotencyKeyExpiresAt: iso(untilMs),
    },
  };
}

const units = [
  { name: "day", ms: 86_400_000 },
  { name: "hour", ms: 3_600_000 },
  { name: "minute", ms: 60_000 },
  { name: "second", ms: 1_000 },
] as const;

/** A duration in the largest unit that fits into it at least twice: `2 days`, `24 hours`, `90 minutes`. */
export function durationText(ms: number): string {
  const unit = units.find((one) => ms >= 2 * one.ms) ?? { name: "second", ms: 1_000 };
  const count = Math.floor(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
