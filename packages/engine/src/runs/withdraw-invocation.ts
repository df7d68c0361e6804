import type { CompiledProcedure, Entry, Intent, Step } from "@procedo/procedure";
import type { Random } from "../ports/random.ts";
import type { Failure } from "../calls/failure.ts";
import { settleFailure, type Settlement } from "../calls/settle-attempt.ts";
import { milliseconds } from "../ports/milliseconds.ts";
import { outcomeKey } from "../journal/effect-keys.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { append, type ActiveRun } from "./active-run.ts";
import { retryUntilStored } from "./retry-storage.ts";

/**
 * Takes a call back that was handed out and is waited for no longer, and writes down what is known of it. When its result
 * came first, it is in the inbox.
 *
 * @returns `settled` when the result came first and is to be read; `undefined` when the worker stopped before storage
 *   answered
 */
export async function withdrawInvocation(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  { intent, cancelled }: Extract<Step, { do: "await" }>,
): Promise<"settled" | "told" | undefined> {
  const { scope, runId } = run.writer.head;
  const effectKey = outcomeKey(intent);
  const known = await retryUntilStored(ports, holder.stopped, () =>
    ports.storage.invocations.withdraw({ scope, runId, effectKey }),
  );
  if (known === undefined) return undefined;
  if (known === "settled") {
    run.inboxStale = true;
    return "settled";
  }
  const message = messageOf(known, intent, cancelled);
  const settle = (failure: Omit<Failure, "message">): Settlement =>
    settleHandedOut(run.procedure, intent, { message, ...failure }, ports.clock.now(), ports.random);
  const outcome = outcomeOf(intent, ports.clock.now());
  if (known === "withdrawn") {
    // Having waited was the attempt; whoever wants a longer one gives the call more time.
    const failed = settle({ effect: "none", retryable: false });
    // What ends a cancelled run is the cancel, not that nothing was done for it.
    append(run, { ...outcome, ...failed, ...(cancelled && { retryAtMs: outcome.atMs }) });
  } else {
    append(run, { ...outcome, ...settle({ effect: "unknown", retryable: !cancelled }) });
  }
  return "told";
}

/**
 * What becomes of a handed-out call that failed. Clients that are lost were followed by others within the attempt, as far
 * as that harms nothing; another attempt there is only where the procedure wants one for a call in doubt.
 */
export function settleHandedOut(
  procedure: CompiledProcedure,
  intent: Intent,
  failure: Failure,
  nowMs: number,
  random: Pick<Random, "uniform">,
): Settlement {
  const node = procedure.nodes.get(intent.nodeId);
  if (node?.kind !== "tool_call") throw new Error(`Node "${intent.nodeId}" is not a tool call of this version.`);
  const retryUnknown = node.onUnknownOutcome === "retry";
  return settleFailure({
    failure: { ...failure, retryable: failure.retryable && retryUnknown },
    retryUnknown,
    intent,
    // What is asked about the first attempt is no doubt about an earlier one.
    uncertainReason: intent.attempt === 1 ? undefined : intent.uncertainReason,
    policy: node.retry,
    nowMs,
    uniform: random.uniform(),
  });
}

/** Why nobody knows what became of a call whose client went silent in the middle. */
export function lapsedMessage({ frozen }: Intent): string {
  return `The client that had begun with "${frozen.action}" went silent before it answered.`;
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
      return `No client of "${connection}" took the call of "${action}" ${time}. Nothing was done.`;
    case "acknowledged":
      return `A client of "${connection}" took the call of "${action}" and did not answer ${time}.`;
    case "lapsed":
      return lapsedMessage(intent);
    case "not_found":
      return `Storage does not know the call of "${action}" any more.`;
  }
}
