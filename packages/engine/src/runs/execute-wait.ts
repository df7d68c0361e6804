import type { Step } from "@procedo/procedure";
import { clockSkewWaitMs, waitOutClockSkew } from "./clock-skew-wait.ts";
import { proceed, workerStopped, type Execution, type StepResult } from "./execution.ts";
import { expire } from "./fold-inbox.ts";

/** Parks the run until its time has come or a person has decided. Expires a review that is overdue. */
export async function executeWait(
  execution: Execution,
  { review, untilMs }: Extract<Step, { do: "wait" }>,
): Promise<StepResult> {
  const { ports, holder, run } = execution;
  const status = review === undefined ? "running" : "awaiting_review";
  const isDue = untilMs !== undefined && untilMs <= ports.clock.now();
  // A review can expire only once it is stored.
  const overdue = isDue && run.pendingRow.openReview === undefined ? review : undefined;
  if (overdue === undefined) {
    if (await waitOutClockSkew(ports, holder, run, untilMs)) return proceed;
    return await execution.park(status, untilMs);
  }
  if (execution.settledKey !== overdue.effectKey) {
    execution.settledKey = overdue.effectKey;
    return (await expire(ports, holder, run, overdue.effectKey)) ? proceed : workerStopped;
  }
  // An answer that is not in the inbox was consumed by another owner, whose epoch fences this row.
  return await execution.park(status, ports.clock.now() + clockSkewWaitMs);
}
