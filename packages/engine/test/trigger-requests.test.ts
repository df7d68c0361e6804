import type { GivenTriggerSource } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice, bob } from "./harness.ts";
import { createTriggerHarness, daily, dayMs, hourly, paymentInput } from "./trigger-harness.ts";

const sandbox = "sandbox";
const hook: GivenTriggerSource = {
  kind: "webhook",
  authentication: { scheme: "token", header: "X-Token" },
  dedupe: { by: "none" },
};
const mapping = { input: { paymentId: "{{ event.id }}", amount: "{{ event.amount }}" } };

describe("the idempotency key of a fired trigger", () => {
  const open = async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    const address = { environment: sandbox, triggerId, idempotencyKey: "k", by: alice } as const;
    const first = await harness.engine.triggers.fire({ ...address, event: { id: "e1", amount: 1 } });
    return { ...harness, triggerId, address, first };
  };

  test("is the same firing with another order of members, also after its run has started", async () => {
    const { engine, address, first, clock, runs } = await open();
    await clock.advance(1_000);
    expect(await engine.triggers.fire({ ...address, event: { amount: 1, id: "e1" } })).toEqual(first);
    await clock.advance(1_000);
    expect(await runs()).toHaveLength(1);
  });

  test.each([
    ["another event", { event: { id: "e1", amount: 2 } }],
    ["the same as data", { data: { id: "e1", amount: 1 } }],
    ["another person", { event: { id: "e1", amount: 1 }, by: bob }],
  ])("is refused with %s", async (_what, given) => {
    const { engine, address, firings, triggerId } = await open();
    await expect(engine.triggers.fire({ ...address, ...given })).rejects.toMatchObject({
      code: "idempotency_conflict",
      status: 409,
    });
    expect(await firings(triggerId)).toHaveLength(1);
  });

  test("is compared for a schedule that is fired without data, too", async () => {
    const { engine, create } = await createTriggerHarness();
    const { triggerId } = await create(hourly);
    const address = { environment: sandbox, triggerId, idempotencyKey: "k", by: alice } as const;
    expect(await engine.triggers.fire(address)).toEqual(await engine.triggers.fire(address));
    await expect(engine.triggers.fire({ ...address, data: {} })).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
  });
});

describe("a repetition of a firing", () => {
  const open = async () => {
    const harness = await createTriggerHarness({ input: paymentInput });
    const { triggerId } = await harness.create(hook, mapping);
    const address = { environment: sandbox, triggerId, by: alice } as const;
    const { firingId } = await harness.engine.triggers.fire({ ...address, event: { id: "e1", amount: "x" } });
    await harness.clock.advance(1_000);
    const mend = () => harness.engine.triggers.update({ ...address, input: { paymentId: "p", amount: 1 } });
    return { ...harness, triggerId, mend, address: { ...address, firingId } };
  };

  test("that is asked for twice is one firing and one run, before and after its start", async () => {
    const { engine, address, mend, clock, runs } = await open();
    await mend();
    const [one, two] = await Promise.all([engine.triggers.refire(address), engine.triggers.refire(address)]);
    await clock.advance(1_000);
    expect(two).toEqual(one);
    expect(await engine.triggers.refire({ ...address, by: bob })).toEqual(one);
    await clock.advance(1_000);
    expect(await runs()).toHaveLength(1);
  });

  test("that fails as well can be asked for again", async () => {
    const { engine, address, mend, clock, runs } = await open();
    const first = await engine.triggers.refire(address);
    await clock.advance(1_000);
    expect(await engine.triggers.firing({ ...address, ...first })).toMatchObject({ status: "failed" });
    await mend();
    expect(await engine.triggers.refire(address)).not.toEqual(first);
    await clock.advance(1_000);
    expect(await runs()).toHaveLength(1);
  });

  test("with an idempotency key is one firing for the key, of the person who gave it", async () => {
    const { engine, address, mend, clock, runs } = await open();
    await mend();
    const withKey = { ...address, idempotencyKey: "k" };
    expect(await engine.triggers.refire(withKey)).toEqual(await engine.triggers.refire(withKey));
    await expect(engine.triggers.refire({ ...withKey, by: bob })).rejects.toMatchObject({
      code: "idempotency_conflict",
    });
    await clock.advance(1_000);
    expect(await runs()).toHaveLength(1);
  });
});

describe("a backfill refuses before it counts", () => {
  const open = async (source: GivenTriggerSource) => {
    const { create, engine, clock } = await createTriggerHarness();
    const { triggerId } = await create(source, { overlap: "queue" });
    const backfill = (fromMs: number) =>
      engine.triggers.backfill({ environment: sandbox, triggerId, by: alice, fromMs, toMs: clock.now() });
    return { backfill, nowMs: clock.now() };
  };
  const refused = (text: string) => ({
    code: "invalid_input",
    details: [{ path: "/from", message: expect.stringContaining(text) as string }],
  });

  test("a period since the year 1", async () => {
    const { backfill } = await open({ ...hourly, timeZone: "Europe/Berlin" });
    await expect(backfill(Date.parse("0001-01-01T00:00:00Z"))).rejects.toMatchObject(refused("366 days"));
  });

  test("a period with more than 100 times", async () => {
    const { backfill, nowMs } = await open(daily);
    await expect(backfill(nowMs - 101 * dayMs)).rejects.toMatchObject(refused("more than 100 times"));
    expect(await backfill(nowMs - 100 * dayMs)).toEqual({ added: 100, known: 0 });
  });
});
