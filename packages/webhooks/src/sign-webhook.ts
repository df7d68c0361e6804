import { nodeCrypto } from "./node-crypto.ts";
import { bodyNotRaw, type RawBody, readRawBody } from "./raw-body.ts";
import { checkSecret } from "./secrets.ts";

/**
 * The value of the signature header for a body: `sha256=` and the HMAC-SHA256 of its bytes as 64 lower-case hex digits,
 * keyed with the secret's text as it is shown. For those who send webhooks, and for tests of receivers.
 *
 * @param request.body - the body, byte for byte; text is sent as UTF-8
 * @throws WebhookError `invalid_secret`, `body_not_raw`, `unsupported_runtime`
 * @example
 * const headers = { "X-Service-Signature": signWebhook({ body, secret }) };
 */
export function signWebhook(request: { readonly body: RawBody; readonly secret: string }): string {
  const secret = checkSecret(request.secret);
  const body = readRawBody(request.body);
  if (body === undefined) throw bodyNotRaw(request.body);
  return `sha256=${nodeCrypto().createHmac("sha256", secret).update(body).digest("hex")}`;
}
