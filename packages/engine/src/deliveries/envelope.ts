import { oldSignatureHeader, signatureHeader, signWebhook } from "@procedo/webhooks";
import type { ClaimedDelivery } from "@procedo/storage";

/** What signs a webhook's deliveries. */
export interface SigningSecrets {
  readonly secret: string;
  /** Kept by a rotation. */
  readonly old: { readonly secret: string; readonly expiresAtMs: number } | undefined;
}

/**
 * The bytes that a receiver is sent: the same for every attempt. The event's data goes in as it is stored, so that no
 * number and no character changes on the way. Pure.
 */
export function envelopeOf({ deliveryId, event, createdAtMs, data }: ClaimedDelivery): Uint8Array {
  const createdAt = new Date(createdAtMs).toISOString();
  const head = JSON.stringify({ id: deliveryId, event, createdAt });
  return Buffer.from(`${head.slice(0, -1)},"data":${data}}`);
}

/** Headers of a delivery, signed over exactly these bytes. Pure. */
export function signedHeaders(
  body: Uint8Array,
  { secret, old }: SigningSecrets,
  nowMs: number,
): Record<string, string> {
  const headers = { "content-type": "application/json", [signatureHeader]: signWebhook({ body, secret }) };
  if (old === undefined || old.expiresAtMs <= nowMs) return headers;
  return { ...headers, [oldSignatureHeader]: signWebhook({ body, secret: old.secret }) };
}
