import type { WebhookEvent } from "./events.ts";
import { nodeCrypto } from "./node-crypto.ts";
import { bodyNotRaw, readRawBody } from "./raw-body.ts";
import { readEvent } from "./read-event.ts";
import type { ReceivedWebhook } from "./received-webhook.ts";
import { checkSecrets } from "./secrets.ts";
import { hexDigests, refused, signatureFault } from "./signature.ts";

/**
 * The event of a webhook whose signature is right, narrowed by `event`.
 *
 * @throws WebhookError `missing_signature`, `malformed_signature`, `wrong_signature` (answer 401 to each, alike);
 *   `not_json`, `not_an_event` (400); `body_not_raw`, `invalid_secret`, `unsupported_runtime` (the receiver's own set-up)
 * @example
 * const event = verifyWebhook({ body, signature: request.headers["x-service-signature"], secret });
 * if (event.event === "run_completed") console.log(event.data.output);
 */
export function verifyWebhook(received: ReceivedWebhook): WebhookEvent {
  const secrets = checkSecrets(received.secret);
  const body = readRawBody(received.body);
  if (body === undefined) throw bodyNotRaw(received.body);
  const fault = signatureFault(received.signature);
  if (fault !== undefined) throw refused(fault);
  if (!isSigned(body, received, secrets)) throw refused("wrong_signature");
  return readEvent(body);
}

/**
 * Whether a body is signed by one of the secrets. Never throws for anything that a sender controls: a body
 * that is not raw has no valid signature ({@link verifyWebhook} says why).
 *
 * @throws WebhookError `invalid_secret`, `unsupported_runtime`
 */
export function isValidSignature(received: ReceivedWebhook): boolean {
  const secrets = checkSecrets(received.secret);
  const body = readRawBody(received.body);
  return body !== undefined && signatureFault(received.signature) === undefined && isSigned(body, received, secrets);
}

/** Compares with every secret, so that the time does not tell which one matches. */
function isSigned(
  body: string | Uint8Array,
  { signature, oldSignature }: ReceivedWebhook,
  secrets: readonly string[],
): boolean {
  const { createHmac, timingSafeEqual } = nodeCrypto();
  const given = hexDigests(signature, oldSignature).map((hex) => Buffer.from(hex, "hex"));
  let isRight = false;
  for (const secret of secrets) {
    // By way of text, which Node hands over faster than bytes.
    const digest = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"), "hex");
    for (const bytes of given) {
      const isSame = timingSafeEqual(digest, bytes);
      isRight ||= isSame;
    }
  }
  return isRight;
}
