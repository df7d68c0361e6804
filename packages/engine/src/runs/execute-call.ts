import type { CompiledToolCall, Entry, Intent, Outcome, Step } from "@procedo/procedure";
import { makeCall, type Attempt } from "../calls/make-call.ts";
import { retriesUnknown } from "../calls/retries-unknown.ts";
import { settleFailure } from "../calls/settle-attempt.ts";
import { append } from "./active-run.ts";
import { proceed, workerStopped, type Execution, type StepResult } from "./execution.ts";
import type { ExecutionPorts } from "./execution-ports.ts";
import { postLateAnswer } from "./late-answers.ts";
import { retryUntilStored } from "./retry-storage.ts";

type CallStep = Extract<Step, { do: "call" }>;

/**
 * Makes the intent durable, then makes the call. The answer to a call that was sent is awaited until the call's own
 * timeout, even if the lease expires. A later answer is posted to the run's inbox.
 */
export async function executeCall(execution: Execution, step: CallStep): Promise<StepResult> {
  const abandoned = await execution.commitPending();
  if (abandoned !== undefined) return abandoned;
  // The effect of a call cannot be rolled back, so the entries before it may not be either.
  execution.checkpoint = undefined;
  const { ports, holder, run } = execution;
  const outcome = await retryUntilStored(ports, holder.stopped, () => callOnce(execution, step));
  execution.leavePlace();
  if (outcome === undefined) return workerStopped;
  append(run, outcome);
  return proceed;
}

/** The outcome of a call whose owner stopped before recording it: unknown, and a longer wait would not change that. */
export function reconsider(ports: ExecutionPorts, { node, intent }: Extract<Step, { do: "reconsider" }>): Entry {
  const outcome = outcomeOf(intent, ports.clock.now());
  const message = "The worker that made the call stopped before the outcome was on record.";
  const settlement = settleFailure({
    failure: { effect: "unknown", retryable: true, message },
    retryUnknown: retriesUnknown(node, intent),
    intent,
    uncertainReason: intent.uncertainReason,
    policy: { ...node.retry, initialDelayMs: 0 },
    nowMs: outcome.atMs,
    uniform: 0,
  });
  return { ...outcome, ...settlement };
}

async function callOnce({ ports, holder, run, leaseGeneration }: Execution, step: CallStep): Promise<Outcome> {
  const { node, intent } = step;
  const { clock, log, egress, resolveConnection } = ports;
  const attempt = await makeCall(
    { clock, log, egress, resolveConnection, limits: { depth: ports.limits.depth, bytes: ports.limits.stepBytes } },
    {
      facts: run.state.facts,
      intent,
      isDraining: () => holder.draining(),
      leaseViolation: () =>
        holder.leaseGeneration === leaseGeneration
          ? holder.leaseViolation()
          : "The worker's lease expired after the intent was written.",
      aborted: holder.callsAborted,
      late: (answer) => {
        // A second unknown outcome adds nothing.
        if (!answer.ok && answer.failure.effect === "unknown") return;
        const outcome = outcomeOfAttempt(ports, node, intent, answer);
        if (outcome.result.status !== "unknown") void postLateAnswer(ports, holder.stopped, run, intent, outcome);
      },
    },
  );
  return outcomeOfAttempt(ports, node, intent, attempt);
}

function outcomeOfAttempt(ports: ExecutionPorts, node: CompiledToolCall, intent: Intent, attempt: Attempt): Outcome {
  const outcome = outcomeOf(intent, ports.clock.now());
  const { exchange } = attempt;
  const recorded = exchange === undefined ? undefined : { exchange };
  if (attempt.ok) return { ...outcome, result: { status: "ok", output: attempt.output }, ...recorded };
  return {
    ...outcome,
    ...recorded,
    ...settleFailure({
      failure: attempt.failure,
      retryUnknown: retriesUnknown(node, intent),
      intent,
      uncertainReason: intent.uncertainReason,
      policy: node.retry,
      nowMs: outcome.atMs,
      uniform: ports.random.uniform(),
    }),
  };
}

function outcomeOf({ nodeId, visit, call, attempt }: Intent, atMs: number) {
  return { type: "outcome", atMs, nodeId, visit, call, attempt } as const;
}
