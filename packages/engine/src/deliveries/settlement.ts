import { toStorable, type ClaimedDelivery, type DeliverySettlement } from "@procedo/storage";
import type { AttemptEnd } from "./attempt.ts";
import type { Receiver } from "./receivers.ts";
import { attemptDelaysMs, delayAfterMs } from "./schedule.ts";

/** Time and address of an attempt. */
export interface AttemptFacts {
  readonly url: string;
  /** End of the attempt. */
  readonly atMs: number;
  readonly tookMs: number;
}

/** The settlement of a delivery after an attempt. Pure. @param uniform drawn from [0, 1) */
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
      return { ...address, attempt, next: { status: "delivered" } };
    }
    case "unsent":
      return { ...address, error: end.error, next: { status: "pending", dueAtMs: facts.atMs } };
    case "failed": {
      const { responseCode, failure, error } = end;
      const attempt = { ...facts, responseCode, failure, manual };
      const next = nextOf(delivery, end, facts.atMs, uniform);
      return { ...address, attempt, error, cutOff: isCutOff(end), next };
    }
  }
}

function nextOf(
  { attempt, manual }: ClaimedDelivery,
  end: AttemptEnd & { readonly kind: "failed" },
  atMs: number,
  uniform: number,
): DeliverySettlement["next"] {
  // Due at once, for another process.
  if (isCutOff(end)) return { status: "pending", dueAtMs: atMs };
  const delayMs = delayAfterMs(attempt, uniform, end.retryAfterMs);
  if (manual || delayMs === undefined || isGone(end)) return { status: "failed" };
  return { status: "pending", dueAtMs: atMs + delayMs };
}

/** This process was stopped, so that the failure does not count against the receiver. */
function isCutOff({ failure }: AttemptEnd & { readonly kind: "failed" }): boolean {
  return failure === "aborted" || failure === "closed";
}

/**
 * Replaces characters that storage cannot hold: addresses and errors come from outside, and a refused settlement would
 * delay its batch. Pure.
 */
export function storableSettlement(settlement: DeliverySettlement): DeliverySettlement {
  const { attempt, error } = settlement;
  return {
    ...settlement,
    ...(attempt !== undefined && { attempt: { ...attempt, url: toStorable(attempt.url) } }),
    ...(error !== undefined && { error: toStorable(error) }),
  };
}

/** Releases a delivery that was claimed and not attempted. It keeps its place ahead of newer ones. Pure. */
export function notSent({ scope, deliveryId, epoch, createdAtMs }: ClaimedDelivery): DeliverySettlement {
  const error = "Not attempted yet; rescheduled for immediate delivery.";
  return { scope, deliveryId, epoch, error, next: { status: "pending", dueAtMs: createdAtMs } };
}

/** Ends a delivery whose settlement storage refused. Pure. */
export function givenUp({ scope, deliveryId, epoch }: ClaimedDelivery): DeliverySettlement {
  const error =
    "The result of the last attempt could not be stored. The server log has the reason. Resend this delivery.";
  return { scope, deliveryId, epoch, error, next: { status: "failed" } };
}

/** Whether the receiver answered 410: it no longer exists. */
export function isGone(end: AttemptEnd): boolean {
  return end.kind === "failed" && end.responseCode === 410;
}

/** The end of a delivery that is not attempted. */
export interface EndWithoutAttempt {
  readonly status: "failed" | "skipped";
  readonly error: string;
}

export const webhookRemoved: EndWithoutAttempt = {
  status: "failed",
  error: "The webhook was removed before this was delivered.",
};

/**
 * Returns the end of a delivery that must not be attempted, `undefined` for one that may be. A test or a resend is also
 * sent to an inactive webhook. A delivery that used up its schedule by attempts without a result may have crashed its
 * senders. Pure.
 */
export function endWithoutAttempt(
  { manual, attempt }: ClaimedDelivery,
  receiver: Receiver,
): EndWithoutAttempt | undefined {
  if (attempt > attemptDelaysMs.length) {
    const error = `All ${attemptDelaysMs.length} attempts were used, and the result of the last one is not known. Resend this delivery.`;
    return { status: "failed", error };
  }
  if (receiver.isActive || manual) return undefined;
  const { deactivatedBecause: because } = receiver;
  const reason = because === undefined ? "" : ` ${because}`;
  const error = `No attempt was made: the webhook was inactive.${reason} Activate the webhook and resend this delivery.`;
  return { status: "skipped", error };
}
