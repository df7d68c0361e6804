import type { Step } from "@procedo/procedure";
import type { FoundAction } from "../calls/find-action.ts";
import { reserveFor } from "../calls/propose-call.ts";
import type { CallLimits } from "../integrations/integration.ts";
import { createNotice } from "../ports/notice.ts";
import { append, checkpointOf, hasPendingEntries, isRowAwaited, rollBack, type ActiveRun } from "./active-run.ts";
import { awaitInvocation } from "./await-invocation.ts";
import { awaitAuthorization, holdForAuthorization, knowsAccount } from "./await-authorization.ts";
import { executeCall, reconsider } from "./execute-call.ts";
import { executeModelTurn } from "./execute-model-turn.ts";
import { executeWait } from "./execute-wait.ts";
import {
  Execution,
  proceed,
  notResumed,
  workerStopped,
  type Abandoned,
  type Release,
  type StepResult,
} from "./execution.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { nextStep } from "./next-step.ts";
import {
  findActionOf,
  knownActionOf,
  prepareConnectedStep,
  performInnerStep,
  type ConnectedStep,
  type InnerStep,
} from "./perform-step.ts";
import { foldInbox } from "./fold-inbox.ts";
import { retryUntilStored } from "./retry-storage.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

/*
 * The owner's loop: asks the interpreter for the next step, executes it, and makes each outcome durable together with
 * the intent of the next effect.
 *
 *   execution.ts           the state that steps share, and the commit of the run's rows
 *   execute-call.ts        a call of an action
 *   execute-model-turn.ts  a request to an agent's model
 *   await-authorization.ts the access token of a call's connection, or the wait for it
 *   await-invocation.ts    a call that was dispatched to a private connection
 *   execute-wait.ts        a wait for a person or a time
 *   perform-step.ts        steps without effect: evaluation, and the preparation of effects
 */

/**
 * Executes a run until it is parked, has ended or is abandoned.
 *
 * @param rowDurable called once a row for which a caller waits is durable
 */
export async function executeRun(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  rowDurable?: () => void,
): Promise<Release> {
  const execution = new Execution(ports, holder, run, rowDurable);
  try {
    return await executeSteps(execution);
  } finally {
    execution.leavePlace();
  }
}

async function executeSteps(execution: Execution): Promise<Release> {
  const { ports, run } = execution;
  for (;;) {
    if (execution.hasEvaluatedLong) await execution.yieldTurn();
    const abandoned = mayHaveNotifications(run) ? await foldNotifications(execution) : undefined;
    if (abandoned !== undefined) return abandoned;
    const result = await executeStep(execution, nextStep(ports, run));
    if (result.kind !== "continue") return result;
  }
}

function executeStep(execution: Execution, step: Step): StepResult | Promise<StepResult> {
  switch (step.do) {
    case "call":
      return executeCall(execution, step);
    case "ask_model":
      return executeModelTurn(execution, step);
    case "await":
      return awaitInvocation(execution, step);
    case "wait":
      return executeWait(execution, step);
    case "reconsider":
      append(execution.run, reconsider(execution.ports, step));
      return proceed;
    case "done":
      return execution.end(step.result);
    case "prompt":
    case "judge":
    case "propose":
    case "intend":
    case "ask":
    case "ask_outcome":
      return prepareEffect(execution, step);
    case "choose":
    case "emit":
    case "finish":
    case "end":
      return evaluateStep(execution, step);
  }
}

function mayHaveNotifications({ inbox, inboxStale }: ActiveRun): boolean {
  return inboxStale || inbox.length > 0;
}

/** Folds the notifications of the inbox. */
async function foldNotifications(execution: Execution): Promise<Abandoned | undefined> {
  const { ports, holder, run } = execution;
  // A notification cannot close a review that storage does not have yet.
  if (run.pendingRow.openReview !== undefined) return undefined;
  // The row that is stored together with a trigger may follow from that trigger alone.
  if (run.inboxStale && run.resumeTrigger !== undefined) return notResumed;
  // All notifications since the last durable row are folded again, in their order.
  if (execution.checkpoint === undefined) execution.checkpoint = checkpointOf(run);
  else rollBack(run, execution.checkpoint);
  await foldInbox(ports, holder, run);
  return undefined;
}

function evaluateStep(execution: Execution, step: InnerStep): StepResult {
  const { ports, run } = execution;
  if (step.do === "finish" || step.do === "end") execution.checkpoint ??= checkpointOf(run);
  append(
    run,
    execution.evaluate(() => performInnerStep(ports, run.state, step)),
  );
  return proceed;
}

