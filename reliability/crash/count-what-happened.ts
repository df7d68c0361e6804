import { isNotStarted } from "@procedo/procedure";
import type { Evidence } from "./evidence.ts";
import type { Tally } from "./tally.ts";

/** Counts the losses and uncertainties in a world: a proof without any of them would prove nothing. */
export function countWhatHappened(total: Tally, { runs, effects, decisions }: Evidence): void {
  total.add("runs", runs.length);
  total.add("decisions", decisions.length);
  total.add(
    "payments",
    effects.reduce((sum, { executions }) => sum + executions, 0),
  );
  total.add(
    "paymentRequests",
    effects.reduce((sum, { requests }) => sum + requests, 0),
  );
  total.add(
    "doubledPayments",
    effects.reduce((sum, { executions }) => sum + Math.max(0, executions - 1), 0),
  );
  for (const { entries } of runs) {
    for (const { entry } of entries) {
      if (entry.type === "recovered") total.add("takeovers");
      if (entry.type === "review_opened" && entry.review.kind === "outcome_unknown") total.add("unknownOutcomes");
      if (entry.type !== "outcome" || entry.retryAtMs === undefined) continue;
      total.add("retries");
      if (isNotStarted(entry.result)) total.add("notStarted");
    }
  }
}
