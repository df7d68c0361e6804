import { describe, expect, test } from "vitest";
import { defineIntegration, z, type InboundEvent, type ListRequest } from "@procedo/engine";
import { alice, bob } from "./harness.ts";
import { createTriggerHarness, daily, dayMs, hourMs, paymentInput } from "./trigger-harness.ts";

const sandbox = "sandbox";

describe("a backfill of a schedule", () => {
  test.each(["skip", "queue_one"] as const)("of several times is refused with the overlap %s", async (overlap) => {
    const { create, engine, clock } = await createTriggerHarness();
    const { triggerId } = await create(daily, { overlap });
    const toMs = clock.now();
    const request = { environment: sandbox, triggerId, by: alice, toMs } as const;
    await expect(engine.triggers.backfill({ ...request, fromMs: toMs - 3 * dayMs })).rejects.toMatchObject({
      code: "invalid_input",
      details: [{ path: "/from", message: expect.stringContaining(`the overlap "${overlap}"`) as string }],
    });
    expect(await engine.triggers.backfill({ ...request, fromMs: toMs - dayMs })).toEqual({ added: 1, known: 0 });
  });

  test("starts one run for each time with the overlap queue, and none again for a repeated request", async () => {
    const { create, engine, clock, runs } = await createTriggerHarness();
    const { triggerId } = await create(daily, { overlap: "queue" });
    const toMs = clock.now();
    const request = { environment: sandbox, triggerId, by: alice, fromMs: toMs - 3 * dayMs, toMs } as const;
    expect(await engine.triggers.backfill(request)).toEqual({ added: 3, known: 0 });
    await clock.advance(hourMs);
    expect(await runs()).toHaveLength(3);
    expect(await engine.triggers.backfill(request)).toEqual({ added: 0, known: 3 });
  });

  test("starts runs for the person who asked, so that this person is the one who may not approve them", async () => {
    const { create, engine, clock, runs, trigger } = await createTriggerHarness();
    const { triggerId } = await create(daily, { overlap: "allow" });
    const toMs = clock.now();
    await engine.triggers.backfill({ environment: sandbox, triggerId, by: bob, fromMs: toMs - 2 * dayMs, toMs });
    await clock.advance(hourMs);
    expect((await runs()).map(({ startedBy }) => startedBy)).toEqual(["bob", "bob"]);
    expect((await trigger(triggerId)).updatedBy).toBe("bob");
    const changes = await engine.audit.changes({ limit: 50 });
    expect(changes.find(({ action }) => action === "trigger.backfilled")).toMatchObject({
      by: "bob",
      details: { fromMs: toMs - 2 * dayMs },
    });
  });

  test("of a paused trigger is refused, and leaves its times for later", async () => {
    const { create, engine, clock } = await createTriggerHarness();
    const { triggerId } = await create(daily, { overlap: "queue" });
    const toMs = clock.now();
    const request = { environment: sandbox, triggerId, by: alice, fromMs: toMs - 2 * dayMs, toMs } as const;
    await engine.triggers.pause({ environment: sandbox, triggerId, by: alice });
    await expect(engine.triggers.backfill(request)).rejects.toMatchObject({ code: "invalid_input" });
    await engine.triggers.resume({ environment: sandbox, triggerId, by: alice });
    expect(await engine.triggers.backfill(request)).toEqual({ added: 2, known: 0 });
  });
});

test("a change of nothing by another person takes a trigger over", async () => {
  const { create, engine, trigger } = await createTriggerHarness();
  const { triggerId, revision } = await create(daily);
  await engine.triggers.update({ environment: sandbox, triggerId, by: alice, name: "t" });
  expect((await trigger(triggerId)).revision).toBe(revision);
  await engine.triggers.update({ environment: sandbox, triggerId, by: bob, name: "t" });
  expect((await trigger(triggerId)).updatedBy).toBe("bob");
});

describe("a backfill of events", () => {
  const secret = "the-secret-of-the-shop";
  const open = async (list: ((request: ListRequest) => Promise<readonly InboundEvent[]>) | undefined) => {
    const shop = defineIntegration({
      name: "shop",
      secrets: z.object({ key: z.string() }),
      actions: {},
      inbound: {
        events: ["paid", "refunded"].map((type) => ({ type, title: type, sample: {} })),
        verify: () => true,
        parse: () => [],
        ...(list !== undefined && { list }),
      },
    });
    const harness = await createTriggerHarness({ integrations: [shop], input: paymentInput });
    const { engine, clock } = harness;
    await engine.connections.create({
      ...{ name: "shop", integration: "shop", environment: sandbox, secrets: { key: secret }, by: alice },
    });
    const input = { paymentId: "{{ event.id }}", amount: "{{ event.amount }}" };
    const source = { kind: "integration" as const, connection: "shop", events: ["paid"] };
    const { triggerId } = await harness.create(source, { input });
    const toMs = clock.now();
    const backfill = () =>
      engine.triggers.backfill({ environment: sandbox, triggerId, by: alice, fromMs: toMs - dayMs, toMs });
    return { ...harness, triggerId, backfill };
  };
  const event = (id: string, type = "paid"): InboundEvent => {
    return { id, type, occurredAtMs: undefined, event: { id, amount: 5, key: secret } };
  };

  test("asks the service for the trigger's types, and starts one run for each event that had not arrived", async () => {
    const asked: unknown[] = [];
    const harness = await open(async ({ types, fromMs, toMs, secrets, environment, redactor }) => {
      asked.push({ types, ms: toMs - fromMs, secrets, environment, said: redactor.text(`with ${secret}`) });
      return [event("e1"), event("e2"), event("e3", "refunded")];
    });
    expect(await harness.backfill()).toEqual({ added: 2, known: 0 });
    const connection = { secrets: { key: secret }, environment: sandbox, said: "with [redacted]" };
    expect(asked).toEqual([{ types: ["paid"], ms: dayMs, ...connection }]);
    await harness.clock.advance(1_000);
    expect(await harness.runs()).toHaveLength(2);
    expect(await harness.backfill()).toEqual({ added: 0, known: 2 });
    const [first] = await harness.firings(harness.triggerId);
    const { content } = await harness.engine.triggers.firing({
      ...{ environment: sandbox, triggerId: harness.triggerId, firingId: first?.firingId ?? "" },
    });
    expect(content?.event).toEqual({ id: "e1", amount: 5, key: "[redacted]" });
  });

  test("of more than 100 events takes none", async () => {
    const { backfill, firings, triggerId } = await open(async () =>
      Array.from({ length: 101 }, (_, n) => event(`e${n}`)),
    );
    await expect(backfill()).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/from" }] });
    expect(await firings(triggerId)).toEqual([]);
  });

  test("of a service that fails says so without the connection's secrets", async () => {
    const { backfill } = await open(() => Promise.reject(new Error(`No access with ${secret}.`)));
    await expect(backfill()).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: 'The events of connection "shop" could not be listed: No access with [redacted].',
    });
  });

  test("of a service that cannot list its events is refused", async () => {
    const { backfill } = await open(undefined);
    await expect(backfill()).rejects.toMatchObject({ code: "invalid_input", details: [{ path: "/from" }] });
  });
});
