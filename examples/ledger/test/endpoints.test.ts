import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, startLedger } from "../src/index.ts";
import type { Ledger } from "../src/index.ts";
import { clientOf, order } from "./ledger-client.ts";
import type { LedgerClient } from "./ledger-client.ts";

let ledger: Ledger;
let client: LedgerClient;
beforeAll(async () => {
  ledger = await startLedger();
  client = clientOf(ledger);
});
afterAll(() => ledger.close());

describe("vendors and invoices", () => {
  test("vendors are listed and found by id, including the blocked vendor", async () => {
    expect((await client.get("/vendors")).body).toEqual({ data: defaultSeed.vendors });
    expect((await client.get("/vendors/ven_acme")).body).toMatchObject({ id: "ven_acme", status: "active" });
    expect((await client.get("/vendors/ven_umbrella")).body).toMatchObject({ status: "blocked" });
  });

  test("invoices are listed, filtered by vendor, and found by id with their paid amount", async () => {
    expect((await client.get("/invoices")).body.data).toHaveLength(defaultSeed.invoices.length);
    const ofAcme = (await client.get("/invoices?vendorId=ven_acme")).body.data;
    expect(ofAcme).toMatchObject([{ id: "inv_1001" }, { id: "inv_1002" }, { id: "inv_1006" }]);
    expect((await client.get("/invoices?vendorId=nobody")).body).toEqual({ data: [] });
    expect((await client.get("/invoices/inv_1005")).body).toMatchObject({
      amount: 340_000,
      amountPaid: 0,
      status: "open",
    });
  });

  test.each([
    "/vendors/nobody",
    "/invoices/none",
    "/payments/none",
    "/elsewhere",
    "/",
    "/vendors/",
    "/vendors/%E0%A4%A",
  ])("GET %s is a 404 with code and message", async (path) => {
    const reply = await client.get(path);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual({ code: "not_found", message: expect.stringMatching(/^There is no /) });
  });

  test("an unknown or repeated query parameter is refused, not ignored", async () => {
    expect((await client.get("/invoices?vendor=ven_acme")).body).toMatchObject({ code: "malformed_request" });
    expect((await client.get("/invoices?vendorId=a&vendorId=b")).status).toBe(400);
    expect((await client.get("/vendors?limit=1")).status).toBe(400);
  });

  test("an unsupported method is a 405 that lists the supported ones", async () => {
    const reply = await client.post("/vendors", {});
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET"]);
  });
});

describe("payments", () => {
  test("a payment is answered with 201, its location and its data, and is found there", async () => {
    const made = await client.pay(null, { ...order, reference: "Rechnung Nº 7" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...order, reference: "Rechnung Nº 7", status: "executed" });
    expect((await client.get(made.headers.get("location") ?? "")).body).toEqual(made.body);
    expect((await client.get("/payments")).body.data).toContainEqual(made.body);
  });

  test("payments on an invoice add up; a second payment is accepted and visible", async () => {
    const onInvoice = { vendorId: "ven_globex", amount: 50_000, currency: "USD", invoiceId: "inv_1003" };
    await client.pay(null, onInvoice);
    expect((await client.get("/invoices/inv_1003")).body).toMatchObject({ amountPaid: 50_000, status: "open" });
    await client.pay(null, onInvoice);
    expect((await client.get("/invoices/inv_1003")).body).toMatchObject({ amountPaid: 100_000, status: "paid" });
  });

  test.each([
    ["vendor_blocked", { ...order, vendorId: "ven_umbrella", currency: "GBP" }],
    ["unknown_vendor", { ...order, vendorId: "nobody" }],
    ["unknown_invoice", { ...order, invoiceId: "none" }],
    ["unknown_invoice", { ...order, invoiceId: "inv_1003" }],
    ["currency_mismatch", { ...order, currency: "USD", invoiceId: "inv_1001" }],
    ["invalid_payment", { ...order, amount: 0 }],
    ["invalid_payment", { ...order, amount: -5 }],
    ["invalid_payment", { ...order, amount: 12.5 }],
    ["invalid_payment", { ...order, amount: "125000" }],
    ["invalid_payment", { ...order, amount: 1_000_000_000_001 }],
    ["invalid_payment", { ...order, currency: "eur" }],
    ["invalid_payment", { ...order, currency: "ZZZ" }],
    ["invalid_payment", { ...order, reference: "x".repeat(141) }],
    ["invalid_payment", { ...order, vendorId: "" }],
    ["invalid_payment", { ...order, iban: "DE00" }],
    ["invalid_payment", { amount: 1, currency: "EUR" }],
    ["invalid_payment", [order]],
    ["invalid_payment", "null"],
  ])("%s: %j makes no payment", async (code, body) => {
    const before = (await client.get("/payments")).text;
    const reply = await client.post("/payments", body);
    expect([reply.status, reply.body.code]).toEqual([422, code]);
    expect((await client.get("/payments")).text).toBe(before);
  });

  test.each(["12.0000000000000000001", "9007199254740993", "1e3", "1e400", "125000.0", "-0.0"])(
    "the amount %s is refused by its digits, not by its value as a double",
    async (amount) => {
      const reply = await client.post("/payments", `{"vendorId":"ven_acme","amount":${amount},"currency":"EUR"}`);
      expect([reply.status, reply.body.code]).toEqual([422, "invalid_payment"]);
      expect(reply.body.message).toContain(amount);
    },
  );

  test("a body that is not JSON, not declared as JSON, not UTF-8 or too large is refused", async () => {
    expect((await client.post("/payments", "{")).body).toMatchObject({ code: "malformed_request" });
    expect((await client.post("/payments", "[".repeat(60_000))).body).toMatchObject({ code: "malformed_request" });
    expect((await client.post("/payments", "")).body).toMatchObject({ code: "malformed_request" });
    expect((await client.post("/payments", order, { "content-type": "text/plain" })).status).toBe(415);
    expect((await client.post("/payments", { ...order, reference: "x".repeat(70_000) })).status).toBe(413);
    const latin1 = Buffer.from(JSON.stringify({ ...order, reference: "Müller" }), "latin1");
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${ledger.url}/payments`, { method: "POST", headers, body: latin1 });
    expect(reply.status).toBe(400);
  });
});

describe("with a token", () => {
  test("every endpoint answers 401 without it or with another token, and works with it; the document needs no token", async () => {
    const secured = await startLedger({ token: "s3cret" });
    const { get, post } = clientOf(secured);
    for (const authorization of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic s3cret" }]) {
      expect((await get("/vendors", authorization)).status).toBe(401);
      expect((await get("/elsewhere", authorization)).status).toBe(401);
      expect((await post("/payments", order, authorization)).body).toMatchObject({ code: "unauthorized" });
    }
    const bearer = { authorization: "Bearer s3cret" };
    expect((await get("/vendors", bearer)).status).toBe(200);
    expect((await post("/payments", order, bearer)).status).toBe(201);
    expect((await get("/openapi.json")).body).toMatchObject({ security: [{ bearer: [] }] });
    expect(JSON.stringify(secured.requests())).not.toContain("s3cret");
    await secured.close();
  });
});
