import { ProcedoError } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, SettleResult } from "@procedo/storage";
import { expect, test } from "vitest";
import type { Log } from "../ports/log.ts";
import type { Completed } from "./settle-batch.ts";
import { createSettleBatching } from "./settle-batching.ts";

const scope = { workspace: "w", environment: "live" } as const;
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

function completed(deliveryId: string): Completed {
  const facts = { event: "run_completed", createdAtMs: 1, data: "{}", epoch: 1, attempt: 1, manual: false };
  const delivery: ClaimedDelivery = { scope, deliveryId, webhookId: "whk_1", ...facts };
  const attempt = { url: "https://receiver.test/", atMs: 1, tookMs: 1, responseCode: 200, failure: undefined };
  const settlement: DeliverySettlement = {
    scope,
    deliveryId,
    epoch: 1,
    attempt: { ...attempt, manual: false },
    next: { status: "delivered" },
  };
  return { delivery, settlement };
}

/** A sender that holds this many deliveries, and a storage whose answers the test controls. */
function batching(held: number) {
  const timers: { readonly delayMs: number; readonly callback: () => void }[] = [];
  const batches: string[][] = [];
  const answers: ((fail?: boolean) => void)[] = [];
  const settle = (items: readonly DeliverySettlement[]): Promise<readonly SettleResult[]> => {
    batches.push(items.map(({ deliveryId }) => deliveryId));
    return new Promise((resolve, reject) => {
      answers.push((fail = false) => {
        if (fail) reject(new ProcedoError("storage_unavailable", "The storage cannot be reached."));
        else resolve(items.map(() => ({ status: "settled", failingSinceMs: undefined })));
      });
    });
  };
  const settlements = createSettleBatching({
    deliveries: { settle },
    clock: {
      after: (delayMs, callback) => {
        const timer = { delayMs, callback };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
    log: silent,
    held: () => held,
    onSettled: (batch) => (held -= batch.length),
  });
  const answer = async (fail = false): Promise<void> => {
    answers.shift()?.(fail);
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** Fires the only timer, which must have this delay. */
  const pass = (delayMs: number): void => {
    expect(timers.map((timer) => timer.delayMs)).toEqual([delayMs]);
    timers.shift()?.callback();
  };
  const add = (...ids: readonly string[]): void => ids.forEach((id) => settlements.add(completed(id)));
  return { settlements, add, batches, timers, answer, pass };
}

test("the last delivery under way is settled at once", () => {
  const { add, batches, timers } = batching(2);
  add("a");
  expect(batches).toEqual([]);
  add("b");
  expect(batches).toEqual([["a", "b"]]);
  expect(timers).toEqual([]);
});

test("other deliveries are settled after 5 ms, or when there are 256", () => {
  const { add, batches, pass } = batching(1_000);
  add("a", "b");
  pass(5);
  expect(batches).toEqual([["a", "b"]]);
  const many = batching(1_000);
  const ids = Array.from({ length: 256 }, (_, n) => `dlv_${n}`);
  many.add(...ids);
  expect(many.batches).toEqual([ids]);
});

test("one batch is settled at a time", async () => {
  const { add, batches, answer, pass } = batching(1_000);
  add("a");
  pass(5);
  add("b", "c");
  expect(batches).toEqual([["a"]]);
  await answer();
  pass(5);
  expect(batches).toEqual([["a"], ["b", "c"]]);
});

test("while storage accepts nothing, all completed deliveries wait, and are settled together a second later", async () => {
  const { add, batches, answer, pass } = batching(3);
  add("a");
  pass(5);
  add("b");
  await answer(true);
  add("c");
  expect(batches).toEqual([["a"]]);
  pass(1_000);
  expect(batches).toEqual([["a"], ["a", "b", "c"]]);
});

test("nothing is settled after a stop", () => {
  const { settlements, add, batches, timers } = batching(2);
  add("a");
  settlements.stop();
  add("b");
  expect(batches).toEqual([]);
  expect(timers).toEqual([]);
});
