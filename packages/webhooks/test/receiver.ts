import type { IncomingMessage, RequestListener } from "node:http";
import { verifyWebhook, WebhookError, type WebhookEvent } from "@procedo/webhooks";

export interface ReceiverOptions {
  readonly path: string;
  readonly secret: string | readonly string[];
  /**
   * Stores the event, durable when it resolves, unless one with the same `id` is stored: with a unique index,
   * `INSERT … ON CONFLICT DO NOTHING`. Process the stored event after the answer.
   */
  readonly store: (event: WebhookEvent) => Promise<void>;
  /** The reason for which a request was refused, for the log. */
  readonly refused: (reason: string) => void;
}

const maxBodyBytes = 5 * 1024 * 1024;

/** A listener for `createServer` of `node:http`. */
export function createReceiver(options: ReceiverOptions): RequestListener {
  return (request, response) => {
    void answer(request, options).then((status) => {
      // The rest of a refused request's body is not read: the connection closes.
      if (!request.complete) response.setHeader("Connection", "close");
      response.writeHead(status, status === 405 ? { Allow: "POST" } : {}).end();
    });
  };
}

async function answer(request: IncomingMessage, { path, secret, store, refused }: ReceiverOptions): Promise<number> {
  if (request.url?.split("?")[0] !== path) return 404;
  if (request.method !== "POST") return 405;
  // The signature covers the bytes as sent; Procedo sends them uncompressed.
  if (request.headers["content-encoding"] !== undefined) return 415;
  if (request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() !== "application/json") return 415;
  try {
    const body = await readBody(request);
    if (body === undefined) return 413;
    const event = verifyWebhook({
      body,
      signature: request.headers["x-service-signature"],
      oldSignature: request.headers["x-service-signature-old"],
      secret,
    });
    await store(event);
    return 204;
  } catch (error) {
    refused(error instanceof Error ? error.message : "unknown");
    // 500 when the store failed: the delivery is sent again.
    return WebhookError.isError(error) ? error.status : 500;
  }
}

/** The received bytes; `undefined` if there are too many, without keeping them. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
