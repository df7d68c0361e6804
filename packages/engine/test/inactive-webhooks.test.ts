import type { ServerResponse } from "node:http";
import type { Webhook } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, bob } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive, wasTried, type WebhookHarness } from "./webhook-harness.ts";

const hourMs = 3_600_000;
const managing = { ...bob, permissions: ["manage"] } as const;

/** The webhook's last deliveries, oldest first, once none of them is pending. */
async function endedDeliveries(harness: WebhookHarness, webhook: Webhook, count: number) {
  const last = async () => (await harness.deliveries(webhook)).slice(0, count).toReversed();
  await harness.until(async () => (await last()).filter(hasEnded).length === count);
  return await last();
}

async function until410(harness: WebhookHarness, webhook: Webhook): Promise<void> {
  await harness.emitEvent();
  await harness.until(async () => !(await harness.engine.webhooks.get(webhook)).isActive);
}

async function untilDead(harness: WebhookHarness, webhook: Webhook): Promise<void> {
  await harness.emitEvent();
  await harness.until(async () => (await harness.deliveries(webhook)).every(wasTried));
  await harness.leap(121 * hourMs);
  await harness.until(async () => !(await harness.engine.webhooks.get(webhook)).isActive);
}

describe("events while a webhook is inactive", () => {
  test.each<
    [why: string, status: number, because: string, (harness: WebhookHarness, webhook: Webhook) => Promise<unknown>]
  >([
    [
      "by hand",
      200,
      "Deactivated by bob.",
      ({ engine }, webhook) => engine.webhooks.update({ ...webhook, isActive: false, by: managing }),
    ],
    ["because its receiver answered 410", 410, "The receiver answered 410: it wants no more deliveries.", until410],
    [
      "because every attempt failed for 120 hours",
      503,
      "Every attempt to deliver has failed since 2026-01-02T12:00:00.000Z.",
      untilDead,
    ],
  ])("%s are recorded as skipped, with the reason, and can be sent afterwards in their order", async (...args) => {
    const [, status, because, deactivate] = args;
    const harness = await createWebhookHarness();
    const receiver = await receive(status);
    const webhook = await harness.subscribe(receiver.url);
    await deactivate(harness, webhook);
    const deactivatedAtMs = harness.clock.now();
    expect(await harness.engine.webhooks.get(webhook)).toMatchObject({
      isActive: false,
      deactivatedAtMs,
      deactivatedBecause: because,
    });
    await harness.clock.advance(1_000);
    const sinceMs = harness.clock.now();
    const sent = receiver.requests.length;
    for (let count = 0; count < 3; count++) await harness.emitEvent();
    const skipped = await endedDeliveries(harness, webhook, 3);
    const error = `No attempt was made: the webhook was inactive. ${because} Activate the webhook and resend this delivery.`;
    expect(skipped).toMatchObject(Array(3).fill({ status: "skipped", attemptCount: 0, error }));
    expect(receiver.requests).toHaveLength(sent);

    receiver.answer(200);
    await harness.engine.webhooks.update({ ...webhook, isActive: true, by: alice });
    await harness.clock.advance(60_000);
    expect(receiver.requests).toHaveLength(sent);
    expect(await harness.engine.webhooks.resendSince({ ...webhook, sinceMs, by: alice })).toMatchObject({ resent: 3 });
    expect(await endedDeliveries(harness, webhook, 3)).toMatchObject(
      skipped.map(({ deliveryId }) => ({ deliveryId, status: "delivered", attemptCount: 1 })),
    );
    expect(receiver.requests.slice(sent).map(({ id }) => id)).toEqual(skipped.map(({ deliveryId }) => deliveryId));
  });

  test("are recorded for a webhook that was created inactive, as far as it subscribes to them", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url, { isActive: false });
    const deaf = await harness.subscribe(receiver.url, { isActive: false, events: ["run_failed"] });
    await harness.emitEvent();
    const later = await harness.subscribe(receiver.url, { isActive: false });
    expect(await endedDeliveries(harness, webhook, 1)).toMatchObject([
      { status: "skipped", attemptCount: 0, error: expect.stringContaining("Created inactive by alice.") },
    ]);
    for (const other of [deaf, later]) expect(await harness.deliveries(other)).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  test("cannot be resent until the webhook is active, with a message that says so", async () => {
    const harness = await createWebhookHarness();
    const webhook = await harness.subscribe((await receive(200)).url);
    await harness.engine.webhooks.update({ ...webhook, isActive: false, by: alice });
    await harness.emitEvent();
    await endedDeliveries(harness, webhook, 1);
    await expect(harness.engine.webhooks.resendSince({ ...webhook, sinceMs: 0, by: alice })).rejects.toMatchObject({
      code: "webhook_inactive",
      message:
        `Webhook "${webhook.webhookId}" is inactive since 2026-01-02T12:00:00.000Z. Deactivated by alice. ` +
        "Activate it, then resend its deliveries.",
    });
    expect(await harness.deliveries(webhook)).toMatchObject([{ status: "skipped" }]);
  });

  test("are skipped again if the receiver answers 410 during a resend, so that the rest is not sent", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url, { isActive: false });
    const count = 100;
    for (let reported = 0; reported < count; reported++) await harness.emitEvent();
    await endedDeliveries(harness, webhook, count);
    await harness.engine.webhooks.update({ ...webhook, isActive: true, by: alice });
    receiver.answer(410);
    const request = { ...webhook, sinceMs: 0, by: alice };
    expect(await harness.engine.webhooks.resendSince(request)).toMatchObject({ resent: count });
    const statuses = (await endedDeliveries(harness, webhook, count)).map(({ status }) => status);
    const failed = statuses.filter((status) => status === "failed").length;
    expect(statuses).toEqual([
      ...Array<string>(failed).fill("failed"),
      ...Array<string>(count - failed).fill("skipped"),
    ]);
    // At most 64 deliveries of one webhook are in progress at once.
    expect(failed).toBeLessThanOrEqual(64);
    expect(receiver.requests).toHaveLength(failed);
  });

  test("that a sender had claimed before it noticed the deactivation are attempted or skipped, and none is lost", async () => {
    const harness = await createWebhookHarness();
    const other = await harness.addEngine({ egress: { allowNetworks: ["127.0.0.1/32"] } });
    const held: ServerResponse[] = [];
    const receiver = await receive((response) => void held.push(response));
    const webhook = await harness.subscribe(receiver.url);
    for (let count = 0; count < 3; count++) await harness.emitEvent();
    await harness.until(() => held.length === 3);
    await other.webhooks.update({ ...webhook, isActive: false, by: alice });
    for (let count = 0; count < 3; count++) await harness.emitEvent();
    for (const response of held) response.writeHead(200).end();
    receiver.answer(200);
    const statuses = (await endedDeliveries(harness, webhook, 6)).map(({ status }) => status);
    expect(statuses).toEqual([...Array<string>(3).fill("delivered"), ...Array<string>(3).fill("skipped")]);
    await other.webhooks.update({ ...webhook, isActive: true, by: alice });
    await harness.clock.advance(5_000);
    expect(await other.webhooks.resendSince({ ...webhook, sinceMs: 0, by: alice })).toMatchObject({ resent: 3 });
    await endedDeliveries(harness, webhook, 6);
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(6);
    expect(receiver.requests).toHaveLength(6);
    await harness.stop(other);
  });

  test("are skipped after a crash as well: before the sender records it, and after", async () => {
    for (const before of [true, false]) {
      const harness = await createWebhookHarness();
      const receiver = await receive(200);
      const webhook = await harness.subscribe(receiver.url, { isActive: false });
      harness.engine.way.on("deliveries.settle", async (work) => {
        if (!before) await work();
        harness.engine.way.cut();
        return await new Promise(() => {});
      });
      await harness.emitEvent();
      await harness.until(() => harness.engine.way.count("deliveries.settle") === 1);
      const other = await harness.addEngine();
      await harness.leap(60_000);
      const scope = { workspace: "default", environment: "sandbox" } as const;
      const stored = async () => (await harness.storage.deliveries.list({ scope, ...webhook, limit: 9 })).items;
      await harness.until(async () => (await stored()).every(({ status }) => status !== "pending"));
      expect(await stored()).toMatchObject([{ status: "skipped" }]);
      expect(receiver.requests).toEqual([]);
      await harness.stop(other);
    }
  });
});

