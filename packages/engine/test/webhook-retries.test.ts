import type { Webhook } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive, wasTried, type WebhookHarness } from "./webhook-harness.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The number of ended attempts of the webhook's only delivery. */
async function attemptsOf({ engine, deliveries }: WebhookHarness, webhook: Webhook): Promise<number> {
  const [delivery] = await deliveries(webhook);
  const { deliveryId = "" } = delivery ?? {};
  return (await engine.webhooks.attempts({ ...webhook, deliveryId })).length;
}

describe("the schedule", () => {
  test("makes ten attempts with the same id and the same bytes, then the delivery has failed", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    const waitsMs: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await harness.until(async () => (await attemptsOf(harness, webhook)) === attempt);
      const delivery = await harness.deliveryThat(webhook, wasTried);
      if (delivery.nextAttemptAtMs === undefined) break;
      const waitMs = delivery.nextAttemptAtMs - harness.clock.now();
      waitsMs.push(waitMs);
      await harness.leap(waitMs);
    }
    const due = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)];
    expect(waitsMs).toHaveLength(9);
    for (const [index, waitMs] of waitsMs.entries()) {
      expect(waitMs / (due[index] ?? NaN)).toBeGreaterThanOrEqual(0.8);
      expect(waitMs / (due[index] ?? NaN)).toBeLessThanOrEqual(1.2);
    }
    const delivery = await harness.deliveryThat(webhook, hasEnded);
    expect(delivery).toMatchObject({ status: "failed", attemptCount: 10, error: "The receiver answered 500." });
    expect(receiver.requests).toHaveLength(10);
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(harness.engine.logged).toContain("warn: A delivery has failed.");
    await harness.leap(48 * hourMs);
    expect(receiver.requests).toHaveLength(10);
  });

  test("uses the address and the secret that the webhook has at the time of the attempt", async () => {
    const harness = await createWebhookHarness();
    const [first, second] = [await receive(500), await receive(200)];
    const webhook = await harness.subscribe(first.url);
    await harness.emitEvent();
    expect((await harness.deliveryThat(webhook, wasTried)).url).toBe(first.url);
    await harness.engine.webhooks.update({ ...webhook, by: alice, url: second.url });
    await harness.clock.advance(6 * secondMs);
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", url: second.url });
    expect(second.requests[0]?.id).toBe(first.requests[0]?.id);
  });

  test("never affects the run", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    const runId = await harness.run();
    await harness.deliveryThat(webhook, wasTried);
    await harness.leap(100 * hourMs);
    expect(await harness.read(runId)).toMatchObject({ status: "completed" });
  });
});

describe("a webhook that is failing", () => {
  test("shows since when, in its own environment, until an attempt is accepted", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(500);
    const other = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    await harness.subscribe(other.url);
    const { webhooks } = harness.engine;
    const sinces = async (environment: "sandbox" | "live" = "sandbox") =>
      (await webhooks.list({ environment, limit: 10 })).items.map(({ failingSinceMs }) => failingSinceMs);
    expect(await sinces()).toEqual([undefined, undefined]);
    const sinceMs = harness.clock.now();
    await harness.emitEvent();
    await harness.deliveryThat(webhook, wasTried);
    await harness.leap(6 * secondMs);
    await harness.until(async () => (await attemptsOf(harness, webhook)) === 2);
    expect((await webhooks.get(webhook)).failingSinceMs).toBe(sinceMs);
    expect(new Set(await sinces())).toEqual(new Set([sinceMs, undefined]));
    expect((await webhooks.update({ ...webhook, name: "renamed", by: alice })).failingSinceMs).toBe(sinceMs);
    expect(await sinces("live")).toEqual([]);
    const changedAtMs = harness.clock.now();
    expect((await webhooks.update({ ...webhook, url: `${receiver.url}/v2`, by: alice })).failingSinceMs).toBe(
      changedAtMs,
    );
    receiver.answer(200);
    await harness.leap(6 * minuteMs);
    await harness.deliveryThat(webhook, hasEnded);
    expect(await webhooks.get(webhook)).not.toHaveProperty("failingSinceMs");
  });

  test("is counted while it is active, and if the service deactivated it, but not if a person did", async () => {
    const harness = await createWebhookHarness();
    const { webhooks, summary } = harness.engine;
    const count = async (environment: "sandbox" | "live" = "sandbox") => {
      harness.clock.leap(5_000);
      return (await summary.read({ environment, by: alice })).attention.webhooksFailing;
    };
    const [receiver, gone] = [await receive(500), await receive(410)];
    const webhook = await harness.subscribe(receiver.url);
    const leaving = await harness.subscribe(gone.url);
    expect(await count()).toBe(0);
    await harness.emitEvent();
    await harness.deliveryThat(webhook, wasTried);
    await harness.until(async () => !(await webhooks.get(leaving)).isActive);
    expect(await count()).toBe(2);
    expect(await count("live")).toBe(0);
    await webhooks.update({ ...webhook, isActive: false, by: alice });
    expect(await count()).toBe(1);
    await webhooks.remove({ ...leaving, by: alice });
    expect(await count()).toBe(0);
  });
});

