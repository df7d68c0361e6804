import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startLedger } from "../src/index.ts";
import type { Ledger } from "../src/index.ts";
import { startReceiver } from "./event-receiver.ts";
import { clientOf, order } from "./ledger-client.ts";
import type { LedgerClient } from "./ledger-client.ts";
import { createManualClock } from "./manual-clock.ts";

const clock = createManualClock();
const [secret, oldSecret] = ["a-secret-of-the-receiver", "the-secret-before-that-one"];
const invoice = { vendorId: "ven_acme", amount: 48_000, currency: "EUR", dueDate: "2027-02-15" };

let ledger: Ledger;
let client: LedgerClient;
let dataDir: string;
const open = async (): Promise<void> => {
  ledger = await startLedger({ clock, dataDir });
  client = clientOf(ledger);
};
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "ledger-test-"));
  await open();
  onTestFinished(async () => {
    await ledger.close();
    rmSync(dataDir, { recursive: true });
  });
});

const sendTo = (url: string, more = {}) => client.post("/_control/receivers", { name: "one", url, secret, ...more });
const hmac = (key: string, signed: string) => createHmac("sha256", key).update(signed).digest("hex");

describe("an event", () => {
  test("is sent for a payment and for an invoice, signed over its time and the exact bytes", async () => {
    const { url, received } = await startReceiver();
    await sendTo(url);
    const paid = await client.pay("k1", { ...order, invoiceId: "inv_1001" });
    const entered = await client.post("/_control/invoices", invoice);
    expect(entered).toMatchObject({ status: 201, body: { ...invoice, id: "inv_1007", status: "open", amountPaid: 0 } });
    await expect.poll(() => received.length).toBe(2);
    const occurredAt = clock.now().toISOString();
    expect(received.map(({ event }) => event)).toEqual([
      { id: expect.stringMatching(/^evt_\w+_1$/), type: "payment.settled", occurredAt, data: paid.body },
      { id: expect.stringMatching(/^evt_\w+_2$/), type: "invoice.received", occurredAt, data: entered.body },
    ]);
    const seconds = Math.floor(clock.now().getTime() / 1000);
    for (const { signature, text } of received) {
      expect(signature).toBe(`t=${seconds},v1=${hmac(secret, `${seconds}.${text}`)}`);
    }
    expect((await client.get("/events")).body["data"]).toEqual(received.map(({ event }) => event));
  });

  test("carries a signature by either secret while one is replaced", async () => {
    const { url, received } = await startReceiver();
    await sendTo(url, { oldSecret });
    await client.pay("k1");
    await expect.poll(() => received.length).toBe(1);
    const [{ signature, text } = { signature: "", text: "" }] = received;
    const seconds = Math.floor(clock.now().getTime() / 1000);
    const signatures = [secret, oldSecret].map((key) => `v1=${hmac(key, `${seconds}.${text}`)}`);
    expect(signature).toBe([`t=${seconds}`, ...signatures].join(","));
  });

  test("is not made by a refused, repeated or lost order", async () => {
    await client.pay("k1", { ...order, amount: 0 });
    await client.pay("k2");
    await client.pay("k2");
    await client.behave({ route: "POST /payments", times: 1, dropBeforeWork: true });
    await expect(client.pay("k3")).rejects.toThrow();
    expect((await client.get("/events")).body["data"]).toHaveLength(1);
  });
});

