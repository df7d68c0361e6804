import type { WebhookEvent } from "../events.ts";
import { bodyNotRaw, readRawBody } from "../raw-body.ts";
import { readEvent } from "../read-event.ts";
import type { ReceivedWebhook } from "../received-webhook.ts";
import { checkSecrets } from "../secrets.ts";
import { hexDigests, refused, signatureFault } from "../signature.ts";
import { hmacKey, toBytes } from "./hmac-key.ts";

/**
 * The event of a webhook whose signature is right, narrowed by `event`.
 *
 * @throws WebhookError `missing_signature`, `malformed_signature`, `wrong_signature` (answer 401 to each, alike);
 *   `not_json`, `not_an_event` (400); `body_not_raw`, `invalid_secret` (the receiver's own set-up)
 * @example
 * const body = await request.arrayBuffer();
 * const event = await verifyWebhook({ body, signature: request.headers.get("X-Service-Signature"), secret });
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const secrets = checkSecrets(received.secret);
  const body = readRawBody(received.body);
  if (body === undefined) throw bodyNotRaw(received.body);
  const fault = signatureFault(received.signature);
  if (fault !== undefined) throw refused(fault);
  const bytes = toBytes(body);
  if (!(await isSigned(bytes, received, secrets))) throw refused("wrong_signature");
  return readEvent(bytes);
}

/**
 * Whether a body is signed by one of the secrets. Never rejects for anything that a sender controls: a body
 * that is not raw has no valid signature ({@link verifyWebhook} says why).
 *
 * @throws WebhookError `invalid_secret`
 */
export async function isValidSignature(received: ReceivedWebhook): Promise<boolean> {
  const secrets = checkSecrets(received.secret);
  const body = readRawBody(received.body);
  if (body === undefined || signatureFault(received.signature) !== undefined) return false;
  return isSigned(toBytes(body), received, secrets);
}

/** Compares with every secret; `subtle.verify` compares in constant time. */
async function isSigned(
  body: Uint8Array<ArrayBuffer>,
  { signature, oldSignature }: ReceivedWebhook,
  secrets: readonly string[],
): Promise<boolean> {
  const given = hexDigests(signature, oldSignature).map(decodeHex);
  const keys = await Promise.all(secrets.map(hmacKey));
  const answers = await Promise.all(
    keys.flatMap((key) => given.map((bytes) => crypto.subtle.verify("HMAC", key, bytes, body))),
  );
  return answers.includes(true);
}

function decodeHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}