describe("a webhook that is deactivated or removed", () => {
  async function waiting(harness: WebhookHarness) {
    const receiver = await receive(500);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.deliveryThat(webhook, wasTried);
    return { receiver, webhook };
  }

  test("gets no more deliveries; waiting ones are skipped and can be resent", async () => {
    const harness = await createWebhookHarness();
    const { receiver, webhook } = await waiting(harness);
    await harness.engine.webhooks.update({ ...webhook, by: alice, isActive: false });
    receiver.answer(200);
    await harness.clock.advance(6 * secondMs);
    const skipped = await harness.deliveryThat(webhook, hasEnded);
    expect(skipped).toMatchObject({
      status: "skipped",
      attemptCount: 1,
      responseCode: 500,
      error:
        "No attempt was made: the webhook was inactive. Deactivated by alice. Activate the webhook and resend this delivery.",
    });
    expect(receiver.requests).toHaveLength(1);
    await harness.engine.webhooks.resend({ ...webhook, ...skipped, by: alice });
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 2 });
  });

  test("gets no more deliveries after its removal", async () => {
    const harness = await createWebhookHarness();
    const { receiver, webhook } = await waiting(harness);
    await harness.engine.webhooks.remove({ ...webhook, by: alice });
    await harness.clock.advance(6 * secondMs);
    const stored = { scope: { workspace: "default", environment: "sandbox" }, webhookId: webhook.webhookId } as const;
    expect((await harness.storage.deliveries.list({ ...stored, limit: 9 })).items).toMatchObject([
      { status: "failed", attemptCount: 1, error: "The webhook was removed before this was delivered." },
    ]);
    expect(receiver.requests).toHaveLength(1);
    const deliveries = harness.engine.webhooks.deliveries({ ...webhook, limit: 9 });
    await expect(deliveries).rejects.toMatchObject({ code: "webhook_not_found" });
  });
});

