import { askForReply, type ModelStep, type TurnEnd } from "../agent/model-turn.ts";
import { append, settle } from "./active-run.ts";
import { proceed, workerStopped, type Execution, type StepResult } from "./execution.ts";
import { retryUntilStored } from "./retry-storage.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

/** Makes the prompt durable, then asks the model. The reply is durable before anything follows from it. */
export async function executeModelTurn(execution: Execution, step: ModelStep): Promise<StepResult> {
  const { ports, holder, run } = execution;
  if (holder.draining()) return await execution.parkForOthers();
  const abandoned = await execution.commitPending();
  if (abandoned !== undefined) return abandoned;
  // A request to a model cannot be rolled back, so the entries before it may not be either.
  execution.checkpoint = undefined;
  const end = await retryUntilStored(ports, holder.stopped, () => askUnlessCancelled(execution, step));
  if (end === undefined) return workerStopped;
  if (end.kind === "abandoned") return await execution.parkForOthers();
  append(run, end.entry);
  if (end.settlement !== undefined) settle(run, end.settlement);
  return proceed;
}

async function askUnlessCancelled({ ports, holder, run }: Execution, step: ModelStep): Promise<TurnEnd> {
  const { callsAborted: aborted, leaseViolation } = holder;
  const watch = watchForCancel(ports, run);
  try {
    return await askForReply(ports, run, { aborted, leaseViolation, cancelled: watch.cancelled }, step);
  } finally {
    watch.end();
  }
}
