import type { CompiledProcedure, Entry, Intent, Step } from "@procedo/procedure";
import type { Random } from "../ports/random.ts";
import type { Failure } from "../calls/failure.ts";
import { retriesUnknown } from "../calls/retries-unknown.ts";
import { settleFailure, type Settlement } from "../calls/settle-attempt.ts";
import { milliseconds } from "../ports/milliseconds.ts";
import { outcomeKey } from "../journal/effect-keys.ts";
import { append } from "./active-run.ts";
import { proceed, workerStopped, type Execution, type StepResult } from "./execution.ts";
import { retryUntilStored } from "./retry-storage.ts";

/**
 * Withdraws an invocation for which the run no longer waits, and appends its outcome as far as it is known. A result
 * that came first is in the inbox.
 */
export async function withdrawInvocation(
  execution: Execution,
  { intent, cancelled }: Extract<Step, { do: "await" }>,
): Promise<StepResult> {
  const { ports, holder, run } = execution;
  const { scope, runId } = run.writer.head;
  const effectKey = outcomeKey(intent);
  const known = await retryUntilStored(ports, holder.stopped, () =>
    ports.storage.invocations.withdraw({ scope, runId, effectKey }),
  );
  if (known === undefined) return workerStopped;
  if (known === "settled") {
    execution.settledKey = effectKey;
    run.inboxStale = true;
    return proceed;
  }
  const nowMs = ports.clock.now();
  const message = messageOf(known, intent, cancelled);
  const settle = (failure: Omit<Failure, "message">): Settlement =>
    settleDispatched(run.procedure, intent, { message, ...failure }, nowMs, ports.random);
  const outcome = outcomeOf(intent, nowMs);
  if (known === "withdrawn") {
    // The wait was the attempt. A call that needs a longer wait needs a longer timeout.
    const failed = settle({ effect: "none", retryable: false });
    // A cancelled run ends by its cancel, not by a call that was never made.
    append(run, { ...outcome, ...failed, ...(cancelled && { retryAtMs: nowMs }) });
  } else {
    append(run, { ...outcome, ...settle({ effect: "unknown", retryable: !cancelled }) });
  }
  return proceed;
}

/**
 * The settlement of a failed invocation. Within one attempt, storage has already leased it to other clients as far as
 * that is safe. Another attempt follows only where the procedure retries unknown outcomes.
 */
export function settleDispatched(
  procedure: CompiledProcedure,
  intent: Intent,
  failure: Failure,
  nowMs: number,
  random: Pick<Random, "uniform">,
): Settlement {
  const node = procedure.nodes.get(intent.nodeId);
  if (node?.kind !== "tool_call") throw new Error(`Node "${intent.nodeId}" is not a tool call of this version.`);
  const retryUnknown = retriesUnknown(node, intent);
  return settleFailure({
    failure: { ...failure, retryable: failure.retryable && retryUnknown },
    retryUnknown,
    intent,
    // Uncertainty about a first attempt is not uncertainty about an earlier attempt.
    uncertainReason: intent.attempt === 1 ? undefined : intent.uncertainReason,
    policy: node.retry,
    nowMs,
    uniform: random.uniform(),
  });
}

/** Why the outcome is unknown of a call whose client went silent before it answered. */
export function lapsedMessage({ frozen }: Intent): string {
  return `The client that had started "${frozen.action}" went silent before it answered.`;
}

function outcomeOf({ nodeId, visit, call, attempt }: Intent, atMs: number) {
  return { type: "outcome", atMs, nodeId, visit, call, attempt } as const satisfies Partial<Entry>;
}

function messageOf(
  known: "withdrawn" | "acknowledged" | "lapsed" | "not_found",
  intent: Intent,
  cancelled: boolean,
): string {
  const { action, connection } = intent.frozen;
  const time = cancelled ? "before the run was cancelled" : `within ${milliseconds(intent.timeoutMs)}`;
  switch (known) {
    case "withdrawn":
      return `No client of "${connection}" accepted the call of "${action}" ${time}. Nothing was done.`;
    case "acknowledged":
      return `A client of "${connection}" accepted the call of "${action}" and did not answer ${time}.`;
    case "lapsed":
      return lapsedMessage(intent);
    case "not_found":
      return `Storage no longer has the call of "${action}".`;
  }
}
