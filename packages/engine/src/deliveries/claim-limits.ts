import type { Environment } from "@procedo/contract";
import type { ClaimLimits } from "@procedo/storage";

/**
 * Deliveries that a process holds, from their claim to their settlement. All of them are being sent.
 * docs/performance/deliveries.md#constants
 */
const maxHeld = 512;

/**
 * Deliveries of one environment among these. The rest stays free for the other environment, even when many webhooks
 * have deliveries waiting.
 */
const maxOfEnvironment = (maxHeld * 3) / 4;

/** Deliveries of one webhook that all processes hold: the most requests that its receiver has to answer at a time. */
const maxPerWebhook = 64;

/** The most deliveries that one webhook may have under way, as a part of its environment's free places. */
const webhookShare = 1 / 5;

/** The part of its environment's free places that one claim may take. */
const claimShare = 1 / 2;

/**
 * Computes how many deliveries a process may claim, given how many it holds. Pure.
 *
 * A receiver that hangs holds its places until its attempts time out. The fewer places are free, the fewer one webhook
 * gets, so that many hanging receivers leave places for the next webhook. The numbers are explained in
 * docs/performance/deliveries.md.
 */
export function claimLimits(held: Readonly<Record<Environment, number>>): Readonly<Record<Environment, ClaimLimits>> {
  const limitsOf = (environment: Environment): ClaimLimits => {
    const free = Math.max(0, Math.min(maxOfEnvironment - held[environment], maxHeld - held.sandbox - held.live));
    const perWebhook = Math.min(maxPerWebhook, Math.max(1, Math.floor(free * webhookShare)));
    return { total: Math.ceil(free * claimShare), perWebhook };
  };
  return { sandbox: limitsOf("sandbox"), live: limitsOf("live") };
}
