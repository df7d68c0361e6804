import type { WebhookEvent } from "@procedo/webhooks/web";
import { afterEach, expect, test, vi } from "vitest";
import { receive } from "./fetch-receiver.ts";
import { completed, exactBytes, failed, notEvents, secret, type Vector } from "./vectors.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

async function statusOf({ body, signature }: Partial<Vector>, method = "POST", key = secret): Promise<number> {
  const headers = { ...(signature === undefined ? {} : { "x-service-signature": signature }) };
  const request = new Request("https://example.com/webhooks", {
    method,
    headers,
    ...(method === "GET" ? {} : { body: new Uint8Array(Buffer.from(body ?? "")) }),
  });
  const store = async (event: WebhookEvent): Promise<void> => void stored.push(event);
  return (await receive(request, { secret: key, store })).status;
}

const stored: WebhookEvent[] = [];

test("stores a validly signed delivery, byte for byte", async () => {
  for (const vector of Object.values(exactBytes)) expect(await statusOf(vector)).toBe(204);
  expect(stored.splice(0)).toEqual(Object.values(exactBytes).map(({ body }) => JSON.parse(String(body)) as unknown));
});

test("refuses all others, without storing them", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  expect(await statusOf({ body: String(completed.body) })).toBe(401);
  expect(await statusOf({ ...completed, signature: "sha256=" })).toBe(401);
  expect(await statusOf({ ...completed, signature: failed.signature })).toBe(401);
  for (const vector of Object.values(notEvents)) expect(await statusOf(vector)).toBe(400);
  expect(await statusOf(completed, "GET")).toBe(405);
  expect(await statusOf(completed, "POST", "")).toBe(500);
  expect(warn).toHaveBeenCalledTimes(4 + Object.keys(notEvents).length);
  expect(stored).toEqual([]);
});

test("a header that was sent twice reaches the verifier joined, and is refused", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const headers = new Headers();
  headers.append("X-Service-Signature", completed.signature);
  headers.append("X-Service-Signature", completed.signature);
  expect(await statusOf({ ...completed, signature: headers.get("X-Service-Signature") ?? "" })).toBe(401);
});
