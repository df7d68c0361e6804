import { isValidSignature, verifyWebhook } from "@procedo/webhooks";
import { expect, describe, test } from "vitest";
import { alice } from "./harness.ts";
import { end, procedure } from "./documents.ts";
import { createWebhookHarness, hasEnded, receive, type ReceivedRequest } from "./webhook-harness.ts";

const hourMs = 3_600_000;
const signature = "x-service-signature";
const oldSignature = "x-service-signature-old";

function isSigned(request: ReceivedRequest | undefined, secret: string, header = signature): boolean {
  if (request === undefined) throw new Error("Nothing was received.");
  return isValidSignature({ body: request.body, secret, signature: request.headers[header] });
}

describe("a delivered request", () => {
  test("verifies over its raw bytes, for any characters and numbers in the event", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive();
    const { secret, ...webhook } = await harness.subscribe(receiver.url);
    const output = { text: "{{ input.text }}", big: "{{ input.big }}" };
    await harness.publish(procedure([end("done", output)], { procedureId: "odd" }), { defaultIn: ["sandbox"] });
    const data = { text: "Zürich \u2028 💶 \ud800 \"'\\", big: "12345678901234567890.10" };
    await harness.run(data, { procedureId: "odd" });
    await harness.deliveryThat(webhook, hasEnded);
    const [request] = receiver.requests;
    expect(isSigned(request, secret)).toBe(true);
    const event = verifyWebhook({ body: request?.body ?? "", secret, signature: request?.headers[signature] });
    expect(event).toMatchObject({ event: "run_completed", data: { environment: "sandbox", status: "completed" } });
    expect(request?.rawHeaders.filter((name) => name.toLowerCase() === signature)).toHaveLength(1);
    expect(request?.headers).not.toHaveProperty(oldSignature);
  });

  test("does not verify with another secret, after a change of a byte, or when the JSON is rewritten", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive();
    const { secret, ...webhook } = await harness.subscribe(receiver.url);
    const other = await harness.subscribe(receiver.url, { events: ["run_failed"] });
    await harness.emitEvent();
    await harness.deliveryThat(webhook, hasEnded);
    const [request] = receiver.requests;
    if (request === undefined) throw new Error("Nothing was received.");
    expect(isSigned(request, other.secret)).toBe(false);
    for (let index = 0; index < request.body.length; index++) {
      const body = Buffer.from(request.body);
      body.writeUInt8(body.readUInt8(index) ^ 1, index);
      expect(isSigned({ ...request, body }, secret)).toBe(false);
    }
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(request.body.toString()), null, 1));
    expect(isSigned({ ...request, body: rewritten }, secret)).toBe(false);
  });

  test("is also signed with the old secret for 24 hours if a rotation keeps it", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive();
    const webhook = await harness.subscribe(receiver.url);
    const rotated = await harness.engine.webhooks.rotate({ ...webhook, keepOldSecret: true, by: alice });
    expect(rotated).toMatchObject({ oldSecretExpiresAtMs: harness.clock.now() + 24 * hourMs });
    expect(rotated.secret).toMatch(/^whsec_[\w-]{43}$/);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    expect(isSigned(receiver.requests[0], rotated.secret)).toBe(true);
    expect(isSigned(receiver.requests[0], webhook.secret, oldSignature)).toBe(true);
    await harness.leap(24 * hourMs);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 2);
    expect(isSigned(receiver.requests[1], rotated.secret)).toBe(true);
    expect(receiver.requests[1]?.headers).not.toHaveProperty(oldSignature);
  });

  test("is signed with the new secret alone if a rotation drops the old one, even one that was kept before", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive();
    const webhook = await harness.subscribe(receiver.url);
    await harness.engine.webhooks.rotate({ ...webhook, keepOldSecret: true, by: alice });
    const rotated = await harness.engine.webhooks.rotate({ ...webhook, by: alice });
    expect(rotated.oldSecretExpiresAtMs).toBeUndefined();
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    expect(isSigned(receiver.requests[0], rotated.secret)).toBe(true);
    expect(receiver.requests[0]?.headers).not.toHaveProperty(oldSignature);
  });
});
