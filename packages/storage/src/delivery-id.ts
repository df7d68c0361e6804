import { createHash } from "node:crypto";

/**
 * The id of the delivery of one event to one webhook, for adapters. It is derived from both, so that storing the same
 * event twice cannot create a second delivery.
 */
export function deliveryIdOf(eventId: string, webhookId: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([eventId, webhookId]))
    .digest("hex");
  return `dlv_${digest.slice(0, 32)}`;
}
