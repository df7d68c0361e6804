import { isNotSent, losesAnswer, once, reads, refuses, testProcedure, type FakeReply } from "@procedo/engine/testing";
import { beforeAll, describe, expect, test } from "vitest";
import document from "../vendor-payment.json" with { type: "json" };
import { acme, invoice, ledgerSurroundings, payment, type LedgerSurroundings } from "./test-ledger.ts";

/*
 * Tests of a procedure by its team: on a real engine in this process, with the ledger faked after its own document.
 * Retries, reviews and their expiry take no time; nothing is sent.
 */
let surroundings: LedgerSurroundings;
beforeAll(async () => {
  surroundings = await ledgerSurroundings();
});

const small = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
const large = { vendorId: "ven_acme", invoiceId: "inv_1002", amount: 4_500_000 };

/** A payment with a ledger that knows both invoices, and accepts payments as configured. */
function pay(input: typeof small, ...replies: [FakeReply, ...FakeReply[]]) {
  const ledger = {
    get_vendors_id: reads(acme),
    get_invoices_id: reads(({ id }: { id: string }) => invoice(id, id === "inv_1001" ? 125_000 : 4_500_000)),
    post_payments: once(...replies),
  };
  return testProcedure({ document, input, ...surroundings, actions: { ledger } });
}
const sent = (input: typeof small) => ({
  connection: "ledger",
  action: "post_payments",
  arguments: { ...input, currency: "EUR" },
});

test("a small amount is paid at once, exactly once", async () => {
  const run = await pay(small, payment);
  expect(run.output).toEqual({ paymentId: "pay_1" });
  expect(run.path).toEqual(["start", "vendor", "invoice", "check", "pay", "done"]);
  expect(run.effects).toEqual([sent(small)]);
  expect(run.events[0]).toEqual({ event: "custom.payment_sent", payload: { paymentId: "pay_1" } });
});

describe("a large amount", () => {
  test("waits for a reviewer, and sends exactly the call that was shown", async () => {
    const run = await pay(large, payment);
    expect(run.review).toMatchObject({ nodeId: "approve", title: "Pay 45,000.00 EUR to Acme Industrial GmbH?" });
    expect([run.review?.call?.args, run.effects]).toEqual([{ ...large, currency: "EUR" }, []]);
    await run.approve();
    expect(run.effects).toEqual([sent(large)]);
  });

  test("cannot be approved by its starter", async () => {
    const run = await pay(large, payment);
    const by = { person: "starter", roles: ["reviewer"] };
    await expect(run.approve({ by })).rejects.toMatchObject({ code: "permission_denied" });
  });

  test("that is rejected, or not decided within a week, sends nothing", async () => {
    const rejected = await pay(large, payment);
    await rejected.reject("Not ours.");
    expect([rejected.error, rejected.effects]).toEqual(["Not ours.", []]);
    const forgotten = await pay(large, payment);
    await forgotten.advance("P7D");
    expect([forgotten.status, forgotten.effects]).toEqual(["failed", []]);
  });
});

describe("a ledger", () => {
  test("that refuses is reported as the reason", async () => {
    const run = await pay(small, refuses("The vendor is blocked."));
    expect([run.output, run.effects]).toEqual([{ reason: "The vendor is blocked." }, []]);
  });

  test("that cannot be reached is called again with the same key", async () => {
    const run = await pay(small, isNotSent(), isNotSent(), payment);
    expect(run.status).toBe("completed");
    expect(new Set(run.callsOf("pay").map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test("whose answer is lost is not called again: a person enters the outcome of the payment", async () => {
    const run = await pay(small, losesAnswer());
    expect([run.review?.kind, run.calls.length]).toEqual(["outcome_unknown", 3]);
    await run.approve({ outputs: payment(sent(small).arguments) });
    expect(run.output).toEqual({ paymentId: "pay_1" });
    expect(run.callsOf("pay")).toHaveLength(1);
  });
});

test.each([
  ["another amount", { ...small, amount: 1 }, "other_amount"],
  ["another vendor", { ...small, vendorId: "ven_globex" }, "other_vendor"],
])("%s than the invoice's amount pays nothing", async (_what, input, branch) => {
  const run = await pay(input, payment);
  expect(run.output).toEqual({ reason: `The invoice does not allow it: ${branch}.` });
  expect(run.effects).toEqual([]);
});
