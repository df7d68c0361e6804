import type { Run } from "@procedo/client";
import type { LedgerEffect } from "@procedo-examples/ledger";

/**
 * Compares the outputs of the runs with the ledger's books. Returns the discrepancies: a payment without a run, a run
 * with a payment that the ledger never made, a key that moved money twice.
 */
export function checkBooks(runs: readonly Run[], effects: readonly LedgerEffect[]): readonly string[] {
  const believed = runs
    .map((run) => (run.status === "completed" ? run.output["paymentId"] : undefined))
    .filter((id) => typeof id === "string");
  const made = effects.flatMap(({ paymentIds }) => paymentIds);
  return [
    ...made.filter((id) => !believed.includes(id)).map((id) => `Payment ${id} belongs to no run.`),
    ...believed.filter((id) => !made.includes(id)).map((id) => `Payment ${id} was never made.`),
    ...effects.filter(({ executions }) => executions > 1).map(({ key }) => `Key ${key} moved money more than once.`),
    ...effects.filter(({ bodies }) => bodies.length > 1).map(({ key }) => `Key ${key} was sent with different bodies.`),
    ...(new Set(believed).size < believed.length ? ["Two runs claim the same payment."] : []),
  ];
}
