import { storageUnavailable, type VerbName } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/contract";
import type { DeliverySettlement } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { alice, holdDeliveries, type HarnessEngine } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive, wasTried, type WebhookHarness } from "./webhook-harness.ts";

const leaseMs = 60_000;

/** From the next call of the verb on, the engine behaves like a killed process: none of its requests arrives. */
function killedAt(engine: HarnessEngine, verb: VerbName, before: boolean): void {
  engine.way.on(verb, async (work) => {
    if (!before) await work();
    engine.way.cut();
    return await new Promise(() => {});
  });
}

async function taken(harness: WebhookHarness): Promise<HarnessEngine> {
  const other = await harness.addEngine();
  await harness.leap(leaseMs);
  return other;
}

describe("a process that dies", () => {
  test("before it sends: another process sends, and the attempt counts, because it may have left", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    killedAt(harness.engine, "deliveries.claim", false);
    await harness.emitEvent().catch(() => {});
    const [claimed] = (await harness.storage.deliveries.list({ scope: scopeOf(), ...webhook, limit: 9 })).items;
    expect(claimed).toMatchObject({ status: "pending", attemptCount: 1 });
    expect(receiver.requests).toEqual([]);
    const other = await taken(harness);
    await harness.until(() => receiver.requests.length === 1);
    expect(await shown(harness, other, webhook)).toMatchObject([{ status: "delivered", attemptCount: 2 }]);
    await harness.stop(other);
  });

  test("after it sent, or after the answer: the receiver gets the same id and bytes again", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    killedAt(harness.engine, "deliveries.settle", true);
    await harness.emitEvent();
    await harness.until(() => harness.engine.way.count("deliveries.settle") === 1);
    const other = await taken(harness);
    await harness.until(() => receiver.requests.length === 2);
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body);
    expect(await shown(harness, other, webhook)).toMatchObject([
      { deliveryId: receiver.requests[0]?.id, status: "delivered", attemptCount: 2 },
    ]);
    await harness.stop(other);
  });

  test.each([
    ["of a run", (harness: WebhookHarness) => harness.emitEvent()],
    [
      "that a person requested",
      async ({ engine }: WebhookHarness, webhook: Webhook) => {
        await engine.webhooks.test({ ...webhook, by: alice });
      },
    ],
  ] as const)(
    "at each attempt of a delivery %s ends it as failed after the tenth, and a person can resend it",
    async (_what, cause) => {
      const harness = await createWebhookHarness();
      const receiver = await receive(200);
      const webhook = await harness.subscribe(receiver.url);
      holdDeliveries(harness.engine);
      await cause(harness, webhook);
      const limits = { total: 9, perWebhook: 9 };
      const request = { workspace: "default", limits: { sandbox: limits, live: limits }, leaseMs };
      for (let attempt = 1; attempt <= 10; attempt++) {
        expect((await harness.storage.deliveries.claim(request)).deliveries).toMatchObject([{ attempt }]);
        await harness.leap(leaseMs);
      }
      const other = await harness.addEngine();
      const [delivery] = await shown(harness, other, webhook);
      const error = "All 10 attempts were used, and the result of the last one is not known. Resend this delivery.";
      expect(delivery).toMatchObject({ status: "failed", attemptCount: 10, error });
      expect(receiver.requests).toEqual([]);
      await other.webhooks.resend({ ...webhook, deliveryId: delivery?.deliveryId ?? "", by: alice });
      await harness.until(() => receiver.requests.length === 1);
      expect(await shown(harness, other, webhook)).toMatchObject([{ status: "delivered", attemptCount: 11 }]);
      await harness.stop(other);
    },
  );
});

describe("a settlement that storage refuses", () => {
  test("delays no other: its delivery ends as failed, and nothing is sent twice", async () => {
    const harness = await createWebhookHarness();
    const [receiver, refused] = [await receive(200), await receive(200)];
    const webhooks = [await harness.subscribe(receiver.url), await harness.subscribe(receiver.url)];
    const odd = await harness.subscribe(refused.url);
    harness.engine.way.on("deliveries.settle", async (work, request) => {
      const items = request as readonly DeliverySettlement[];
      if (items.some(({ attempt }) => attempt?.url === refused.url)) throw new ProcedoError("invalid_input", "No.");
      return await work();
    });
    for (let count = 0; count < 3; count++) await harness.emitEvent();
    const all = async () => (await Promise.all([...webhooks, odd].map(harness.deliveries))).flat();
    await harness.until(async () => (await all()).every(hasEnded));
    await harness.clock.advance(2 * leaseMs);
    for (const webhook of webhooks) {
      expect((await harness.deliveries(webhook)).map(({ status }) => status)).toEqual(Array(3).fill("delivered"));
    }
    expect(await harness.deliveries(odd)).toMatchObject(
      Array(3).fill({ status: "failed", attemptCount: 0, error: expect.stringContaining("could not be stored") }),
    );
    expect([receiver.requests.length, refused.requests.length]).toEqual([6, 3]);
    expect(harness.engine.logged).toContain("error: The result of a delivery cannot be stored.");
  });

  test("is not caused by a webhook's address: characters that storage cannot hold are replaced", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const [odd, sound] = [await harness.subscribe(receiver.url), await harness.subscribe(receiver.url)];
    const { records } = harness.storage;
    const row = await records.get({ workspace: "default", kind: "webhook", id: odd.webhookId });
    if (row === undefined) throw new Error("The webhook is not stored.");
    const body = JSON.stringify({ ...(JSON.parse(row.body) as object), url: `${receiver.url}\ud800` });
    await records.put({ record: { ...row, body }, ifRevision: row.revision });
    await harness.emitEvent();
    expect(await harness.deliveryThat(odd, wasTried)).toMatchObject({ url: `${receiver.url}\ufffd`, attemptCount: 1 });
    await harness.deliveryThat(sound, hasEnded);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("storage that does not answer", () => {
  test("gets the result of a delivery when it answers again, and nothing is sent twice", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    let failures = 3;
    harness.engine.way.on("deliveries.settle", async (work) => {
      failures -= 1;
      if (failures >= 0) throw storageUnavailable();
      return await work();
    });
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    await harness.until(async () => {
      await harness.clock.advance(1_000);
      return failures < 0;
    });
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 1 });
    expect(receiver.requests).toHaveLength(1);
  });

  test("loses an answer: the claimed delivery is sent when its lease has ended", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    let lost = false;
    harness.engine.way.on("deliveries.claim", async (work) => {
      const answer = (await work()) as { deliveries: readonly unknown[] };
      if (lost || answer.deliveries.length === 0) return answer;
      lost = true;
      throw storageUnavailable();
    });
    await harness.emitEvent();
    await harness.clock.advance(leaseMs + 1_000);
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 2 });
    expect(receiver.requests).toHaveLength(1);
  });

  test("is read periodically although no notice announced deliveries", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    harness.engine.way.deafen();
    await harness.emitEvent();
    await harness.clock.settle();
    expect(receiver.requests).toEqual([]);
    await harness.clock.advance(5_000);
    await harness.deliveryThat(webhook, hasEnded);
  });
});

