import { bodyNotRaw, type RawBody, readRawBody } from "../raw-body.ts";
import { checkSecret } from "../secrets.ts";
import { hmacKey, toBytes } from "./hmac-key.ts";

/**
 * The value of the signature header for a body: `sha256=` and the HMAC-SHA256 of its bytes as 64 lower-case hex digits,
 * keyed with the secret's text as it is shown.
 *
 * @param request.body - the body, byte for byte; text is sent as UTF-8
 * @throws WebhookError `invalid_secret`, `body_not_raw`
 */
export async function signWebhook(request: { readonly body: RawBody; readonly secret: string }): Promise<string> {
  const secret = checkSecret(request.secret);
  const body = readRawBody(request.body);
  if (body === undefined) throw bodyNotRaw(request.body);
  const bytes = toBytes(body);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKey(secret), bytes));
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
