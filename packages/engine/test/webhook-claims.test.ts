import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ProcedoError } from "@procedo/contract";
import { createMemoryStorage, type DeliverySettlement, type Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createWebhookBench, hasEnded, receive, wasTried } from "./webhook-bench.ts";

describe("claims and settlements do not wait for each other", () => {
  type Call = "claim" | "settle";

  /** Storage of which one call answers late: what it does, it has done. */
  async function benchWithLate() {
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
    const openStorage = (now: () => number): Storage => {
      const storage = createMemoryStorage({ now });
      const { deliveries } = storage;
      return {
        ...storage,
        deliveries: {
          ...deliveries,
          claim: async (request) => {
            begin("claim");
            const claim = await deliveries.claim(request);
            claimed += claim.deliveries.length;
            await inTime("claim");
            return claim;
          },
          settle: async (items) => {
            begin("settle");
            if (items.some(isPoison)) throw new ProcedoError("storage_unavailable", "A page is damaged.");
            return deliveries.settle(items).finally(() => inTime("settle"));
          },
        },
      };
    };
    const held: ServerResponse[] = [];
    const receiver = await receive((response) => held.push(response));
    const bench = await createWebhookBench({ openStorage });
    const webhook = await bench.subscribe(receiver.url);
    return {
      bench,
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

  /** Of a receiver that was quick: 64 go out and are held, and more wait for it than have a claim made. */
  async function suppliedBench() {
    const late = await benchWithLate();
    const { bench, receiver, held, claimed } = late;
    const other = await receive(503);
    const comesDue = await bench.subscribe(other.url, { environment: "live" });
    await bench.tell("live");
    await bench.until(async () => (await bench.deliveries(comesDue)).some(wasTried));
    other.answer(200);
    for (let n = 0; n < 5_200; n++) await bench.tell();
    receiver.answer((response) => {
      if (receiver.requests.length <= 2_600) void nextTurn().then(() => response.writeHead(200).end());
      else held.push(response);
    });
    const answerHeld = (count: number): void => {
      for (const response of held.splice(0, count)) response.writeHead(200).end();
    };
    answerHeld(64);
    await bench.until(() => {
      if (held.length < 64) return false;
      const waits = claimed() - other.requests.length - receiver.requests.length;
      // What still does for no claim is too little for a test.
      if (waits < 2_100) answerHeld(8);
      return waits >= 2_100;
    });
    await bench.clock.settle();
    return { ...late, other, answerHeld };
  }

  test("a settlement asks for no claim while enough waits for a quick receiver, and one is made when others come due", async () => {
    const { bench, other, held, answerHeld, delay, calls, isLate, release } = await suppliedBench();
    const before = { ...calls };
    answerHeld(10);
    await bench.until(() => calls.settle > before.settle && held.length === 64);
    delay("settle");
    answerHeld(10);
    await bench.until(isLate);
    answerHeld(10);
    await bench.until(() => held.length === 64);
    expect(calls.claim).toBe(before.claim);

    await bench.clock.advance(6_000);
    expect(other.requests).toHaveLength(1);
    release();
    await bench.until(() => other.requests.length === 2);
    expect(calls.claim).toBe(before.claim + 1);
  });

  test("a claim waits for no stream of answers to end", async () => {
    const { bench, held, answerHeld, claimed } = await suppliedBench();
    const before = claimed();
    let answered = 0;
    let told: Promise<void> | undefined;
    while (claimed() === before && answered < 1_000) {
      if (held.length > 0) answered++;
      answerHeld(1);
      if (answered === 15) told ??= bench.tell("live");
      await nextTurn();
    }
    await told;
    // Otherwise it is made when less than half of what may wait does.
    expect(answered).toBeLessThan(80);
  });

  test("a claim that takes long holds up no settlement", async () => {
    const { bench, webhook, held, delay, isLate, release } = await benchWithLate();
    await bench.tell();
    await bench.until(() => held.length === 1);
    delay("claim");
    await bench.tell();
    await bench.until(isLate);
    held[0]?.writeHead(200).end();
    await bench.until(async () => (await bench.deliveries(webhook)).some(hasEnded));
    expect(held).toHaveLength(1);
    release();
    await bench.until(() => held.length === 2);
    held[1]?.writeHead(200).end();
    await bench.until(async () => (await bench.deliveries(webhook)).every(hasEnded));
  });

  test("a settlement that takes long holds up no claim, and what ends meanwhile is settled after it", async () => {
    const { bench, webhook, receiver, held, delay, isLate, release } = await benchWithLate();
    await bench.tell();
    await bench.until(() => held.length === 1);
    delay("settle");
    held[0]?.writeHead(200).end();
    await bench.until(isLate);
    receiver.answer(200);
    await bench.tell();
    await bench.until(() => receiver.requests.length === 2);
    expect((await bench.deliveries(webhook)).filter(hasEnded)).toHaveLength(1);
    release();
    await bench.until(async () => (await bench.deliveries(webhook)).every(hasEnded));
    expect(receiver.requests).toHaveLength(2);
  });

  test("a settlement that failed is tried again after a second, also beside a claim that takes long", async () => {
    const { bench, webhook, held, delay, fail, isFailing, isLate, release } = await benchWithLate();
    await bench.tell();
    await bench.until(() => held.length === 1);
    delay("claim");
    await bench.tell();
    await bench.until(isLate);
    fail("settle", 1);
    held[0]?.writeHead(200).end();
    await bench.until(() => !isFailing("settle"));
    expect((await bench.deliveries(webhook)).some(hasEnded)).toBe(false);
    await bench.clock.advance(1_000);
    await bench.until(async () => (await bench.deliveries(webhook)).some(hasEnded));
    expect(held).toHaveLength(1);
    release();
    await bench.until(() => held.length === 2);
    held[1]?.writeHead(200).end();
  });

  test("a settlement that storage never takes holds up no other", async () => {
    const { bench, webhook, receiver, held, failWith } = await benchWithLate();
    const pending = async (one = webhook) => (await bench.deliveries(one)).filter((each) => !hasEnded(each));
    await bench.tell();
    await bench.until(() => held.length === 1);
    const [poison] = await bench.deliveries(webhook);
    failWith(({ deliveryId }) => deliveryId === poison?.deliveryId);
    const other = await bench.subscribe((await receive(200)).url);
    /** With much time for connections beside the little that passes: far less than a lease. */
    const untilOthersEnded = () =>
      bench.until(async () => {
        for (let turn = 0; turn < 50; turn++) await bench.clock.settle();
        await bench.clock.advance(1_000);
        return (await pending()).length === 1 && (await pending(other)).length === 0;
      });
    for (let told = 0; told < 20; told++) await bench.tell();
    await bench.until(() => held.length === 21);
    for (const response of held.splice(0)) response.writeHead(200).end();
    await untilOthersEnded();
    receiver.answer(200);
    await bench.tell();
    await untilOthersEnded();
    expect(await pending()).toMatchObject([{ deliveryId: poison?.deliveryId }]);
    expect(receiver.requests).toHaveLength(22);
  });

  test("what is held stays bounded while settlements fail", async () => {
    const { bench, calls, claimed, fail } = await benchWithLate();
    for (let n = 0; n < 59; n++) await bench.subscribe((await receive(200)).url);
    fail("settle", Infinity);
    for (let told = 0; told < 40; told++) await bench.tell();
    for (let second = 0; second < 30; second++) await bench.clock.advance(1_000);
    expect(calls.settle).toBeGreaterThanOrEqual(20);
    // Of 2,400. What is settled makes room once, until it has failed.
    expect(claimed()).toBeGreaterThan(256);
    expect(claimed()).toBeLessThanOrEqual(1_024);
    fail("settle", 0);
  });

  test("a claim that failed is tried again after a second, whatever is told meanwhile", async () => {
    const { bench, receiver, calls, fail } = await benchWithLate();
    receiver.answer(200);
    await bench.clock.settle();
    const claims = calls.claim;
    fail("claim", 2);
    for (let told = 0; told < 5; told++) {
      await bench.tell();
      await bench.clock.settle();
    }
    expect(calls.claim).toBe(claims + 1);
    await bench.clock.advance(1_000);
    await bench.until(() => calls.claim === claims + 2);
    await bench.clock.advance(1_000);
    await bench.until(() => receiver.requests.length === 5);
  });

  test("what a claim hands over while the sender stops goes back unsent", async () => {
    const { bench, webhook, receiver, delay, isLate, release } = await benchWithLate();
    delay("claim");
    await bench.tell();
    await bench.until(isLate);
    const stopped = bench.stop(bench.engine);
    await nextTurn();
    release();
    await stopped;
    expect(receiver.requests).toEqual([]);
    const [delivery] = await bench.deliveries(webhook);
    expect(delivery).toMatchObject({ status: "pending", attemptCount: 0 });
  });
});
