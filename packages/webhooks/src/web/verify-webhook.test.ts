import { expect, test } from "vitest";
import { completed, failed, secret } from "../../test/vectors.ts";
import { signWebhook } from "./sign-webhook.ts";
import { verifyWebhook } from "./verify-webhook.ts";

test("a caller that changes its buffer meanwhile changes neither the check nor the event", async () => {
  const bytes = new TextEncoder().encode(String(completed.body));
  const event = verifyWebhook({ body: bytes, signature: completed.signature, secret });
  const signature = signWebhook({ body: bytes, secret });
  bytes.set(new TextEncoder().encode(String(failed.body)).subarray(0, bytes.length));
  expect(await event).toEqual(JSON.parse(String(completed.body)));
  expect(await signature).toBe(completed.signature);
});
