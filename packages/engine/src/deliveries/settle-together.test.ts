import { ProcedoError } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, SettleResult } from "@procedo/storage";
import { expect, test } from "vitest";
import type { Log } from "../ports/log.ts";
import { settleTogether, type Done } from "./settle-together.ts";

const settled: SettleResult = { status: "settled", failingSinceMs: undefined };

function done(deliveryId: string): Done {
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
  return { delivery, settlement: { scope, deliveryId, epoch: 3, attempt, then: { status: "delivered" } } };
}

/** A storage that fails a batch for each item for which it is told an error; what it took, and what was logged. */
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

test("one settlement that cannot be stored holds up no neighbour, and ends as failed without an attempt", async () => {
  const { ports, taken, logged } = storage(({ deliveryId, attempt }) =>
    deliveryId === "dlv_b" && attempt !== undefined ? refusal() : undefined,
  );
  const result = await settleTogether(ports, [a, b, c]);
  expect(result.left).toEqual([]);
  expect(result.settled.map(({ delivery, result }) => [delivery.deliveryId, result])).toEqual([
    ["dlv_a", settled],
    ["dlv_b", settled],
    ["dlv_c", settled],
  ]);
  const { deliveryId, scope, epoch } = b.settlement;
  const error = expect.stringContaining("could not be stored") as string;
  const failed = { scope, deliveryId, epoch, error, then: { status: "failed" } };
  expect(taken.filter((item) => item.deliveryId !== "dlv_b")).toEqual([a.settlement, c.settlement]);
  expect(taken.filter((item) => item.deliveryId === "dlv_b")).toEqual([failed]);
  expect(result.settled[1]?.settlement).toEqual(failed);
  expect(logged).toEqual(["What came of a delivery cannot be stored."]);
});

test("what storage cannot take now is left as it is, alone or together", async () => {
  const out = storage(outage);
  expect(await settleTogether(out.ports, [a, b])).toMatchObject({ settled: [], left: [a, b], error: outage() });
  const both = storage(({ deliveryId }) => {
    if (deliveryId === "dlv_a") return refusal();
    return deliveryId === "dlv_b" ? outage() : undefined;
  });
  const result = await settleTogether(both.ports, [a, b, c]);
  expect(result).toMatchObject({ left: [b], error: outage() });
  expect(both.taken).toEqual([c.settlement]);
});

test("of which storage takes nothing at all is let go of, for its lease to end", async () => {
  const { ports, logged } = storage(refusal);
  expect(await settleTogether(ports, [a])).toMatchObject({ settled: [{ result: undefined }], left: [] });
  expect(logged).toHaveLength(2);
});

test("nothing is asked of storage when there is nothing to settle", async () => {
  const { ports } = storage(refusal);
  expect(await settleTogether(ports, [])).toEqual({ settled: [], left: [] });
});