describe("an inactive webhook shows", () => {
  test("the person's name in its normal form, from its creation on", async () => {
    const harness = await createWebhookHarness();
    const by = { person: " Ana@Example.com" };
    const webhook = await harness.subscribe("https://93.184.216.34/hook", { isActive: false, by });
    expect(webhook.deactivatedBecause).toBe("Created inactive by ana@example.com.");
    const address = { environment: webhook.environment, webhookId: webhook.webhookId, by };
    await harness.engine.webhooks.update({ ...address, isActive: true });
    const { deactivatedBecause } = await harness.engine.webhooks.update({ ...address, isActive: false });
    expect(deactivatedBecause).toBe("Deactivated by ana@example.com.");
  });

  test("the time of its first deactivation, until it is activated", async () => {
    const harness = await createWebhookHarness();
    const webhook = await harness.subscribe("https://93.184.216.34/hook");
    const { update } = harness.engine.webhooks;
    const address = { environment: webhook.environment, webhookId: webhook.webhookId };
    const deactivatedAtMs = harness.clock.now();
    const reason = { deactivatedAtMs, deactivatedBecause: "Deactivated by alice." };
    expect(await update({ ...address, isActive: false, by: alice })).toMatchObject(reason);
    await harness.clock.advance(1_000);
    expect(await update({ ...address, isActive: false, by: managing })).toMatchObject(reason);
    expect(await update({ ...address, name: "ledger", by: managing })).toMatchObject(reason);
    const active = await update({ ...address, isActive: true, by: alice });
    expect(Object.keys(active)).toEqual(expect.not.arrayContaining(["deactivatedAtMs", "deactivatedBecause"]));
  });
});
