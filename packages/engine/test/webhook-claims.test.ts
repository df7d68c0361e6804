import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { interceptVerbs } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/contract";
import { createMemoryStorage, type DeliverySettlement, type Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createWebhookHarness, hasEnded, receive } from "./webhook-harness.ts";

describe("claims and settlements of deliveries", () => {
  type Call = "claim" | "settle";

  /** A storage whose answer to one verb can be delayed, after its work is done. */
  async function harnessWithLate() {
    let late: Call | undefined;
    const calls = { claim: 0, settle: 0 };
    const failures = { claim: 0, settle: 0 };
    let isPoison = (_item: DeliverySettlement): boolean => false;
    let claimed = 0;
    const waiting: (() => void)[] = [];
    const begin = (call: Call): void => {
      calls[call]++;
      if (failures[call] > 0) throw new ProcedoError("storage_unavailable", `${failures[call]--} to go`);
    };
    const inTime = async (call: Call): Promise<void> => {
      if (call === late) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    const openStorage = (now: () => number): Storage =>
      interceptVerbs(createMemoryStorage({ now }), {
        "deliveries.claim": async (send) => {
          begin("claim");
          const claim = await send();
          claimed += claim.deliveries.length;
          await inTime("claim");
          return claim;
        },
        "deliveries.settle": async (send, items) => {
          begin("settle");
          if (items.some(isPoison)) throw new ProcedoError("storage_unavailable", "A page is damaged.");
          try {
            return await send();
          } finally {
            await inTime("settle");
          }
        },
      });
    const held: ServerResponse[] = [];
    const receiver = await receive((response) => held.push(response));
    const harness = await createWebhookHarness({ openStorage });
    const webhook = await harness.subscribe(receiver.url);
    return {
      harness,
      webhook,
      receiver,
      held,
      delay: (call: Call) => (late = call),
      calls,
      claimed: () => claimed,
      failWith: (isSo: typeof isPoison) => (isPoison = isSo),
      fail: (call: Call, times: number) => (failures[call] = times),
      isFailing: (call: Call) => failures[call] > 0,
      isLate: () => waiting.length > 0,
      release: () => {
        late = undefined;
        for (const resolve of waiting.splice(0)) resolve();
      },
    };
  }

  test("a slow claim delays no settlement", async () => {
    const { harness, webhook, held, delay, isLate, release } = await harnessWithLate();
    await harness.emitEvent();
    await harness.until(() => held.length === 1);
    delay("claim");
    await harness.emitEvent();
    await harness.until(isLate);
    held[0]?.writeHead(200).end();
    await harness.until(async () => (await harness.deliveries(webhook)).some(hasEnded));
    expect(held).toHaveLength(1);
    release();
    await harness.until(() => held.length === 2);
    held[1]?.writeHead(200).end();
    await harness.until(async () => (await harness.deliveries(webhook)).every(hasEnded));
  });

  test("a slow settlement delays no claim, and deliveries that end meanwhile are settled after it", async () => {
    const { harness, webhook, receiver, held, delay, isLate, release } = await harnessWithLate();
    await harness.emitEvent();
    await harness.until(() => held.length === 1);
    delay("settle");
    held[0]?.writeHead(200).end();
    await harness.until(isLate);
    receiver.answer(200);
    await harness.emitEvent();
    await harness.until(() => receiver.requests.length === 2);
    expect((await harness.deliveries(webhook)).filter(hasEnded)).toHaveLength(1);
    release();
    await harness.until(async () => (await harness.deliveries(webhook)).every(hasEnded));
    expect(receiver.requests).toHaveLength(2);
  });

  test("a failed settlement is retried after a second, even beside a slow claim", async () => {
    const { harness, webhook, held, delay, fail, isFailing, isLate, release } = await harnessWithLate();
    await harness.emitEvent();
    await harness.until(() => held.length === 1);
    delay("claim");
    await harness.emitEvent();
    await harness.until(isLate);
    fail("settle", 1);
    held[0]?.writeHead(200).end();
    await harness.until(() => !isFailing("settle"));
    expect((await harness.deliveries(webhook)).some(hasEnded)).toBe(false);
    await harness.clock.advance(1_000);
    await harness.until(async () => (await harness.deliveries(webhook)).some(hasEnded));
    expect(held).toHaveLength(1);
    release();
    await harness.until(() => held.length === 2);
    held[1]?.writeHead(200).end();
  });

  test("a settlement that storage never accepts delays no other", async () => {
    const { harness, webhook, receiver, held, failWith } = await harnessWithLate();
    const pending = async (one = webhook) => (await harness.deliveries(one)).filter((each) => !hasEnded(each));
    await harness.emitEvent();
    await harness.until(() => held.length === 1);
    const [poison] = await harness.deliveries(webhook);
    failWith(({ deliveryId }) => deliveryId === poison?.deliveryId);
    const other = await harness.subscribe((await receive(200)).url);
    /** Real connections get enough time although little of the clock's time passes: far less than a lease. */
    const untilOthersEnded = () =>
      harness.until(async () => {
        for (let turn = 0; turn < 50; turn++) await harness.clock.settle();
        await harness.clock.advance(1_000);
        return (await pending()).length === 1 && (await pending(other)).length === 0;
      });
    for (let reported = 0; reported < 20; reported++) await harness.emitEvent();
    await harness.until(() => held.length === 21);
    for (const response of held.splice(0)) response.writeHead(200).end();
    await untilOthersEnded();
    receiver.answer(200);
    await harness.emitEvent();
    await untilOthersEnded();
    expect(await pending()).toMatchObject([{ deliveryId: poison?.deliveryId }]);
    expect(receiver.requests).toHaveLength(22);
  });

  test("the number of claimed deliveries stays bounded while settlements fail", async () => {
    const { harness, calls, claimed, fail } = await harnessWithLate();
    for (let n = 0; n < 59; n++) await harness.subscribe((await receive(200)).url);
    fail("settle", Infinity);
    for (let reported = 0; reported < 40; reported++) await harness.emitEvent();
    for (let second = 0; second < 30; second++) await harness.clock.advance(1_000);
    expect(calls.settle).toBeGreaterThanOrEqual(20);
    // Of 2,400, all in one environment.
    expect(claimed()).toBeGreaterThan(256);
    expect(claimed()).toBeLessThanOrEqual(384);
    fail("settle", 0);
  });

  test("a failed claim is retried after a second, however many events there are meanwhile", async () => {
    const { harness, receiver, calls, fail } = await harnessWithLate();
    receiver.answer(200);
    await harness.clock.settle();
    const claims = calls.claim;
    fail("claim", 2);
    for (let reported = 0; reported < 5; reported++) {
      await harness.emitEvent();
      await harness.clock.settle();
    }
    expect(calls.claim).toBe(claims + 1);
    await harness.clock.advance(1_000);
    await harness.until(() => calls.claim === claims + 2);
    await harness.clock.advance(1_000);
    await harness.until(() => receiver.requests.length === 5);
  });

  test("deliveries of a claim that ends while the sender stops are released without an attempt", async () => {
    const { harness, webhook, receiver, delay, isLate, release } = await harnessWithLate();
    delay("claim");
    await harness.emitEvent();
    await harness.until(isLate);
    const stopped = harness.stop(harness.engine);
    await nextTurn();
    release();
    await stopped;
    expect(receiver.requests).toEqual([]);
    const [delivery] = await harness.deliveries(webhook);
    expect(delivery).toMatchObject({ status: "pending", attemptCount: 0 });
  });
});
