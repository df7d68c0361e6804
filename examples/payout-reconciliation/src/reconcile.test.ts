import { describe, expect, test } from "vitest";
import type { Credit, Payout, Transaction } from "./payout-records.ts";
import { reconcile } from "./reconcile.ts";

const payout = (payoutId: string, amountMinor: number, currency = "EUR"): Payout => ({
  ...{ payoutId, amountMinor, currency },
  isAutomatic: true,
});
const credit = (creditId: string, amountMinor: number, reference: string | null, currency = "EUR"): Credit => ({
  ...{ creditId, amountMinor, currency, reference },
});
const part = (transactionId: string, payoutId: string, amountMinor: number, feeMinor = 0): Transaction => ({
  ...{ transactionId, payoutId, type: "charge", amountMinor, feeMinor },
  ...{ netMinor: amountMinor - feeMinor, currency: "EUR" },
});

/** The differences of payouts that Stripe has no transactions of. */
function differencesOf(payouts: readonly Payout[], credits: readonly Credit[]) {
  const manual = payouts.map((one) => ({ ...one, isAutomatic: false }));
  return reconcile(manual, [], credits).differences;
}

describe("a payout and its credit", () => {
  test("match by reference and amount", () => {
    expect(differencesOf([payout("po_1", 500)], [credit("cr_1", 500, "po_1")])).toEqual([]);
  });

  test("match by amount where the bank passes on no reference, or one of its own", () => {
    expect(differencesOf([payout("po_1", 500)], [credit("cr_1", 500, null)])).toEqual([]);
    expect(differencesOf([payout("po_1", 500)], [credit("cr_1", 500, "STRIPE")])).toEqual([]);
  });

  test("differ in the amount", () => {
    expect(differencesOf([payout("po_1", 500)], [credit("cr_1", 499, "po_1")])).toEqual([
      { kind: "amount_differs", recordIds: ["po_1", "cr_1"], currency: "EUR", expectedMinor: 500, foundMinor: 499 },
    ]);
  });

  test("are both missing on the other side if their currencies differ, although reference and amount are equal", () => {
    expect(differencesOf([payout("po_1", 500)], [credit("cr_1", 500, "po_1", "USD")])).toEqual([
      { kind: "missing_in_ledger", recordIds: ["po_1"], currency: "EUR", expectedMinor: 500, foundMinor: 0 },
      { kind: "missing_in_stripe", recordIds: ["cr_1"], currency: "USD", expectedMinor: 0, foundMinor: 500 },
    ]);
  });
});

describe("several payouts of one amount", () => {
  const both = [payout("po_1", 500), payout("po_2", 500)];

  test("need a credit each", () => {
    expect(differencesOf(both, [credit("cr_1", 500, null)])).toMatchObject([
      { kind: "missing_in_ledger", recordIds: ["po_2"] },
    ]);
    expect(differencesOf(both, [credit("cr_1", 500, null), credit("cr_2", 500, null)])).toEqual([]);
  });

  test("leave the credit that names one of them to that one", () => {
    expect(differencesOf(both, [credit("cr_2", 500, "po_2"), credit("cr_1", 500, null)])).toEqual([]);
    expect(differencesOf(both, [credit("cr_2", 500, "po_2")])).toMatchObject([
      { kind: "missing_in_ledger", recordIds: ["po_1"] },
    ]);
  });

  test("are not matched with the second credit that names the other one", () => {
    const credits = [credit("cr_1", 500, "po_2"), credit("cr_2", 500, "po_2")];
    expect(differencesOf(both, credits)).toMatchObject([
      { kind: "missing_in_ledger", recordIds: ["po_1"] },
      { kind: "missing_in_stripe", recordIds: ["cr_2"] },
    ]);
  });

  test("are matched with one credit at most: the second credit of a payout is missing in Stripe", () => {
    const credits = [credit("cr_1", 499, "po_1"), credit("cr_2", 500, "po_1")];
    expect(differencesOf([payout("po_1", 500)], credits)).toEqual([
      { kind: "missing_in_stripe", recordIds: ["cr_1"], currency: "EUR", expectedMinor: 0, foundMinor: 499 },
    ]);
  });
});

describe("the transactions of a payout", () => {
  const credits = [credit("cr_1", 900, "po_1")];
  const whole = payout("po_1", 900);
  const fee: Transaction = { ...part("txn_f", "po_1", -20), type: "stripe_fee" };
  const refund: Transaction = { ...part("txn_r", "po_1", -50), type: "refund" };
  const out: Transaction = { ...part("txn_p", "po_1", -900), type: "payout" };
  const charge = part("txn_c", "po_1", 1_000, 30);

  test("add up to it: charges minus fees and refunds, and without the payout itself", () => {
    expect(reconcile([whole], [out, charge, fee, refund], credits).differences).toEqual([]);
  });

  test.each([
    ["one is absent", [out, charge, fee], 950],
    ["none is known", [], 0],
    ["one belongs to another payout", [charge, fee, { ...refund, payoutId: "po_2" }], 950],
  ])("do not add up if %s", (_case, transactions, foundMinor) => {
    expect(reconcile([whole], transactions, credits).differences).toEqual([
      { kind: "transactions_do_not_add_up", recordIds: ["po_1"], currency: "EUR", expectedMinor: 900, foundMinor },
    ]);
  });

  test("do not add up if one has another currency, although the others do", () => {
    const dollars: Transaction = { ...part("txn_d", "po_1", 100), currency: "USD" };
    expect(reconcile([whole], [charge, fee, refund, dollars], credits).differences).toMatchObject([
      { kind: "transactions_do_not_add_up", recordIds: ["po_1", "txn_d"], foundMinor: 900 },
    ]);
  });

  test("do not add up if the net of one is not its amount minus its fee", () => {
    const wrong = { ...charge, feeMinor: 31 };
    expect(reconcile([whole], [wrong, fee, refund], credits).differences).toMatchObject([
      { kind: "transactions_do_not_add_up", recordIds: ["po_1", "txn_c"] },
    ]);
  });

  test("are not compared with a manual payout, whose transactions Stripe does not know", () => {
    expect(reconcile([{ ...whole, isAutomatic: false }], [], credits).differences).toEqual([]);
  });
});

test("a record that a list repeats counts once", () => {
  const [one, received, sold] = [payout("po_1", 500), credit("cr_1", 500, "po_1"), part("txn_1", "po_1", 500)];
  expect(reconcile([one, one], [sold, sold], [received, received])).toEqual({
    differences: [],
    totals: [{ currency: "EUR", amountMinor: 500, payoutCount: 1 }],
  });
});

test("each currency has a total of its own", () => {
  const payouts = [payout("po_1", 500), payout("po_2", 700, "USD"), payout("po_3", 1)];
  expect(reconcile(payouts, [], []).totals).toEqual([
    { currency: "EUR", amountMinor: 501, payoutCount: 2 },
    { currency: "USD", amountMinor: 700, payoutCount: 1 },
  ]);
});

test("no payouts and no credits have no differences and no totals", () => {
  expect(reconcile([], [], [])).toEqual({ differences: [], totals: [] });
});

test("a sum that a double cannot hold exactly is refused", () => {
  const most = Number.MAX_SAFE_INTEGER;
  const payouts = [payout("po_1", most), payout("po_2", 2)];
  expect(() => reconcile(payouts, [], [])).toThrow("beyond 2^53");
});
