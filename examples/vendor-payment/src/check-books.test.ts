import type { Run } from "@procedo/client";
import type { LedgerEffect } from "@procedo-examples/ledger";
import { expect, test } from "vitest";
import { checkBooks } from "./check-books.ts";

const paid = (paymentId: string) => ({ status: "completed", output: { paymentId } }) as unknown as Run;
const effect = (key: string, paymentIds: readonly string[], bodies = ["{}"]): LedgerEffect => {
  return { key, requests: 1, executions: paymentIds.length, bodies, paymentIds };
};

test("accepts books that match the runs", () => {
  expect(checkBooks([paid("pay_1")], [effect("a", ["pay_1"])])).toEqual([]);
});

test.each([
  ["a payment without a run", [], [effect("a", ["pay_1"])]],
  ["a payment that the ledger never made", [paid("pay_1")], []],
  ["a key that moved money twice", [paid("pay_1"), paid("pay_2")], [effect("a", ["pay_1", "pay_2"])]],
  ["a key with two bodies", [paid("pay_1")], [effect("a", ["pay_1"], ["{}", "[]"])]],
  ["one payment claimed by two runs", [paid("pay_1"), paid("pay_1")], [effect("a", ["pay_1"])]],
])("reports %s", (_what, runs, effects) => {
  expect(checkBooks(runs, effects)).toHaveLength(1);
});