test("a webhook whose secret cannot be decrypted is reported, and its delivery waits without an attempt", async () => {
  const harness = await createWebhookHarness();
  const receiver = await receive(200);
  const webhook = await harness.subscribe(receiver.url);
  const { records } = harness.storage;
  const row = await records.get({ workspace: "default", kind: "webhook", id: webhook.webhookId });
  if (row === undefined) throw new Error("The webhook is not stored.");
  const altered = row.body.replace(/(?<="secret":"v1\.k1\.)./, (first) => (first === "A" ? "B" : "A"));
  await records.put({ record: { ...row, body: altered }, ifRevision: row.revision });
  await harness.emitEvent();
  expect(await harness.deliveryThat(webhook, ({ error }) => error !== undefined)).toMatchObject({
    status: "pending",
    attemptCount: 0,
    nextAttemptAtMs: harness.clock.now() + 300_000,
  });
  expect(receiver.requests).toEqual([]);
  expect(harness.engine.logged).toContain(
    "error: The secrets of a webhook could not be decrypted; its delivery waits.",
  );
  await records.put({ record: row, ifRevision: row.revision + 1 });
  await harness.leap(300_000);
  expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 1 });
});

describe("a stopped engine", () => {
  test("makes no more claims and waits for the requests in progress", async () => {
    const harness = await createWebhookHarness();
    let answer = (): void => {};
    const receiver = await receive((response) => {
      answer = () => void response.writeHead(200).end();
    });
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    const stopped = harness.engine.stop({ drainMs: 10_000 });
    answer();
    await stopped;
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 1 });
  });

  test("releases aborted deliveries to other engines at once", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(() => {});
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    const beforeMs = harness.clock.now();
    await harness.stop(harness.engine);
    const [waiting] = await harness.deliveries(webhook);
    expect(waiting).toMatchObject({
      status: "pending",
      attemptCount: 1,
      error: expect.stringMatching(
        / was stopped: the server was shut down before the receiver had answered\.$/,
      ) as string,
    });
    expect(waiting?.nextAttemptAtMs).toBeLessThanOrEqual(beforeMs + 1_000);
    receiver.answer(200);
    const other = await harness.addEngine();
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered", attemptCount: 2 });
    await harness.stop(other);
  });

  test("counts an abort neither against the receiver nor in the schedule", async () => {
    const harness = await createWebhookHarness();
    const receiver = await receive(() => {});
    const webhook = await harness.subscribe(receiver.url);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 1);
    await harness.stop(harness.engine);
    receiver.answer(503);
    await harness.leap(121 * 3_600_000);
    const other = await harness.addEngine();
    const delivery = await harness.deliveryThat(webhook, ({ responseCode }) => responseCode === 503);
    await harness.clock.settle();
    expect((await other.webhooks.get(webhook)).isActive).toBe(true);
    const attempts = await other.webhooks.attempts({ ...webhook, deliveryId: delivery.deliveryId });
    expect(attempts).toMatchObject([{ failure: "aborted" }, { failure: "status" }]);
    // The second attempt's delay, because this was the first one of the schedule.
    expect((delivery.nextAttemptAtMs ?? NaN) - harness.clock.now()).toBeLessThanOrEqual(6_000);
    await harness.stop(other);
  });

  test("sends nothing if it was never started; another engine does", async () => {
    const harness = await createWebhookHarness({ started: false });
    const receiver = await receive(200);
    const webhook = await harness.subscribe(receiver.url);
    await harness.engine.webhooks.test({ ...webhook, by: { person: "alice" } });
    await harness.clock.advance(60_000);
    expect(receiver.requests).toEqual([]);
    const other = await harness.addEngine({ started: true });
    await harness.deliveryThat(webhook, hasEnded);
    await harness.stop(other);
  });
});

type Webhook = Awaited<ReturnType<WebhookHarness["subscribe"]>>;

function scopeOf() {
  return { workspace: "default", environment: "sandbox" } as const;
}

/** Deliveries as another engine sees them, once they have ended. */
async function shown(
  harness: WebhookHarness,
  engine: HarnessEngine,
  webhook: { environment: "sandbox" | "live"; webhookId: string },
) {
  const read = async () => (await engine.webhooks.deliveries({ ...webhook, limit: 9 })).items;
  await harness.until(async () => (await read()).every(hasEnded));
  return await read();
}
