import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { interceptVerbs } from "@procedo-testing/faults";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { holdDeliveries } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive } from "./webhook-harness.ts";

/** A storage whose claims do not see the settlements that were sent with them, as may happen on Postgres. */
function claimingFirst(storage: Storage): Storage {
  return interceptVerbs(storage, {
    "deliveries.settle": async (settle) => {
      await nextTurn();
      return settle();
    },
  });
}

test("a delivery that waits for others of its webhook is sent as soon as they have ended", async () => {
  const held: ServerResponse[] = [];
  const receiver = await receive((response) => held.push(response));
  const harness = await createWebhookHarness({ openStorage: (now) => claimingFirst(createMemoryStorage({ now })) });
  await harness.subscribe(receiver.url);
  for (let n = 0; n < 100; n++) await harness.emitEvent();
  await harness.until(() => held.length >= 56);
  for (const response of held.splice(0)) response.writeHead(200).end();
  // None of these is answered: an answer would cause another claim.
  await harness.until(() => receiver.requests.length === 100);
  expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(100);
  for (const response of held) response.writeHead(200).end();
});

test("a backlog of one webhook is sent with at most 64 requests at a time, each delivery once, and settled in batches", async () => {
  const open = { now: 0, most: 0 };
  let settlements = 0;
  const receiver = await receive((response) => {
    open.most = Math.max(open.most, ++open.now);
    response.once("close", () => open.now--);
    void nextTurn().then(() => response.writeHead(200).end());
  });
  const harness = await createWebhookHarness();
  holdDeliveries(harness.engine);
  const webhook = await harness.subscribe(receiver.url);
  for (let n = 0; n < 900; n++) await harness.emitEvent();
  harness.engine.way.on("deliveries.settle", (work) => {
    settlements++;
    return work();
  });
  harness.engine.way.on("deliveries.claim", (work) => work());
  await harness.emitEvent();
  await harness.until(async () => {
    await harness.clock.advance(5);
    return (await harness.deliveries(webhook)).every(hasEnded);
  });
  expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(901);
  expect(receiver.requests).toHaveLength(901);
  expect(open.most).toBeGreaterThan(32);
  expect(open.most).toBeLessThanOrEqual(64);
  expect(settlements).toBeLessThan(200);
});
