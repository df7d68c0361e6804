import { toStorable, type ClaimedDelivery, type DeliverySettlement } from "@procedo/storage";
import type { AttemptEnd } from "./attempt.ts";
import type { Receiver } from "./receivers.ts";
import { attemptDelaysMs, delayAfterMs } from "./schedule.ts";

/** When and where an attempt was made. */
export interface AttemptFacts {
  readonly url: string;
  /** When it ended. */
  readonly atMs: number;
  readonly tookMs: number;
}

/** What becomes of a delivery after an attempt. Pure. @param uniform drawn from [0, 1) */
export function settlementOf(
  delivery: ClaimedDelivery,
  end: AttemptEnd,
  facts: AttemptFacts,
  uniform: number,
): DeliverySettlement {
  const { scope, deliveryId, epoch, manual } = delivery;
  const address = { scope, deliveryId, epoch };
  switch (end.kind) {
    case "accepted": {
      const attempt = { ...facts, responseCode: end.responseCode, failure: undefined, manual };
      return { ...address, attempt, then: { status: "delivered" } };
    }
    case "unsent":
      return { ...address, error: end.error, then: { status: "pending", dueAtMs: facts.atMs } };
    case "failed": {
      const { responseCode, failure, error } = end;
      const attempt = { ...facts, responseCode, failure, manual };
      const then = nextOf(delivery, end, facts.atMs, uniform);
      return { ...address, attempt, error, cutOff: isCutOff(end), then };
    }
  }
}

function nextOf(
  { attempt, manual }: ClaimedDelivery,
  end: AttemptEnd & { readonly kind: "failed" },
  atMs: number,
  uniform: number,
): DeliverySettlement["then"] {
  // Somebody else tries again at once.
  if (isCutOff(end)) return { status: "pending", dueAtMs: atMs };
  const delayMs = delayAfterMs(attempt, uniform, end.retryAfterMs);
  if (manual || delayMs === undefined || isGone(end)) return { status: "failed" };
  return { status: "pending", dueAtMs: atMs + delayMs };
}

/** Our own stop is no fault of the receiver's. */
function isCutOff({ failure }: AttemptEnd & { readonly kind: "failed" }): boolean {
  return failure === "aborted" || failure === "closed";
}

/**
 * The same, as every storage holds it: the address and the reason come from anywhere, and what cannot be stored would
 * hold up its neighbours. Pure.
 */
export function storableSettlement(settlement: DeliverySettlement): DeliverySettlement {
  const { attempt, error } = settlement;
  return {
    ...settlement,
    ...(attempt !== undefined && { attempt: { ...attempt, url: toStorable(attempt.url) } }),
    ...(error !== undefined && { error: toStorable(error) }),
  };
}

/** What becomes of a delivery that was claimed and did not begin: it is as before, and comes before what is newer. Pure. */
export function notSent({ scope, deliveryId, epoch, createdAtMs }: ClaimedDelivery): DeliverySettlement {
  const error = "It was not its turn yet; it goes out with the next ones.";
  return { scope, deliveryId, epoch, error, then: { status: "pending", dueAtMs: createdAtMs } };
}

/** What becomes of a delivery whose settlement storage refuses. Pure. */
export function givenUp({ scope, deliveryId, epoch }: ClaimedDelivery): DeliverySettlement {
  const error = "What came of the last attempt could not be stored; the server's log says why. Send this again.";
  return { scope, deliveryId, epoch, error, then: { status: "failed" } };
}

/** 410: the receiver says that it is no more, and wants nothing further. */
export function isGone(end: AttemptEnd): boolean {
  return end.kind === "failed" && end.responseCode === 410;
}

/** How a delivery ends of which no attempt is made. */
export interface EndWithoutAttempt {
  readonly status: "failed" | "skipped";
  readonly error: string;
}

export const webhookRemoved: EndWithoutAttempt = {
  status: "failed",
  error: "The webhook was removed before this was delivered.",
};

/**
 * How a delivery ends that is not sent at all; `undefined`: it is sent. What a person asks for is sent to an inactive
 * webhook as well. One whose places in the schedule are used up has lost its senders, which it may have been the cause of.
 * Pure.
 */
export function endWithoutAttempt(
  { manual, attempt }: ClaimedDelivery,
  receiver: Receiver,
): EndWithoutAttempt | undefined {
  if (attempt > attemptDelaysMs.length) {
    const error = `What came of the last of ${attemptDelaysMs.length} attempts is not known. Send this again.`;
    return { status: "failed", error };
  }
  if (receiver.isActive || manual) return undefined;
  const { deactivatedBecause: because } = receiver;
  const reason = because === undefined ? "" : ` ${because}`;
  const error = `No attempt was made: the webhook was inactive.${reason} Activate the webhook and resend this.`;
  return { status: "skipped", error };
}
