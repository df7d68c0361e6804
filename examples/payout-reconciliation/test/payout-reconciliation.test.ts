import { losesAnswer, testProcedure } from "@procedo/engine/testing";
import { describe, expect, test } from "vitest";
import { credit, message, posted, reconcileDay } from "./reconcile-day.ts";
import { document, input, payoutOf, reconciliationConnections } from "./reconciliation-setup.ts";

/*
 * Tests of the procedure's paths, on a real engine in this process. The services are faked, the calculations are not.
 */
test("matching payouts of two currencies are reported, each currency by itself, without a person", async () => {
  const run = await reconcileDay({
    payouts: [payoutOf("po_1", 50_000), payoutOf("po_2", 50_000, { currency: "usd" }), payoutOf("po_3", 1)],
    credits: [credit("cr_1", 50_000, null, "USD"), credit("cr_2", 50_000, null), credit("cr_3", 1, "po_3")],
  });
  expect([run.status, run.reviews]).toEqual(["completed", []]);
  expect(run.effects).toEqual([message("reconciled. 500.01 EUR, 500.00 USD arrived.")]);
});

test("the transactions of each payout are read once", async () => {
  const run = await reconcileDay({ payouts: [payoutOf("po_1", 500), payoutOf("po_2", 700)] });
  expect(run.callsOf("transactions").map((call) => call.arguments)).toEqual([{ payout: "po_1" }, { payout: "po_2" }]);
});

test("a payout of one currency is not matched with an equal amount of another", async () => {
  const run = await reconcileDay({
    payouts: [payoutOf("po_1", 50_000, { currency: "usd" })],
    credits: [credit("cr_1", 50_000, "po_1")],
  });
  expect(run.review?.data).toMatchObject({
    differences: [
      "missing_in_ledger (po_1): expected 500.00 USD, found 0.00 USD",
      "missing_in_stripe (cr_1): expected 0.00 EUR, found 500.00 EUR",
    ],
  });
});

test("a day without payouts and credits is reconciled", async () => {
  const run = await reconcileDay({});
  expect(run.path).toEqual([
    ...["start", "payouts", "arriving", "next", "credits", "match", "check"],
    ...["post_match", "reconciled"],
  ]);
  expect(run.effects).toEqual([message("reconciled. None arrived.")]);
});

test("a credit on a day without payouts is a difference", async () => {
  const run = await reconcileDay({ credits: [credit("cr_1", 4_200, null)] });
  expect(run.review?.data).toEqual({
    differences: ["missing_in_stripe (cr_1): expected 0.00 EUR, found 42.00 EUR"],
    payouts: [],
  });
});

test("payouts that arrive on other days are left out", async () => {
  const payouts = [
    payoutOf("po_2", 700, { on: "2026-11-25" }),
    payoutOf("po_1", 500),
    payoutOf("po_0", 300, { on: "2026-11-23" }),
  ];
  const run = await reconcileDay({ payouts, credits: [credit("cr_1", 500, "po_1")] });
  expect(run.effects).toEqual([message("reconciled. 5.00 EUR arrived.")]);
});

test("a manual payout is matched without its transactions, which Stripe does not know", async () => {
  const { payout } = payoutOf("po_1", 500);
  const manual = { payout: { ...payout, automatic: false }, transactions: [] };
  const run = await reconcileDay({ payouts: [manual], credits: [credit("cr_1", 500, "po_1")] });
  expect([run.path.includes("transactions"), run.output?.["outcome"]]).toEqual([false, "reconciled"]);
});

test("a payout whose transactions do not add up is a difference, although the bank received it", async () => {
  const whole = payoutOf("po_1", 500);
  const torn = { ...whole, transactions: whole.transactions.slice(0, 1) };
  const run = await reconcileDay({ payouts: [torn], credits: [credit("cr_1", 500, "po_1")] });
  expect(run.review?.data).toMatchObject({
    differences: ["transactions_do_not_add_up (po_1): expected 5.00 EUR, found 0.00 EUR"],
  });
});

describe("a message whose answer is lost", () => {
  test("is not posted again by the run: a person enters the message that they found", async () => {
    const run = await reconcileDay({}, losesAnswer());
    expect(run.review?.kind).toBe("outcome_unknown");
    await run.approve({ outputs: posted });
    expect(run.output).toEqual({ outcome: "reconciled", messageTs: posted.ts });
    expect(run.callsOf("post_match")).toHaveLength(1);
  });

  test("is posted again if a person decides so", async () => {
    const run = await reconcileDay({}, losesAnswer(), posted);
    expect(run.callsOf("post_match")).toHaveLength(1);
    await run.approve();
    expect([run.status, run.callsOf("post_match").length]).toEqual(["completed", 2]);
  });
});

test("40 payouts are reconciled, and a day with 41 is left to people with a message", async () => {
  const payouts = Array.from({ length: 41 }, (_, index) => payoutOf(`po_${index}`, 100 + index));
  const credits = payouts.map(({ payout: { id, amount } }) => credit(`cr_${id}`, amount, id));
  const most = await reconcileDay({ payouts: payouts.slice(0, 40), credits: credits.slice(0, 40) });
  expect(most.output?.["outcome"]).toBe("reconciled");
  const more = await reconcileDay({ payouts, credits });
  expect(more.effects).toEqual([
    message("not reconciled. 41 payouts arrived, and a run reads the transactions of at most 40."),
  ]);
});

test("a list that was cut is not reconciled", async () => {
  const { integrations, connections } = reconciliationConnections();
  const run = await testProcedure({
    ...{ document, input, integrations, connections },
    actions: { stripe: { list_payouts: { items: [], pages: 10, hasMore: true } } },
  });
  expect([run.status, run.effects]).toEqual(["failed", []]);
  expect(run.error).toContain("The list of payouts has more than the 0 items that were read.");
});