/** Prepares a call, a prompt or a review: renders, freezes and checks it, and reserves budgets for it. */
async function prepareEffect(execution: Execution, step: ConnectedStep): Promise<StepResult> {
  const { ports, holder, run } = execution;
  const isQuestion = step.do === "ask" || step.do === "ask_outcome";
  if (!isQuestion && (holder.draining() || lacksMemory(execution))) return await execution.parkForOthers();
  const known = () => knownActionOf(ports.knownConnection, run.state, step);
  // The caller that resumes the run does not wait for a connection that has to be read from storage.
  if (run.resumeTrigger !== undefined && known() === undefined) return notResumed;
  const entry = await retryUntilStored(ports, holder.stopped, async () => {
    const { found } = known() ?? { found: await findActionOf(ports, run.state, step) };
    if (!(await knowsAccount(execution, found))) return "no_place";
    const prepared = execution.evaluate(() => prepareConnectedStep(ports, run, step, found));
    const mayCall = step.do === "propose" || step.do === "intend" || step.do === "judge";
    if (mayCall && ("reserve" in prepared || prepared.type === "intent")) {
      const missing = (await awaitAuthorization(execution, step, found)) ?? (await takePlace(execution, found));
      if (missing !== undefined) return missing;
    }
    // A reservation belongs to the current end of the journal, where the next owner after a crash must find its call.
    if ("reserve" in prepared && hasPendingEntries(run)) return "needs_commit";
    return await reserveFor(ports, prepared);
  });
  if (entry === "no_place") return run.resumeTrigger === undefined ? await execution.parkForOthers() : notResumed;
  if (entry === "waited") return proceed;
  if (entry === "needs_commit") return (await execution.commitPending()) ?? proceed;
  if (entry === undefined) return workerStopped;
  if ("lacks" in entry) return (await holdForAuthorization(execution, entry)) ?? proceed;
  if ("laterTurnMs" in entry) return await execution.park("running", ports.clock.now() + entry.laterTurnMs);
  if (entry.type !== "intent") execution.leavePlace();
  append(run, entry);
  return proceed;
}

/**
 * Takes a place among the calls of a connection with limits, before the intent.
 *
 * @returns `undefined` with a place, or where none is needed; `no_place` when the worker drains, or a caller waits that
 *   resumes the run; `waited` when notifications may have come meanwhile; a later turn when too many calls wait
 */
async function takePlace(
  execution: Execution,
  found: FoundAction | undefined,
): Promise<"needs_commit" | "no_place" | "waited" | { readonly laterTurnMs: number } | undefined> {
  if (found?.ok !== true || found.connection.limits === undefined) return undefined;
  const { ports, run } = execution;
  const { connectionId, limits } = found.connection;
  if (execution.place?.connectionId === connectionId) return undefined;
  execution.leavePlace();
  execution.place = ports.callLimiter.tryTake(connectionId, limits);
  if (execution.place !== undefined) return undefined;
  if (run.resumeTrigger !== undefined) return "no_place";
  // The caller that started the run waits for its first row, not for the limit.
  if (hasPendingEntries(run)) return "needs_commit";
  const laterTurnMs = ports.callLimiter.laterTurn(connectionId, limits);
  if (laterTurnMs !== undefined) return { laterTurnMs };
  return await waitForPlace(execution, connectionId, limits);
}

/** Waits until the connection has a place, the run is cancelled, or the worker drains. */
async function waitForPlace(
  execution: Execution,
  connectionId: string,
  limits: CallLimits,
): Promise<"no_place" | "waited"> {
  const { ports, holder, run } = execution;
  const watch = watchForCancel(ports, run);
  const over = createNotice();
  const unlisten = [holder.drains, watch.cancelled].map((notice) => notice.listen(() => over.give()));
  try {
    execution.place = await ports.callLimiter.take(connectionId, limits, over);
  } finally {
    watch.end();
    for (const stop of unlisten) stop();
  }
  // A cancel has to be folded before the intent: after it, the call would be made.
  return execution.place === undefined && holder.drains.given ? "no_place" : "waited";
}

/** Whether the run has to wait for memory. A row for which a caller waits is stored first. */
function lacksMemory({ holder, run }: Execution): boolean {
  return !isRowAwaited(run) && holder.isTooLarge(run);
}
