import type { CreatedWebhook, CreateWebhookRequest } from "@procedo/contract";

/** Subscribes a receiver through the API. Returns the signing secret, which is shown only once. */
export async function createWebhook(given: {
  readonly appUrl: string;
  readonly key: string;
  readonly url: string;
}): Promise<string> {
  const events: CreateWebhookRequest["events"] = [
    "run_completed",
    "run_failed",
    "human_review_requested",
    "custom.payment_sent",
  ];
  const response = await fetch(`${given.appUrl}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${given.key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: given.url, events }),
  });
  if (!response.ok) throw new Error(`The webhook was refused: ${await response.text()}`);
  return ((await response.json()) as CreatedWebhook).secret;
}
