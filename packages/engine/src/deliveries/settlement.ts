import type { ClaimedDelivery, DeliverySettlement } from "@procedo/storage";
import type { AttemptEnd } from "./attempt.ts";
import type { Receiver } from "./receivers.ts";
import { delayAfterMs } from "./schedule.ts";

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
      return { ...address, attempt, error, then: nextOf(delivery, end, facts.atMs, uniform) };
    }
  }
}

function nextOf(
  { attempt, manual }: ClaimedDelivery,
  end: AttemptEnd & { readonly kind: "failed" },
  atMs: number,
  uniform: number,
): DeliverySettlement["then"] {
  // Our own stop is no fault of the receiver's: somebody else tries again at once.
  if (end.failure === "aborted" || end.failure === "closed") return { status: "pending", dueAtMs: atMs };
  const delayMs = delayAfterMs(attempt, uniform, end.retryAfterMs);
  if (manual || delayMs === undefined || isGone(end)) return { status: "failed" };
  return { status: "pending", dueAtMs: atMs + delayMs };
}

/** 410: the receiver says that it is no more, and wants nothing further. */
export function isGone(end: AttemptEnd): boolean {
  return end.kind === "failed" && end.responseCode === 410;
}

/**
 * Why a delivery is not sent at all; `undefined`: it is sent. What a person asks for is sent to an inactive webhook as
 * well. Pure.
 */
export function whyNotSent({ manual }: ClaimedDelivery, receiver: Receiver | undefined): string | undefined {
  if (receiver === undefined) return "The webhook was removed before this was delivered.";
  if (receiver.isActive || manual) return undefined;
  return "The webhook was not active when this was due. Activate it and send this again.";
}
