import { attemptsCounted, type CallResult, type Intent, type RetryPolicy } from "@procedo/procedure";
import type { Failure } from "./failure.ts";
import { tooOldToRepeat, type SentCall } from "./key-age.ts";
import { retryDelayMs } from "./retry-delay.ts";

/** The consequence of a failed attempt. */
export interface Settlement {
  readonly result: CallResult;
  /** Present when the same call is repeated. */
  readonly retryAtMs?: number;
  /** The retry policy does not count the attempt. */
  readonly deferred?: true;
}

export interface FailedAttempt {
  readonly failure: Failure;
  /** Whether a call of unknown effect is repeated without a review. */
  readonly retryUnknown: boolean;
  /**
   * The attempt's number, the number of earlier attempts not started, and the earliest time at which the call may have
   * arrived.
   */
  readonly intent: Pick<Intent, "atMs" | "attempt" | "notStarted" | "deferrals"> & SentCall;
  /** Why an earlier attempt of the same call may have taken effect. */
  readonly uncertainReason: string | undefined;
  readonly policy: RetryPolicy;
  readonly nowMs: number;
  /** A random number in [0, 1). */
  readonly uniform: number;
}

/**
 * An attempt that was not started is repeated soon. Half of the delay is random, for runs that were released together.
 */
const notStarted = { maxAttempts: Infinity, initialDelayMs: 200, maxDelayMs: 200 };

/** The longest requested wait that still consumes an attempt. */
const maxCountedWaitMs = 3_600_000;

/** Per call. A service that asks for another day each time ends the call after ten days at most. */
const maxDeferrals = 7;

/**
 * The rules of retries.
 *
 * - A call that certainly had no effect may be repeated, and so may a call that is harmless when made twice. A `once`
 *   call of unknown effect is repeated only if the procedure or the action says so.
 * - After the last attempt, an idempotent call of unknown effect stays unknown: "it failed" would be a guess.
 * - A call that may have arrived is repeated only while the other service certainly knows its idempotency key, even
 *   if the author chose `retry`. After that a person decides. A `read` needs no key.
 * - Uncertainty outlives later attempts that failed, refusals included. "Already paid" is a refusal, and so is the "too
 *   many requests" of a gateway that never looked at the key. An answer or a person settles it.
 * - A conflict answers a repetition while an earlier attempt is still in progress. It is repeated within the attempts that
 *   are left, and stays uncertain after the last one. To a first attempt, a conflict is a refusal.
 * - A wait of hours that the service asks for, as daily quotas do, consumes no attempt, unless the policy allows one
 *   only.
 * - An attempt that was not started is repeated under any effect and policy: the service was not asked, or refused the
 *   access token. It neither causes nor carries uncertainty. It happens only where a worker stops between an intent and
 *   its call or commits an intent too late, and once when a connection loses its authorization: the next attempt waits
 *   for it. Each time adds a row, and the bytes of a run's rows are limited.
 */
export function settleFailure(tried: FailedAttempt): Settlement {
  const { failure, intent, policy, nowMs, uniform } = tried;
  const { effect } = intent.frozen;
  if (failure.notStarted === true) {
    const error = { message: failure.message, code: "not_started" } as const;
    return { result: { status: "error", error }, retryAtMs: nowMs + retryDelayMs(notStarted, 1, uniform, undefined) };
  }
  const result = resultOf(tried);
  const attempt = attemptsCounted(intent);
  // An effect that this version does not know is treated by the strictest rule.
  const mayRepeat = effect === "read" || effect === "idempotent";
  const allowed = failure.effect === "none" || mayRepeat || tried.retryUnknown;
  const isInProgress =
    failure.conflict === true && tried.uncertainReason !== undefined && (mayRepeat || tried.retryUnknown);
  const isDeferred = isLongWait(failure) && policy.maxAttempts > 1 && (intent.deferrals ?? 0) < maxDeferrals;
  if (!(failure.retryable || isInProgress) || !allowed) return { result };
  if (attempt >= policy.maxAttempts && !isDeferred) return { result };
  const retryAtMs = nowMs + retryDelayMs(policy, attempt, uniform, failure.retryAfterMs);
  const again = { result, retryAtMs, ...(isDeferred && { deferred: true as const }) };
  if (result.status !== "unknown") return again;
  const { frozen, firstSentAtMs = intent.atMs } = intent;
  const tooOld = tooOldToRepeat({ frozen, firstSentAtMs }, retryAtMs, nowMs);
  return tooOld === undefined ? again : { result: { ...result, reason: `${result.reason} ${tooOld}` } };
}

function isLongWait({ retryAfterMs }: Failure): boolean {
  return retryAfterMs !== undefined && retryAfterMs > maxCountedWaitMs;
}

function resultOf({ failure, intent, uncertainReason }: FailedAttempt): CallResult {
  const { message, details } = failure;
  const { effect } = intent.frozen;
  if (effect !== "read" && failure.effect === "unknown") return { status: "unknown", reason: message };
  if (effect !== "read" && uncertainReason !== undefined) {
    return { status: "unknown", reason: `${uncertainReason} A later attempt: ${message}` };
  }
  return { status: "error", error: { message, ...(details === undefined ? {} : { details }) } };
}
