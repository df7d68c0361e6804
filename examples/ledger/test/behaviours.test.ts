import { connect } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startLedger } from "../src/index.ts";
import type { Ledger } from "../src/index.ts";
import { clientOf, order } from "./ledger-client.ts";
import type { LedgerClient } from "./ledger-client.ts";
import { createManualClock } from "./manual-clock.ts";

const route = "POST /payments";
const clock = createManualClock();
let ledger: Ledger;
let client: LedgerClient;
beforeEach(async () => {
  ledger = await startLedger({ clock });
  client = clientOf(ledger);
});
afterEach(() => ledger.close());

test("status: refuses without doing the work, as many times as configured, then works", async () => {
  await client.behave({ route, times: 2, status: 503 });
  const statuses = [await client.pay("k1"), await client.pay("k1"), await client.pay("k1")].map(
    (reply) => reply.status,
  );
  expect(statuses).toEqual([503, 503, 201]);
  expect(ledger.requests().map(({ status, executed }) => ({ status, executed }))).toEqual([
    { status: 503, executed: false },
    { status: 503, executed: false },
    { status: 201, executed: true },
  ]);
});

test("dropBeforeWork: the connection is closed and no payment is made", async () => {
  await client.behave({ route, times: 1, dropBeforeWork: true });
  await expect(client.pay("k1")).rejects.toThrow();
  expect(ledger.requests()).toMatchObject([{ outcome: "dropped", status: null, executed: false, paymentId: null }]);
  expect((await client.pay("k1")).headers.get("idempotent-replay")).toBeNull();
});

test("dropAfterWork: the connection is closed, the payment is made, and its key returns it", async () => {
  await client.behave({ route, times: 1, dropAfterWork: true });
  await expect(client.pay("k1")).rejects.toThrow();
  expect(ledger.requests()).toMatchObject([{ outcome: "dropped", status: null, executed: true, paymentId: "pay_1" }]);
  const again = await client.pay("k1");
  expect([again.headers.get("idempotent-replay"), again.body.id]).toEqual(["true", "pay_1"]);
});

test("delayMs: delays the work", async () => {
  await client.behave({ route: "GET /vendors/:id", times: 1, delayMs: 5000 });
  const slow = client.get("/vendors/ven_acme");
  await clock.asleep(1);
  expect(ledger.requests()).toMatchObject([{ outcome: "pending" }]);
  await clock.advance(5000);
  expect((await slow).status).toBe(200);
});

test("lateAnswerMs: the work is done and recorded at once, the answer arrives late", async () => {
  await client.behave({ route, times: 1, lateAnswerMs: 5000 });
  const late = client.pay("k1");
  await clock.asleep(1);
  expect(ledger.effects()).toMatchObject([{ key: "k1", executions: 1 }]);
  expect((await client.pay("k1")).headers.get("idempotent-replay")).toBe("true");
  await clock.advance(5000);
  expect((await late).headers.get("idempotent-replay")).toBeNull();
});

test("a client that disconnects does not undo the work", async () => {
  await client.behave({ route, times: 1, delayMs: 5000 });
  const impatient = new AbortController();
  const given = fetch(`${ledger.url}/payments`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "k1" },
    body: JSON.stringify(order),
    signal: impatient.signal,
  });
  await clock.asleep(1);
  impatient.abort();
  await expect(given).rejects.toThrow();
  await clock.advance(5000);
  expect((await client.pay("k1")).headers.get("idempotent-replay")).toBe("true");
});

test("queued rules apply one after another, before the standing rule, which applies until it is replaced", async () => {
  const reply = await client.behave(
    { route, status: 500 },
    { route, times: 1, status: 501 },
    { route, times: 1, status: 502 },
    { route: "GET /payments", times: 1, status: 504 },
  );
  expect(reply.body.rules).toHaveLength(4);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await client.pay(null)).status);
  expect(statuses).toEqual([501, 502, 500, 500]);
  expect((await client.behave({ route })).status).toBe(200);
  expect((await client.pay(null)).status).toBe(201);
});

test.each([
  [{ route: "POST /vendors", status: 500 }, "must be one of"],
  [{ status: 500 }, "must be one of"],
  [{ route, status: 200 }, '"status"'],
  [{ route, times: 0 }, '"times"'],
  [{ route, delayMs: -1 }, '"delayMs"'],
  [{ route, dropAfterWork: 1 }, "true or false"],
  [{ route, explode: true }, '"explode"'],
  [{ route, status: 500, dropAfterWork: true }, "one way only"],
  [{ route, dieAfterWork: true }, "Run main.ts"],
])("an invalid rule is refused: %j", async (rule, message) => {
  const reply = await client.behave({ route, status: 500 }, rule);
  expect([reply.status, reply.body.code]).toEqual([422, "invalid_behaviour"]);
  expect(reply.body.message).toContain(message);
  expect((await client.pay(null)).status).toBe(201);
});

test("reset deletes payments, requests and rules, and aborts requests in progress without an effect", async () => {
  await client.pay("k1", { ...order, invoiceId: "inv_1001" });
  await client.behave({ route, times: 1, delayMs: 5000 }, { route, status: 500 });
  const cutOff = expect(client.pay("k2")).rejects.toThrow();
  await clock.asleep(1);
  expect((await client.post("/_control/reset", {})).status).toBe(200);
  await cutOff;
  expect([ledger.requests(), ledger.effects()]).toEqual([[], []]);
  expect((await client.get("/payments")).body).toEqual({ data: [] });
  expect((await client.get("/invoices/inv_1001")).body).toMatchObject({ amountPaid: 0 });
  const again = await client.pay("k1");
  expect([again.status, again.headers.get("idempotent-replay")]).toEqual([201, null]);
});

test("closing aborts requests in progress without an effect", async () => {
  await client.behave({ route, times: 1, delayMs: 5000 });
  const cutOff = expect(client.pay("k1")).rejects.toThrow();
  await clock.asleep(1);
  const closing = await startLedger({ clock }).then((spare) => {
    const closed = ledger;
    ledger = spare;
    return closed;
  });
  await closing.close();
  await cutOff;
  expect(closing.effects()).toMatchObject([{ key: "k1", executions: 0 }]);
});

test("a request with an incomplete body is recorded and has no effect", async () => {
  const socket = connect(ledger.port, "127.0.0.1");
  await once(socket, "connect");
  const type = "Content-Type: application/json\r\nContent-Length: 500\r\nExpect: 100-continue";
  socket.write(`POST /payments HTTP/1.1\r\nHost: ledger\r\n${type}\r\n\r\n{"vendorId":`);
  // "100 Continue" shows that the ledger has started to read the request.
  await once(socket, "data");
  socket.destroy();
  await expect
    .poll(() => ledger.requests().filter((request) => request.method === "POST"))
    .toMatchObject([{ outcome: "dropped", status: null, body: null, executed: false }]);
});
