import { attemptsCounted, type CallResult, type Intent, type RetryPolicy } from "@procedo/procedure";
import type { Failure } from "./failure.ts";
import { tooOldToRepeat, type SentCall } from "./key-age.ts";
import { retryDelayMs } from "./retry-delay.ts";

/** What becomes of a failed attempt. */
export interface Settlement {
  readonly result: CallResult;
  /** Set when the same call is made again. */
  readonly retryAtMs?: number;
  /** The attempt is not one of those that the retry policy counts. */
  readonly deferred?: true;
}

export interface FailedAttempt {
  readonly failure: Failure;
  /** The procedure's author wants a call of unknown effect made again without asking. */
  readonly retryUnknown: boolean;
  /** Which attempt it is, how many before it were not started, and since when the call may have arrived. */
  readonly intent: Pick<Intent, "atMs" | "attempt" | "notStarted" | "deferrals"> & SentCall;
  /** Why an earlier attempt of the same call may have done its work. */
  readonly uncertainReason: string | undefined;
  readonly policy: RetryPolicy;
  readonly nowMs: number;
  /** In [0, 1). */
  readonly uniform: number;
}

/** An attempt that was not started is repeated soon. Half of the delay is random, for runs that were released together. */
const notStarted = { maxAttempts: Infinity, initialDelayMs: 200, maxDelayMs: 200 };

/** A longer wait that the other service asks for uses up no attempt. */
const maxCountedWaitMs = 3_600_000;

/** So often for each call: a service that always asks for another day ends a call after ten days at most. */
const maxDeferrals = 7;

/**
 * The rules of retrying. What surely did not happen may be tried again, and so may what harms nothing when it happens
 * twice; a `once` call whose effect is unknown is made again only where the procedure says so. After the last attempt an
 * idempotent call of unknown effect stays unknown: that it failed would be a guess.
 *
 * A call that may have arrived is repeated only while the other service surely knows its idempotency key, with or without the
 * author's `retry`: after that a person decides. A `read` needs no key.
 *
 * A doubt outlives later attempts that failed, refusals too: "already paid" is one, and so is a gateway's "too many
 * requests" that never looked at the key. An answer settles it, or a person.
 *
 * A conflict tells a repetition that the first attempt is still in progress, so that it is no refusal of the first attempt:
 * it is tried again within the attempts that are left, and ends in doubt. To a first attempt it is a refusal.
 *
 * A service that asks for a wait of hours, as daily quotas do, is given it without an attempt being used up, unless the policy
 * allows one attempt only.
 *
 * What was not started is made again whatever the call's effect and policy are: the service was not asked, so this was none of
 * its attempts, and no pause gives it rest. It neither raises a doubt nor repeats one. As often as workers stop between an
 * intent and its call, or commit an intent too late, so often it happens; nothing else brings it about, and each time is a
 * row of the run, whose bytes are limited.
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
  // A journal may hold an effect that is not known; such a call is held to the strictest rule.
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
