import { afterEach, beforeEach, expect, test } from "vitest";
import { startLedger } from "../src/index.ts";
import type { Ledger } from "../src/index.ts";
import { clientOf, order } from "./ledger-client.ts";
import type { LedgerClient } from "./ledger-client.ts";
import { createManualClock } from "./manual-clock.ts";

const clock = createManualClock();
let ledger: Ledger;
let client: LedgerClient;
beforeEach(async () => {
  ledger = await startLedger({ clock });
  client = clientOf(ledger);
});
afterEach(() => ledger.close());

test("the same key and body gets the stored answer, byte for byte, marked as a replay", async () => {
  const first = await client.pay("k1");
  await clock.advance(1000);
  const second = await client.pay("k1");
  expect([first.headers.get("idempotent-replay"), second.headers.get("idempotent-replay")]).toEqual([null, "true"]);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(ledger.effects()).toEqual([
    { key: "k1", requests: 2, executions: 1, bodies: [JSON.stringify(order)], paymentIds: [first.body.id] },
  ]);
});

test("the same key with another body is a 422 and makes no payment", async () => {
  await client.pay("k1");
  const other = await client.pay("k1", { ...order, amount: 125_001 });
  expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  expect(ledger.effects()).toMatchObject([{ requests: 2, executions: 1 }]);
  expect(ledger.effects()[0]?.bodies).toHaveLength(2);
});

test("one of several concurrent requests with one key executes; the others wait for its answer", async () => {
  await client.behave({ route: "POST /payments", times: 1, delayMs: 60_000 });
  const replies = Array.from({ length: 5 }, () => client.pay("k1"));
  const other = await client.pay("k2");
  expect(other.status).toBe(201);
  const ofKey = () => ledger.requests().filter((request) => request.key === "k1");
  await expect.poll(() => ofKey().length).toBe(5);
  expect(ofKey().every((request) => request.outcome === "pending")).toBe(true);
  await clock.advance(60_000);
  const settled = await Promise.all(replies);
  expect(new Set(settled.map((reply) => reply.text)).size).toBe(1);
  expect(settled.filter((reply) => reply.headers.get("idempotent-replay") === "true")).toHaveLength(4);
  expect(ledger.effects().find((effect) => effect.key === "k1")).toMatchObject({ requests: 5, executions: 1 });
});

test("a concurrent request with the same key and another body also waits, and is then refused", async () => {
  await client.behave({ route: "POST /payments", times: 1, delayMs: 60_000 });
  const first = client.pay("k1");
  await clock.asleep(1);
  const second = client.pay("k1", { ...order, amount: 1 });
  await expect.poll(() => ledger.requests().length).toBe(2);
  expect(ledger.requests()).toMatchObject([{ outcome: "pending" }, { outcome: "pending" }]);
  await clock.advance(60_000);
  expect([(await first).status, (await second).status]).toEqual([201, 422]);
});

test("a refused payment does not use up its key", async () => {
  expect((await client.pay("k1", { ...order, amount: 0 })).status).toBe(422);
  expect((await client.pay("k1")).status).toBe(201);
});

test("without a key every request is a separate payment", async () => {
  const [first, second] = [await client.pay(null), await client.pay(null)];
  expect(second.body.id).not.toBe(first.body.id);
  expect(ledger.effects()).toMatchObject([{ key: null, requests: 2, executions: 2 }]);
});

test("a key that is empty or longer than 255 characters is refused", async () => {
  expect((await client.pay("")).body).toMatchObject({ code: "malformed_request" });
  expect((await client.pay("k".repeat(256))).status).toBe(400);
  expect((await client.pay("k".repeat(255))).status).toBe(201);
});

test("an expired key pays again, and both payments are recorded under it", async () => {
  const first = await client.pay("k1");
  expect((await client.post("/_control/forget-keys", {})).status).toBe(200);
  const second = await client.pay("k1");
  expect([second.status, second.headers.get("idempotent-replay")]).toEqual([201, null]);
  expect(second.body["id"]).not.toBe(first.body["id"]);
  expect(ledger.effects()).toMatchObject([
    { key: "k1", requests: 2, executions: 2, paymentIds: [first.body["id"], second.body["id"]] },
  ]);
});
