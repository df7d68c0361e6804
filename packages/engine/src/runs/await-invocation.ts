import type { Step } from "@procedo/procedure";
import { outcomeKey } from "../journal/effect-keys.ts";
import { clockSkewWaitMs, waitOutClockSkew } from "./clock-skew-wait.ts";
import { proceed, type Execution, type StepResult } from "./execution.ts";
import { isWaitOver } from "./wait-over.ts";
import { withdrawInvocation } from "./withdraw-invocation.ts";

/** Parks the run until its call to a private connection has a result, or withdraws the call if it is overdue. */
export async function awaitInvocation(execution: Execution, step: Extract<Step, { do: "await" }>): Promise<StepResult> {
  const { ports, holder, run } = execution;
  const { intent, cancelled } = step;
  const nowMs = ports.clock.now();
  const isOver = cancelled || isWaitOver(run, { sinceMs: intent.atMs, untilMs: intent.sendByMs }, nowMs);
  if (!isOver) {
    if (await waitOutClockSkew(ports, holder, run, intent.sendByMs)) return proceed;
    return await execution.park("running", intent.sendByMs);
  }
  // An invocation can be withdrawn only once it is stored.
  if (run.pendingRow.invocation !== undefined) return (await execution.commitPending()) ?? proceed;
  if (execution.settledKey !== outcomeKey(intent)) return await withdrawInvocation(execution, step);
  // A result that is not in the inbox was consumed by another owner, whose epoch fences this row.
  return await execution.park("running", nowMs + clockSkewWaitMs);
}
