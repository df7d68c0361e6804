import type { Webhook } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive, wasTried, type WebhookHarness } from "./webhook-harness.ts";

const events = ["run_completed", "run_failed", "human_review_requested", "custom.payment_sent"] as const;

async function delivered(harness: WebhookHarness) {
  const receiver = await receive(200);
  const webhook = await harness.subscribe(receiver.url);
  await harness.emitEvent();
  const delivery = await harness.deliveryThat(webhook, hasEnded);
  return { receiver, webhook, delivery };
}

async function attempts(harness: WebhookHarness, webhook: Webhook, deliveryId: string) {
  return (await harness.engine.webhooks.attempts({ ...webhook, deliveryId })).map(({ manual }) => manual);
}

describe("a resend", () => {
  test("is one new attempt with the same id and bytes, marked manual and on record", async () => {
    const harness = await createWebhookHarness();
    const { receiver, webhook, delivery } = await delivered(harness);
    const { deliveryId } = delivery;
    const resent = await harness.engine.webhooks.resend({ ...webhook, deliveryId, by: alice });
    expect(resent).toMatchObject({ deliveryId, status: "pending", attemptCount: 1 });
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 2 });
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body);
    expect(await attempts(harness, webhook, deliveryId)).toEqual([false, true]);
    expect((await harness.engine.audit.changes()).at(-1)).toMatchObject({
      action: "webhook.delivery_resent",
      by: "alice",
      subject: `sandbox/${webhook.webhookId}`,
      details: { deliveryId },
    });
  });

  test("of a delivered event reports a failure, and is not retried", async () => {
    const harness = await createWebhookHarness();
    const { receiver, webhook, delivery } = await delivered(harness);
    receiver.answer(500);
    await harness.engine.webhooks.resend({ ...webhook, ...delivery, by: alice });
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({
      status: "failed",
      responseCode: 500,
      deliveredAtMs: delivery.deliveredAtMs,
    });
    await harness.leap(48 * 3_600_000);
    expect(receiver.requests).toHaveLength(2);
  });

  test("of a waiting delivery is sent at once although the webhook was deactivated meanwhile", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const { deliveryId } = await harness.deliveryThat(webhook, wasTried);
    await harness.engine.webhooks.update({ ...webhook, isActive: false, by: alice });
    receiver.answer(200);
    const before = harness.clock.now();
    await harness.engine.webhooks.resend({ ...webhook, deliveryId, by: alice });
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 2 });
    expect(harness.clock.now()).toBe(before);
    expect(await attempts(harness, webhook, deliveryId)).toEqual([false, true]);
  });

  test("of a waiting delivery does not change the rest of its schedule", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const { deliveryId } = await harness.deliveryThat(webhook, wasTried);
    await harness.engine.webhooks.resend({ ...webhook, deliveryId, by: alice });
    await harness.until(async () => (await attempts(harness, webhook, deliveryId)).length === 2);
    expect(await attempts(harness, webhook, deliveryId)).toEqual([false, false]);
    expect((await harness.deliveries(webhook))[0]).toMatchObject({ status: "pending", attemptCount: 2 });
  });

  test("requested 50 times at once is one attempt, and a second click a moment later is none", async () => {
    const harness = await createWebhookHarness();
    const { receiver, webhook, delivery } = await delivered(harness);
    const other = await harness.addEngine();
    const resend = (index: number) =>
      (index % 2 === 0 ? harness.engine : other).webhooks.resend({ ...webhook, ...delivery, by: alice });
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => resend(index)));
    expect(new Set(results.map(({ deliveryId }) => deliveryId))).toEqual(new Set([delivery.deliveryId]));
    await harness.deliveryThat(webhook, hasEnded);
    await harness.clock.advance(4_999);
    await resend(0);
    await harness.clock.settle();
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ attemptCount: 2 });
    expect(receiver.requests).toHaveLength(2);
    expect(await attempts(harness, webhook, delivery.deliveryId)).toEqual([false, true]);
    const resent = (await harness.engine.audit.changes()).filter(({ action }) => action === "webhook.delivery_resent");
    expect(resent).toHaveLength(1);
    await harness.clock.advance(1);
    await resend(0);
    expect(
      await harness.deliveryThat(webhook, ({ attemptCount, status }) => attemptCount === 3 && status !== "pending"),
    ).toMatchObject({ status: "delivered" });
    await harness.stop(other);
  });

  test("of all failures since a time sends each of them once", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(410);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook)).every(hasEnded));
    const failed = (await harness.deliveries(webhook)).filter(({ status }) => status === "failed");
    const sinceMs = harness.clock.now();
    receiver.answer(200);
    for (const one of failed.filter(({ createdAtMs }) => createdAtMs >= sinceMs)) {
      await harness.engine.webhooks.resend({ ...webhook, ...one, by: alice });
    }
    await harness.until(async () => (await harness.deliveries(webhook)).every(({ status }) => status === "delivered"));
    expect(receiver.requests.map(({ id }) => id)).toEqual([...failed, ...failed].map(({ deliveryId }) => deliveryId));
  });

  test("of a missing delivery is refused", async () => {
    const harness = await createWebhookHarness();
    const { webhook, delivery } = await delivered(harness);
    const other = await harness.subscribe(webhook.url);
    const { resend } = harness.engine.webhooks;
    const by = alice;
    await expect(resend({ ...webhook, deliveryId: "dlv_0", by })).rejects.toMatchObject({ code: "not_found" });
    await expect(resend({ ...other, ...delivery, webhookId: other.webhookId, by })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(resend({ ...webhook, ...delivery, environment: "live", by })).rejects.toMatchObject({
      code: "webhook_not_found",
    });
  });

  test("requires the permission to manage, as a test does", async () => {
    const harness = await createWebhookHarness();
    const { webhook, delivery } = await delivered(harness);
    const by = { person: "eve", permissions: ["run", "review"] } as const;
    const refused = { code: "permission_denied" };
    await expect(harness.engine.webhooks.resend({ ...webhook, ...delivery, by })).rejects.toMatchObject(refused);
    await expect(harness.engine.webhooks.test({ ...webhook, by })).rejects.toMatchObject(refused);
    const elsewhere = { person: "eve", environment: "live" } as const;
    await expect(harness.engine.webhooks.test({ ...webhook, by: elsewhere })).rejects.toMatchObject({
      code: "environment_mismatch",
    });
  });
});

