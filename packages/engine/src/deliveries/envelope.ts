import { oldSignatureHeader, signatureHeader, signWebhook } from "@procedo/webhooks";
import type { ClaimedDelivery } from "@procedo/storage";

/** The secrets that sign a webhook's deliveries. */
export interface SigningSecrets {
  readonly secret: string;
  /** The previous secret, if a rotation kept it. */
  readonly old: { readonly secret: string; readonly expiresAtMs: number } | undefined;
}

/**
 * The request body: the same bytes in every attempt. The event's data is inserted as it is stored, so that every number
 * and character stays unchanged. Pure.
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
