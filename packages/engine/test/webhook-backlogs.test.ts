import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { expect, test } from "vitest";
import { createWebhookBench, receive } from "./webhook-bench.ts";

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