describe("a test", () => {
  test.each(events)("sends a sample of %s with the schema of the contract", async (event) => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    const posted = await harness.engine.webhooks.test({ ...webhook, event, by: alice });
    expect(posted).toMatchObject({ event, status: "pending", url: receiver.url, attemptCount: 0 });
    await harness.deliveryThat(webhook, hasEnded);
    const envelope = JSON.parse(receiver.requests[0]?.body.toString() ?? "") as unknown;
    expect(envelope).toMatchObject({ id: posted.deliveryId, event });
    expect(envelope).toHaveProperty("data.environment", "sandbox");
  });

  test("sends the first event that the webhook subscribed to, even if the webhook is inactive, once", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const wanted = { events: ["run_failed", "run_completed"], isActive: false };
    const webhook = await harness.subscribe(receiver.url, wanted);
    expect((await harness.engine.webhooks.test({ ...webhook, by: alice })).event).toBe("run_failed");
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "failed", attemptCount: 1 });
    await harness.leap(48 * 3_600_000);
    expect(receiver.requests).toHaveLength(1);
  });

  test("refuses an unknown event", async () => {
    const harness = await createWebhookHarness();
    const webhook = await harness.subscribe((await receive()).url);
    await expect(harness.engine.webhooks.test({ ...webhook, event: "nothing", by: alice })).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/event" }],
    });
    expect(await harness.deliveries(webhook)).toEqual([]);
  });
});
