import type { CompiledToolCall, Entry, Intent, Outcome, Step } from "@procedo/procedure";
import { makeCall, type Attempt } from "../calls/make-call.ts";
import { settleFailure } from "../calls/settle-attempt.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import type { ActiveRun } from "./active-run.ts";
import { postLateAnswer } from "./late-answers.ts";

/**
 * Makes the call of an intent that became durable under this generation of the lease, and settles what becomes of it. A call that has left
 * is listened to for its own timeout, whatever becomes of the lease. What the action answers after that goes to the run's inbox.
 */
export function executeCall(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  node: CompiledToolCall,
  intent: Intent,
  leaseGeneration: number,
): Promise<Entry> {
  const { clock, log, egress, resolveConnection } = ports;
  const attempt = makeCall(
    { clock, log, egress, resolveConnection, limits: { depth: ports.limits.depth, bytes: ports.limits.stepBytes } },
    {
      facts: run.state.facts,
      intent,
      isDraining: () => holder.draining(),
      leaseViolation: () =>
        holder.leaseGeneration === leaseGeneration
          ? holder.leaseViolation()
          : "The worker's lease ran out after the intent was written.",
      aborted: holder.callsAborted,
      late: (answer) => {
        if (tellsNothing(answer)) return;
        const outcome = settled(ports, node, intent, answer);
        if (outcome.result.status !== "unknown") void postLateAnswer(ports, holder.stopped, run, intent, outcome);
      },
    },
  );
  return attempt.then((made) => settled(ports, node, intent, made));
}

function settled(ports: ExecutionPorts, node: CompiledToolCall, intent: Intent, attempt: Attempt): Outcome {
  const outcome = outcomeOf(intent, ports.clock.now());
  const { exchange } = attempt;
  const recorded = exchange === undefined ? undefined : { exchange };
  if (attempt.ok) return { ...outcome, result: { status: "ok", output: attempt.output }, ...recorded };
  return {
    ...outcome,
    ...recorded,
    ...settleFailure({
      failure: attempt.failure,
      retryUnknown: node.onUnknownOutcome === "retry",
      intent,
      uncertainReason: intent.uncertainReason,
      policy: node.retry,
      nowMs: outcome.atMs,
      uniform: ports.random.uniform(),
    }),
  };
}

/** The owner that made the call is gone, and so is what it knew: the effect is unknown, and waiting tells no more. */
export function reconsider(ports: ExecutionPorts, { node, intent }: Extract<Step, { do: "reconsider" }>): Entry {
  const outcome = outcomeOf(intent, ports.clock.now());
  const message = "The worker that made the call stopped before the outcome was on record.";
  const settlement = settleFailure({
    failure: { effect: "unknown", retryable: true, message },
    retryUnknown: node.onUnknownOutcome === "retry",
    intent,
    uncertainReason: intent.uncertainReason,
    policy: { ...node.retry, initialDelayMs: 0 },
    nowMs: outcome.atMs,
    uniform: 0,
  });
  return { ...outcome, ...settlement };
}

function outcomeOf({ nodeId, visit, call, attempt }: Intent, atMs: number) {
  return { type: "outcome", atMs, nodeId, visit, call, attempt } as const;
}

/** Whether an answer after the deadline tells no more than was known, and settles nothing. */
function tellsNothing(attempt: Attempt): boolean {
  return !attempt.ok && attempt.failure.effect === "unknown";
}
