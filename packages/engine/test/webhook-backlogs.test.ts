import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ProcedoError } from "@procedo/contract";
import { createMemoryStorage, type DeliverySettlement, type Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createWebhookBench, hasEnded, receive, wasTried } from "./webhook-bench.ts";

/** Storage that judges a claim by what was so before the settlements that were sent with it, as Postgres may. */
function claimingFirst(storage: Storage): Storage {
  const { deliveries } = storage;
  return {
    ...storage,
    deliveries: {
      ...deliveries,
      settle: async (items) => {
        await nextTurn();
        return deliveries.settle(items);
      },
    },
  };
}

test("what waits for others of its webhook goes out as soon as they have ended", async () => {
  const held: ServerResponse[] = [];
  const receiver = await receive((response) => held.push(response));
  const bench = await createWebhookBench({ openStorage: (now) => claimingFirst(createMemoryStorage({ now })) });
  await bench.subscribe(receiver.url);
  for (let n = 0; n < 100; n++) await bench.tell();
  // What one webhook may have under way.
  await bench.until(() => held.length >= 56);
  for (const response of held.splice(0)) response.writeHead(200).end();
  // None of these is answered, which would have the sender look again.
  await bench.until(() => receiver.requests.length === 100);
  expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(100);
  for (const response of held) response.writeHead(200).end();
});

describe("a backlog of one webhook", () => {
  /** A receiver that holds the first requests until all are told, and then answers in the next turn. */
  async function backlogOf(count: number) {
    const claimed = { now: 0, most: 0, largest: 0, settledAtOnce: 0 };
    const open = { now: 0, most: 0 };
    const held: ServerResponse[] = [];
    const opened = (response: ServerResponse): void => {
      open.most = Math.max(open.most, ++open.now);
      response.once("close", () => open.now--);
    };
    const receiver = await receive((response) => {
      opened(response);
      held.push(response);
    });
    const bench = await createWebhookBench({
      openStorage: (now) => countingClaims(createMemoryStorage({ now }), claimed),
    });
    const webhook = await bench.subscribe(receiver.url);
    for (let n = 0; n < count; n++) await bench.tell();
    await bench.until(() => held.length >= 56);
    const answer = async (response: ServerResponse): Promise<void> => {
      await nextTurn();
      response.writeHead(200).end();
    };
    /** Has the receiver answer at once what it holds, and what comes while `isQuick` says so. */
    const goOn = (isQuick: () => boolean = () => true): void => {
      receiver.answer((response) => {
        opened(response);
        if (isQuick()) void answer(response);
        else held.push(response);
      });
      for (const response of held.splice(0)) void answer(response);
    };
    return { bench, webhook, receiver, claimed, open, held, goOn };
  }

  test("is claimed in larger lots while the receiver is quick, and sent no faster than 64 at once", async () => {
    const { bench, webhook, receiver, claimed, open, goOn } = await backlogOf(9_000);
    expect(claimed.most).toBeLessThanOrEqual(64);
    goOn();
    await bench.until(() => receiver.requests.length >= 9_000 && claimed.now === 0);
    expect((await bench.deliveries(webhook)).every(hasEnded)).toBe(true);
    expect(receiver.requests).toHaveLength(9_000);
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(9_000);
    expect(claimed.most).toBeGreaterThan(256);
    expect(claimed.most).toBeLessThanOrEqual(4_096);
    // Of the room for 512 a claim takes half. What waits for a quick receiver is not in it.
    expect(claimed.largest).toBeGreaterThan(256);
    expect(claimed.largest).toBeLessThanOrEqual(4_032);
    expect(open.most).toBeLessThanOrEqual(64);
    expect(claimed.settledAtOnce).toBeGreaterThan(512);
  });

  test("goes back without an attempt as soon as the receiver hangs, and is as small as any other then", async () => {
    const { bench, webhook, receiver, claimed, held, goOn } = await backlogOf(900);
    goOn(() => receiver.requests.length < 500);
    await bench.until(() => held.length === 64 && claimed.now > 128);
    const sound = await receive(200);
    const other = await bench.subscribe(sound.url);
    await bench.tell();
    await bench.until(async () => (await bench.deliveries(other)).every(hasEnded));
    // An attempt ends after 15 s.
    for (let second = 0; second < 16; second++) await bench.clock.advance(1_000);
    expect(claimed.now).toBeLessThanOrEqual(64);
    const waiting = (await bench.deliveries(webhook)).filter(({ status }) => status === "pending");
    expect(
      waiting.filter(({ error, attemptCount }) => error?.includes("not its turn") && attemptCount === 0),
    ).not.toEqual([]);
    goOn();
    for (let second = 0; second < 60; second++) await bench.clock.advance(1_000);
    await bench.until(async () => (await bench.deliveries(webhook)).every(hasEnded));
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(901);
  });

  test("is given back by a sender that stops, and what waited in it is not begun", async () => {
    const { bench, receiver, claimed, held, goOn } = await backlogOf(900);
    goOn(() => receiver.requests.length < 500);
    await bench.until(() => held.length === 64 && claimed.now > 128);
    const begun = receiver.requests.length;
    await bench.stop(bench.engine);
    expect(receiver.requests).toHaveLength(begun);
    expect(claimed.now).toBe(0);
  });
});

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

  test("a settlement asks for no claim while enough waits for a quick receiver, and one is made when others come due", async () => {
    const { bench, receiver, held, delay, calls, claimed, isLate, release } = await benchWithLate();
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
    await bench.until(
      () => held.length === 64 && claimed() - other.requests.length - receiver.requests.length >= 2_050,
    );
    await bench.clock.settle();

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
    const { bench, held, claimed } = await benchWithLate();
    for (let n = 0; n < 64; n++) await bench.tell();
    await bench.until(() => held.length >= 56);
    const other = await receive(200);
    await bench.subscribe(other.url, { environment: "live" });
    const before = claimed();
    let turns = 0;
    while (claimed() === before && held.length > 0) {
      held.shift()?.writeHead(200).end();
      await nextTurn();
      if (++turns === 15) void bench.tell("live");
    }
    expect(held).not.toEqual([]);
    for (const response of held) response.writeHead(200).end();
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

/** Counts what is claimed and not settled yet. */
interface ClaimCounts {
  now: number;
  most: number;
  /** Of one claim. */
  largest: number;
  /** By one settlement, at most. */
  settledAtOnce: number;
}

function countingClaims(storage: Storage, claimed: ClaimCounts): Storage {
  const { deliveries } = storage;
  return {
    ...storage,
    deliveries: {
      ...deliveries,
      claim: async (request) => {
        const claim = await deliveries.claim(request);
        claimed.now += claim.deliveries.length;
        claimed.most = Math.max(claimed.most, claimed.now);
        claimed.largest = Math.max(claimed.largest, claim.deliveries.length);
        return claim;
      },
      settle: async (items) => {
        const results = await deliveries.settle(items);
        claimed.settledAtOnce = Math.max(claimed.settledAtOnce, items.length);
        claimed.now -= results.filter(({ status }) => status === "settled").length;
        return results;
      },
    },
  };
}
