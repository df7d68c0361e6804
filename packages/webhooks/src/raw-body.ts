import { WebhookError } from "./webhook-error.ts";

/** A request's body as it came: text or bytes, never a parsed object. `Buffer` is a `Uint8Array`. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The body as an HMAC takes it, without a copy; `undefined` when it is none. */
export function readRawBody(body: unknown): string | Uint8Array | undefined {
  if (typeof body === "string") return body;
  // By shape rather than by instanceof: test runners and sandboxes have classes of their own.
  if (ArrayBuffer.isView(body)) {
    return body instanceof Uint8Array ? body : new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  }
  return Object.prototype.toString.call(body) === "[object ArrayBuffer]"
    ? new Uint8Array(body as ArrayBuffer)
    : undefined;
}

export function bodyNotRaw(body: unknown): WebhookError {
  const given = body === undefined || body === null ? "missing" : `of type ${typeof body}`;
  return new WebhookError(
    "body_not_raw",
    `The body is ${given}; the signature is over the request's exact bytes. Pass them before anything parses them: ` +
      `express.raw({ type: "application/json" }) in Express, await request.arrayBuffer() with a web Request.`,
  );
}
