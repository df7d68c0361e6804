import type { CallResult, CompiledToolCall, Entry, Intent, RecordedExchange, Step } from "@procedo/procedure";
import { callKey } from "../effects/call-key.ts";
import { makeCall, type Attempt } from "../effects/make-call.ts";
import { settleFailure } from "../effects/settle-attempt.ts";
import { errorText } from "../ports/log.ts";
import { outcomeKey } from "../reviews/ask.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import type { NotificationBody } from "./fold-inbox.ts";
import { runIdOf, type HotRun } from "./hot-run.ts";

/**
 * Makes the call of an intent that became durable in this term of the lease, and settles what becomes of it. What the action answers after this owner has given
 * up on it goes to the run's inbox.
 */
export function callAndSettle(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  node: CompiledToolCall,
  intent: Intent,
  term: number,
): Promise<Entry> {
  const { clock, outgoing, resolveConnection } = ports;
  const attempt = makeCall(
    { clock, outgoing, resolveConnection, limits: { depth: ports.limits.depth, bytes: ports.limits.stepBytes } },
    {
      facts: run.state.facts,
      intent,
      mayNotAct: () =>
        holder.term === term ? holder.mayNotAct() : "The worker's lease ran out after the intent was written.",
      letGo: holder.letGo,
      late: (answer) => {
        const result = lateResult(answer, intent);
        if (result !== undefined) void postLateAnswer(ports, run, intent, result, answer.exchange);
      },
    },
  );
  return attempt.then((made) => settled(ports, node, intent, made));
}

function settled(ports: ExecutionPorts, node: CompiledToolCall, intent: Intent, attempt: Attempt): Entry {
  const outcome = outcomeOf(intent, ports.clock.now());
  const { exchange } = attempt;
  const recorded = exchange === undefined ? undefined : { exchange };
  if (attempt.ok) return { ...outcome, result: { status: "ok", output: attempt.output }, ...recorded };
  return {
    ...outcome,
    ...recorded,
    ...settleFailure({
      failure: attempt.failure,
      effect: intent.frozen.effect,
      retryUnknown: node.onUnknownOutcome === "retry",
      intent,
      doubted: intent.doubted,
      policy: node.retry,
      nowMs: outcome.atMs,
      uniform: ports.random.uniform(),
    }),
  };
}

/** What this owner got to know and may not write any more, it leaves to the next one. */
export async function leaveAnswers(ports: ExecutionPorts, run: HotRun): Promise<void> {
  for (const entry of run.pending) {
    if (entry.type !== "outcome" || entry.late === true || entry.result.status !== "ok") continue;
    const key = callKey(runIdOf(run), entry.nodeId, entry.visit, entry.call);
    await postLateAnswer(ports, run, { key, attempt: entry.attempt }, entry.result, entry.exchange);
  }
}

/** Tells the run's owner, whoever it is by now, what became of a call that it may take for lost. */
async function postLateAnswer(
  ports: ExecutionPorts,
  run: HotRun,
  intent: { readonly key: string; readonly attempt: number },
  result: CallResult,
  exchange: RecordedExchange | undefined,
): Promise<void> {
  const { scope, runId } = run.writer.head;
  const body: NotificationBody = { type: "late_answer", result, ...(exchange !== undefined && { exchange }) };
  const post = {
    scope,
    runId,
    effectKey: outcomeKey(intent),
    body: JSON.stringify(body),
    closeReview: "settled",
  } as const;
  try {
    await ports.storage.inbox.post([post]);
  } catch (error) {
    ports.log.warn("A late answer could not be stored.", { runId, error: errorText(error) });
  }
}

/** The owner that made the call is gone, and so is what it knew: the effect is unknown, and waiting tells no more. */
export function reconsider(ports: ExecutionPorts, { node, intent }: Extract<Step, { do: "reconsider" }>): Entry {
  const outcome = outcomeOf(intent, ports.clock.now());
  const message = "The worker that made the call stopped before the outcome was on record.";
  const settlement = settleFailure({
    failure: { effect: "unknown", retryable: true, message },
    effect: intent.frozen.effect,
    retryUnknown: node.onUnknownOutcome === "retry",
    intent,
    doubted: intent.doubted,
    policy: { ...node.retry, initialDelayMs: 0 },
    nowMs: outcome.atMs,
    uniform: 0,
  });
  return { ...outcome, ...settlement };
}

function outcomeOf({ nodeId, visit, call, attempt }: Intent, atMs: number) {
  return { type: "outcome", atMs, nodeId, visit, call, attempt } as const;
}

/** What a late answer settles; one that knows no more than was known settles nothing. */
function lateResult(attempt: Attempt, intent: Intent): CallResult | undefined {
  if (attempt.ok) return { status: "ok", output: attempt.output };
  const { failure } = attempt;
  // What had not begun is no answer, and no reason to fail.
  if (failure.effect === "unknown" || failure.notBegun === true) return undefined;
  if (intent.doubted !== undefined && intent.frozen.effect !== "read") return undefined;
  return { status: "error", error: { message: failure.message } };
}
