import { ProcedoError } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, SettleResult } from "@procedo/storage";
import { expect, test } from "vitest";
import type { Log } from "../ports/log.ts";
import { settleBatch, type Completed } from "./settle-batch.ts";

const settled: SettleResult = { status: "settled", failingSinceMs: undefined };

function done(deliveryId: string): Completed {
  const scope = { workspace: "w", environment: "live" } as const;
  const delivery: ClaimedDelivery = {
    scope,
    deliveryId,
    webhookId: "whk_1",
    event: "run_completed",
    createdAtMs: 1,
    data: "{}",
    epoch: 3,
    attempt: 2,
    manual: false,
  };
  const facts = { url: "https://receiver.test/", atMs: 1, tookMs: 1, responseCode: 200, failure: undefined };
  const attempt = { ...facts, manual: false };
  return { delivery, settlement: { scope, deliveryId, epoch: 3, attempt, next: { status: "delivered" } } };
}

/** A storage that fails a batch for each item with an error. Returns the stored items and the log. */
function storage(errorOf: (item: DeliverySettlement) => ProcedoError | undefined) {
  const taken: DeliverySettlement[] = [];
  const logged: string[] = [];
  const say = (message: string): void => void logged.push(message);
  const log: Log = { info: say, warn: say, error: say };
  const settle = async (items: readonly DeliverySettlement[]): Promise<readonly SettleResult[]> => {
    for (const item of items) {
      const error = errorOf(item);
      if (error !== undefined) throw error;
    }
    taken.push(...items);
    return items.map(() => settled);
  };
  return { ports: { deliveries: { settle }, log }, taken, logged };
}

const refusal = (): ProcedoError => new ProcedoError("invalid_input", "A text cannot be stored.");
const outage = (): ProcedoError => new ProcedoError("storage_unavailable", "The storage cannot be reached.");
const [a, b, c] = [done("dlv_a"), done("dlv_b"), done("dlv_c")];

test("one settlement that cannot be stored delays no other, and ends as failed without an attempt", async () => {
  const { ports, taken, logged } = storage(({ deliveryId, attempt }) =>
    deliveryId === "dlv_b" && attempt !== undefined ? refusal() : undefined,
  );
  const result = await settleBatch(ports, [a, b, c]);
  expect(result.retryLater).toEqual([]);
  expect(result.settled.map(({ delivery, result }) => [delivery.deliveryId, result])).toEqual([
    ["dlv_a", settled],
    ["dlv_b", settled],
    ["dlv_c", settled],
  ]);
  const { deliveryId, scope, epoch } = b.settlement;
  const error = expect.stringContaining("could not be stored") as string;
  const failed = { scope, deliveryId, epoch, error, next: { status: "failed" } };
  expect(taken.filter((item) => item.deliveryId !== "dlv_b")).toEqual([a.settlement, c.settlement]);
  expect(taken.filter((item) => item.deliveryId === "dlv_b")).toEqual([failed]);
  expect(result.settled[1]?.settlement).toEqual(failed);
  expect(logged).toEqual(["The result of a delivery cannot be stored."]);
});

test("deliveries that storage cannot settle now are returned for a retry", async () => {
  const out = storage(outage);
  expect(await settleBatch(out.ports, [a, b])).toMatchObject({ settled: [], retryLater: [a, b], error: outage() });
  const both = storage(({ deliveryId }) => {
    if (deliveryId === "dlv_a") return refusal();
    return deliveryId === "dlv_b" ? outage() : undefined;
  });
  const result = await settleBatch(both.ports, [a, b, c]);
  expect(result).toMatchObject({ retryLater: [b], error: outage() });
  expect(both.taken).toEqual([c.settlement]);
});

test("a delivery whose every settlement is refused is dropped, until its lease ends", async () => {
  const { ports, logged } = storage(refusal);
  expect(await settleBatch(ports, [a])).toMatchObject({ settled: [{ result: undefined }], retryLater: [] });
  expect(logged).toHaveLength(2);
});

test("storage is not called without settlements", async () => {
  const { ports } = storage(refusal);
  expect(await settleBatch(ports, [])).toEqual({ settled: [], retryLater: [], error: undefined });
});

test("settlements that storage never accepts delay no others, and are returned", async () => {
  const many = Array.from({ length: 512 }, (_, n) => done(`dlv_${n}`));
  const stuck = new Set(["dlv_7", "dlv_8", "dlv_300"]);
  let calls = 0;
  const { ports, taken } = storage(({ deliveryId }) => (stuck.has(deliveryId) ? outage() : undefined));
  const settle = (items: readonly DeliverySettlement[]) => {
    calls++;
    return ports.deliveries.settle(items);
  };
  const result = await settleBatch({ ...ports, deliveries: { settle } }, many);
  expect(result.retryLater).toEqual([many[7], many[8], many[300]]);
  expect(result.error).toEqual(outage());
  const others = many.filter(({ delivery }) => !stuck.has(delivery.deliveryId));
  expect(taken).toEqual(others.map(({ settlement }) => settlement));
  expect(result.settled.map(({ delivery }) => delivery)).toEqual(others.map(({ delivery }) => delivery));
  expect(calls).toBeLessThan(3 * 2 * 10);
});

test("storage that is down is called no more often than it takes to reach single settlements", async () => {
  const many = Array.from({ length: 512 }, (_, n) => done(`dlv_${n}`));
  let calls = 0;
  const settle = (): Promise<readonly SettleResult[]> => {
    calls++;
    return Promise.reject(outage());
  };
  const { retryLater, settled: none } = await settleBatch({ ...storage(outage).ports, deliveries: { settle } }, many);
  expect(calls).toBe(11);
  expect(none).toEqual([]);
  expect(new Set(retryLater)).toEqual(new Set(many));
  // Those that failed alone come last, so that many of them do not block the others for ever.
  expect(retryLater.slice(-2)).toEqual([many[0], many[1]]);
});

test("consecutive settlements that storage never accepts do not block later ones for ever", async () => {
  const { ports, taken } = storage(({ deliveryId }) => (deliveryId.startsWith("stuck") ? outage() : undefined));
  const stuck = Array.from({ length: 64 }, (_, n) => done(`stuck_${n}`));
  let left: readonly Completed[] = [...stuck, a, b, c];
  // Each call tries two of them alone.
  for (let round = 0; round < 33; round++) ({ retryLater: left } = await settleBatch(ports, left));
  expect(taken).toEqual([a, b, c].map(({ settlement }) => settlement));
  expect(new Set(left)).toEqual(new Set(stuck));
});
