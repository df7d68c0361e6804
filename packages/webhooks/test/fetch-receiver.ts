import { verifyWebhook, WebhookError, type WebhookEvent } from "@procedo/webhooks/web";

/** A web handler: Next route handlers, Hono, Cloudflare Workers, Deno, Bun. */
export async function receive(
  request: Request,
  { secret, store }: { readonly secret: string; readonly store: (event: WebhookEvent) => Promise<void> },
): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
  try {
    const event = await verifyWebhook({
      body: await request.arrayBuffer(),
      signature: request.headers.get("X-Service-Signature"),
      oldSignature: request.headers.get("X-Service-Signature-Old"),
      secret,
    });
    await store(event);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!WebhookError.isError(error)) throw error;
    console.warn(error.message);
    return new Response(null, { status: error.status });
  }
}
