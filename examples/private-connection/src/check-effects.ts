import type { Run } from "@procedo/client";
import type { LedgerEffect } from "@procedo-examples/ledger";
import type { FiledReport } from "./report-file.ts";

/** Compares the outputs of the runs with the ledger's books and the office's reports. Returns the discrepancies. */
export function checkEffects(
  runs: readonly Run[],
  done: { readonly payments: readonly LedgerEffect[]; readonly reports: readonly FiledReport[] },
): readonly string[] {
  const payments = done.payments.flatMap(({ paymentIds }) => paymentIds);
  const reports = done.reports.map(({ reportId }) => reportId);
  const keys = done.reports.map(({ idempotencyKey }) => idempotencyKey);
  return [
    ...compare("Payment", believed(runs, "paymentId"), payments),
    ...compare("Report", believed(runs, "reportId"), reports),
    ...doubled(keys).map((key) => `Call ${key} filed more than one report.`),
  ];
}

function compare(what: string, reported: readonly string[], made: readonly string[]): readonly string[] {
  return [
    ...made.filter((id) => !reported.includes(id)).map((id) => `${what} ${id} belongs to no run.`),
    ...reported.filter((id) => !made.includes(id)).map((id) => `${what} ${id} was never made.`),
    ...doubled(reported).map((id) => `${what} ${id} is claimed by two runs.`),
  ];
}

function believed(runs: readonly Run[], name: string): readonly string[] {
  return runs
    .map((run) => (run.status === "completed" ? run.output[name] : undefined))
    .filter((id) => typeof id === "string");
}

const doubled = (ids: readonly string[]): readonly string[] => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
];
