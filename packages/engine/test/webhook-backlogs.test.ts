import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createWebhookBench, hasEnded, receive } from "./webhook-bench.ts";

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
    const { bench, webhook, receiver, claimed, open, goOn } = await backlogOf(6_400);
    expect(claimed.most).toBeLessThanOrEqual(64);
    goOn();
    await bench.until(() => receiver.requests.length >= 6_400 && claimed.now === 0);
    expect((await bench.deliveries(webhook)).every(hasEnded)).toBe(true);
    expect(receiver.requests).toHaveLength(6_400);
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(6_400);
    expect(claimed.most).toBeGreaterThan(256);
    expect(claimed.most).toBeLessThanOrEqual(4_096);
    // Of the room for 512 a claim takes half. What waits for a quick receiver is not in it.
    expect(claimed.largest).toBeGreaterThan(256);
    expect(claimed.largest).toBeLessThanOrEqual(4_032);
    expect(open.most).toBeLessThanOrEqual(64);
    expect(claimed.settledAtOnce).toBeGreaterThan(320);
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

interface ClaimCounts {
  now: number;
  most: number;
  /** Of one claim. */
  largest: number;
  /** By one settlement, at most. */
  settledAtOnce: number;
}

/** Counts what is claimed and not settled yet. */
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