describe("a receiver", () => {
  test("that refuses gets the same event again, after longer and longer pauses, until it accepts", async () => {
    const { url, received } = await startReceiver(503, 401, 500);
    await sendTo(url);
    await client.pay("k1");
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      await clock.asleep(1);
      const before = received.length;
      await clock.advance(pauseMs - 1);
      expect(received).toHaveLength(before);
      await clock.advance(1);
      await expect.poll(() => received.length).toBe(before + 1);
    }
    expect(new Set(received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(received.map(({ signature }) => signature)).size).toBeGreaterThan(1);
  });

  test("that was down gets the event from the next process, at its new address", async () => {
    await sendTo("http://127.0.0.1:9/in");
    await client.pay("k1");
    await clock.asleep(1);
    await ledger.close();
    await open();
    await clock.asleep(1);
    const { url, received } = await startReceiver();
    await sendTo(url);
    await clock.advance(1_000);
    await expect.poll(() => received.length).toBe(1);
  });

  test("gets no event again that it accepted before a restart, until all are sent again", async () => {
    const { url, received } = await startReceiver();
    const ids = () => received.map(({ event }) => event["id"]);
    await sendTo(url);
    // The second is sent once the first one's acceptance is recorded.
    for (const key of ["k1", "k2"]) await client.pay(key);
    await expect.poll(() => received.length).toBe(2);
    const [first, second] = ids();
    await ledger.close();
    await open();
    await client.pay("k3");
    await expect.poll(() => new Set(ids()).size).toBe(3);
    expect(ids().filter((id) => id === first)).toHaveLength(1);
    await client.post("/_control/resend-events", {});
    const third = [...new Set(ids())][2];
    await expect.poll(() => ids().slice(-3)).toEqual([first, second, third]);
  });

  test("that does not answer holds up no other", async () => {
    const { url, received } = await startReceiver();
    await client.post("/_control/receivers", { name: "dead", url: "http://127.0.0.1:9/in", secret });
    await sendTo(url);
    for (const key of ["k1", "k2", "k3"]) await client.pay(key);
    await expect.poll(() => received.length).toBe(3);
  });

  test("that was added later gets no earlier event", async () => {
    await client.pay("k1");
    const { url, received } = await startReceiver();
    await sendTo(url);
    await client.pay("k2");
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.event).toMatchObject({ data: { id: "pay_2" } });
  });
});

test("events of a period are listed, and a text that is not a time is refused", async () => {
  await client.pay("k1");
  await clock.advance(60_000);
  const from = clock.now().toISOString();
  await client.pay("k2");
  const dataOf = async (query: string) => (await client.get(`/events?${query}`)).body["data"];
  expect(await dataOf(`from=${from}`)).toMatchObject([{ data: { id: "pay_2" } }]);
  expect(await dataOf(`to=${from}`)).toMatchObject([{ data: { id: "pay_1" } }]);
  expect((await client.get("/events?from=yesterday")).body).toMatchObject({ code: "malformed_request" });
});

test("ids of events differ also after a reset, which forgets events and received invoices", async () => {
  const idOf = async () => ((await client.get("/events")).body["data"] as { id: string }[])[0]?.id;
  await client.post("/_control/invoices", invoice);
  const first = await idOf();
  await client.post("/_control/reset", {});
  expect([await idOf(), (await client.get("/invoices/inv_1007")).status]).toEqual([undefined, 404]);
  await client.post("/_control/invoices", invoice);
  expect(await idOf()).not.toBe(first);
});

test.each([
  ["invoices", "invalid_invoice", { ...invoice, amount: 0 }],
  ["invoices", "invalid_invoice", { ...invoice, dueDate: "2027-02-30" }],
  ["invoices", "invalid_invoice", { ...invoice, id: "inv_1" }],
  ["invoices", "unknown_vendor", { ...invoice, vendorId: "ven_none" }],
  ["invoices", "currency_mismatch", { ...invoice, currency: "USD" }],
  ["receivers", "invalid_receiver", { name: "one", url: "ftp://127.0.0.1", secret }],
  ["receivers", "invalid_receiver", { name: "one", url: "http://127.0.0.1", secret: "short" }],
])("POST /_control/%s answers %s to %j", async (path, code, body) => {
  const reply = await client.post(`/_control/${path}`, body);
  expect([reply.status, reply.body.code]).toEqual([422, code]);
});

test("no secret of a receiver is shown", async () => {
  const { text } = await sendTo("http://127.0.0.1:9/in", { oldSecret });
  expect(text).not.toMatch(/secret/);
});