describe("a webhook that has accepted nothing for 120 hours", () => {
  test("is deactivated once by the first engine that notices, with a notice and an audit entry", async () => {
    const harness = await createWebhookHarness();
    const engines = [harness.engine, await harness.addEngine({ egress: { allowNetworks: ["127.0.0.1/32"] } })];
    const [dead, sound] = [await receive(503), await receive(200)];
    const webhook = await harness.subscribe(dead.url);
    const other = await harness.subscribe(sound.url);
    for (let count = 0; count < 4; count++) await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook)).every(wasTried));
    await harness.leap(119 * hourMs);
    await harness.until(() => dead.requests.length === 8);
    expect((await harness.engine.webhooks.get(webhook)).isActive).toBe(true);
    await harness.leap(2 * hourMs);
    await harness.until(async () => !(await harness.engine.webhooks.get(webhook)).isActive);
    const changes = (await harness.engine.audit.changes()).filter(({ action }) => action === "webhook.deactivated");
    expect(changes).toMatchObject([
      {
        by: "procedo",
        subject: `sandbox/${webhook.webhookId}`,
        details: { reason: "Every attempt to deliver has failed since 2026-01-02T12:00:00.000Z." },
      },
    ]);
    const notices = engines.flatMap(({ logged }) => logged.filter((line) => line.includes("deactivated")));
    expect(notices).toEqual(["warn: A webhook was deactivated."]);
    expect((await harness.deliveries(other)).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    expect((await harness.engine.webhooks.get(other)).isActive).toBe(true);
    for (const engine of engines.slice(1)) await harness.stop(engine);
  });

  test("stays active if it accepts a delivery now and then", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(503);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook)).every(wasTried));
    await harness.leap(100 * hourMs);
    await harness.until(() => receiver.requests.length === 2);
    receiver.answer(200);
    await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook))[0]?.status === "delivered");
    receiver.answer(503);
    await harness.leap(100 * hourMs);
    await harness.until(() => receiver.requests.length === 4);
    await harness.until(async () => (await harness.deliveries(webhook))[1]?.attemptCount === 3);
    await harness.clock.settle();
    expect((await harness.engine.webhooks.get(webhook)).isActive).toBe(true);
  });

  test("is not deactivated because of a test that failed days ago", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(503);
    const webhook = await harness.subscribe(receiver.url);
    await harness.engine.webhooks.test({ ...webhook, by: alice });
    await harness.deliveryThat(webhook, hasEnded);
    await harness.leap(200 * hourMs);
    await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook)).every(wasTried));
    await harness.clock.settle();
    expect((await harness.engine.webhooks.get(webhook)).isActive).toBe(true);
  });

  test("gets a fresh period when it is activated again", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(503);
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(async () => (await harness.deliveries(webhook)).every(wasTried));
    await harness.leap(121 * hourMs);
    await harness.until(async () => !(await harness.engine.webhooks.get(webhook)).isActive);
    await harness.engine.webhooks.update({ ...webhook, by: alice, isActive: true });
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 3);
    await harness.until(async () => (await harness.deliveries(webhook))[0]?.error !== undefined);
    await harness.clock.settle();
    expect((await harness.engine.webhooks.get(webhook)).isActive).toBe(true);
  });
});

describe("receivers do not slow each other", () => {
  /**
   * The milliseconds until the condition holds: batches are settled every few milliseconds, and an attempt ends after
   * 15 s.
   */
  async function timeUntil({ clock }: WebhookHarness, isSo: () => Promise<boolean>): Promise<number> {
    const beginMs = clock.now();
    while (!(await isSo())) await clock.advance(1);
    return clock.now() - beginMs;
  }

  test("a receiver that never answers takes an eighth of the places at most; others get theirs before it times out", async () => {
    const harness = await createWebhookHarness();
    const [hanging, sound] = [await receive(() => {}), await receive(200)];
    const stuck = await harness.subscribe(hanging.url);
    for (let count = 0; count < 100; count++) await harness.emitEvent();
    await harness.until(() => hanging.requests.length >= 50);
    const webhook = await harness.subscribe(sound.url);
    for (let count = 0; count < 100; count++) await harness.emitEvent();
    const ended = async () => (await harness.deliveries(webhook)).filter(hasEnded).length;
    expect(await timeUntil(harness, async () => (await ended()) === 100)).toBeLessThan(15 * secondMs);
    expect(hanging.requests.length).toBeLessThanOrEqual(64);
    const tried = (await harness.deliveries(stuck)).filter(({ attemptCount }) => attemptCount > 0);
    expect(tried.length).toBeLessThanOrEqual(64);
  });

  test("many receivers that never answer leave places for the others", async () => {
    const harness = await createWebhookHarness();
    const hanging = await receive(() => {});
    for (let count = 0; count < 40; count++) await harness.subscribe(hanging.url);
    for (let count = 0; count < 40; count++) await harness.emitEvent();
    const sound = await receive(200);
    const webhook = await harness.subscribe(sound.url);
    for (let count = 0; count < 40; count++) await harness.emitEvent();
    const ended = async () => (await harness.deliveries(webhook)).filter(hasEnded).length;
    expect(await timeUntil(harness, async () => (await ended()) === 40)).toBeLessThan(15 * secondMs);
    expect(hanging.requests.length).toBeGreaterThan(40);
    expect(hanging.requests.length).toBeLessThan(512);
  });
});
