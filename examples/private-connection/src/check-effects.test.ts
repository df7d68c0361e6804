import type { Run } from "@procedo/client";
import type { LedgerEffect } from "@procedo-examples/ledger";
import { expect, test } from "vitest";
import { checkEffects } from "./check-effects.ts";
import type { FiledReport } from "./report-file.ts";

const run = (output: object) => ({ status: "completed", output }) as unknown as Run;
const payment = (id: string) => ({ key: id, paymentIds: [id] }) as unknown as LedgerEffect;
const report = (reportId: string, idempotencyKey = reportId) => ({ reportId, idempotencyKey }) as FiledReport;

test("accepts runs whose outputs match the payments and reports", () => {
  const runs = [run({ paymentId: "pay_1" }), run({ reportId: "SAR-1" }), run({ reason: "withheld" })];
  expect(checkEffects(runs, { payments: [payment("pay_1")], reports: [report("SAR-1")] })).toEqual([]);
});

test.each([
  ["a payment without a run", [], [payment("pay_1")], []],
  ["a payment that was never made", [run({ paymentId: "pay_1" })], [], []],
  ["a report without a run", [], [], [report("SAR-1")]],
  ["a report that was never filed", [run({ reportId: "SAR-1" })], [], []],
  ["one report claimed by two runs", [run({ reportId: "SAR-1" }), run({ reportId: "SAR-1" })], [], [report("SAR-1")]],
  [
    "a call that filed two reports",
    [run({ reportId: "SAR-1" }), run({ reportId: "SAR-2" })],
    [],
    [report("SAR-1", "key"), report("SAR-2", "key")],
  ],
])("reports %s", (_what, runs, payments, reports) => {
  expect(checkEffects(runs, { payments, reports })).toHaveLength(1);
});
