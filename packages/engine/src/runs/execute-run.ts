import { next, resume, type CallResult, type Entry, type Intent, type RunLimits, type Step } from "@procedo/procedure";
import type { CommitResult, RunCommit, RunPlace, Storage } from "@procedo/storage";
import { callKey } from "../effects/call-key.ts";
import { makeCall, type Attempt, type CallPorts } from "../effects/make-call.ts";
import { settleFailure } from "../effects/settle-attempt.ts";
import { sleep } from "../ports/clock.ts";
import { errorText, type Log } from "../ports/log.ts";
import type { Notice } from "../ports/notice.ts";
import type { Random } from "../ports/random.ts";
import { outcomeKey } from "../reviews/ask.ts";
import type { Committer } from "./committer.ts";
import { entriesOf, type NotificationBody } from "./fold-inbox.ts";
import { append, nextRow, rowCommitted, runIdOf, type HotRun } from "./hot-run.ts";
import { performConnectedStep, performInnerStep, type StepPorts } from "./perform-step.ts";
import { orUntilStored, untilStored } from "./until-stored.ts";
import type { Waiters } from "./waiters.ts";

export interface ExecutionPorts extends StepPorts, Omit<CallPorts, "limits"> {
  readonly storage: Pick<Storage, "inbox">;
  readonly committer: Committer;
  readonly random: Random;
  readonly limits: RunLimits;
  readonly log: Log;
  readonly waiters: Waiters;
}

/** The worker that holds the run, as its runs see it. */
export interface Holder {
  readonly workerId: string;
  /** Why no call may be made now; `undefined` while the lease is good. */
  mayNotAct(): string | undefined;
  /** Given when calls under way have to be let go: the lease is lost, or the time for draining is over. */
  readonly letGo: Notice;
  /** Aborts when the worker ends, whatever its runs are doing. */
  readonly stopped: AbortSignal;
  /** Whether runs are to be handed back at their next step. */
  draining(): boolean;
}

/** How the owner's hold on a run ended. */
export type Release =
  /** The run rests: durable, and nobody holds it. */
  | { readonly kind: "rested"; readonly wakeAtMs?: number }
  /** Somebody else holds it: whatever was not committed is void. */
  | { readonly kind: "fenced" }
  /** The start that made it was answered by an earlier run. */
  | { readonly kind: "exists"; readonly runId: string; readonly digest: string }
  /** Nothing is known of its last row, and the worker stops. */
  | { readonly kind: "abandoned"; readonly error: unknown; readonly row?: RunCommit }
  /** Storage will never take the row. */
  | { readonly kind: "refused"; readonly error: unknown };

/**
 * Executes a run until it rests: asks the interpreter what comes next, does it, and makes each effect's result durable
 * together with the intent of the next. `created` is called when the first row is durable.
 */
export async function executeRun(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  created: () => void = () => {},
): Promise<Release> {
  const hot: RunPlace = { kind: "hot", workerId: holder.workerId };

  const commit = async (then: RunPlace): Promise<Release | undefined> => {
    const row = nextRow(run, then);
    const creating = run.creation !== undefined;
    let result: RowResult;
    try {
      result = await ports.committer.commit(row);
    } catch (error) {
      result = creating ? { status: "unknown", error } : await commitAgain(ports, holder, row, error);
    }
    switch (result.status) {
      case "committed":
        rowCommitted(run, row);
        if (creating) created();
        return undefined;
      case "fenced":
        await leaveAnswers(ports, run);
        return { kind: "fenced" };
      case "exists":
        return { kind: "exists", runId: result.runId, digest: result.digest };
      case "refused":
        return { kind: "refused", error: result.error };
      case "unknown":
        return { kind: "abandoned", error: result.error, row };
    }
  };

  for (;;) {
    if (run.inboxStale || run.inbox.length > 0) await foldInbox(ports, holder, run);
    const step = nextStep(ports, run);
    switch (step.do) {
      case "call": {
        if (run.pending.length > 0) {
          const released = await commit(hot);
          if (released !== undefined) return released;
        }
        const call = (): Promise<Entry> => callAndSettle(ports, holder, run, step);
        const outcome = await call().catch(orUntilStored(ports, holder.stopped, call));
        if (outcome === undefined) return stoppedEarly;
        append(run, outcome);
        break;
      }
      case "reconsider":
        append(run, reconsider(ports, step));
        break;
      case "wait": {
        if (step.untilMs !== undefined && step.untilMs <= ports.clock.now() && step.review !== undefined) {
          if (!(await expire(ports, holder, run, step.review.effectKey))) return stoppedEarly;
          break;
        }
        if (await waitedHere(ports, holder, run, step.untilMs)) break;
        const status = step.review === undefined ? "running" : "awaiting_review";
        const released = await commit({ kind: "parked", status, wakeAtMs: step.untilMs });
        if (released !== undefined) return released;
        if (step.review !== undefined) ports.waiters.rested(runIdOf(run), { status: "awaiting_review" });
        return step.untilMs === undefined ? { kind: "rested" } : { kind: "rested", wakeAtMs: step.untilMs };
      }
      case "done": {
        const atMs = ports.clock.now();
        const { result } = step;
        const released = await commit({
          kind: "ended",
          status: result.status,
          endedAtMs: atMs,
          ...(result.status === "failed" ? { error: result.error } : {}),
        });
        if (released !== undefined) return released;
        ports.waiters.rested(runIdOf(run), { status: result.status, result, atMs });
        return { kind: "rested" };
      }
      case "propose":
      case "intend":
      case "ask": {
        if (holder.draining() && step.do !== "ask") {
          const released = await commit({ kind: "parked", status: "running", wakeAtMs: 0 });
          return released ?? { kind: "rested" };
        }
        const { state } = run;
        const performed = performConnectedStep(ports, state, step);
        if (!(performed instanceof Promise)) {
          append(run, performed);
          break;
        }
        const entry = await performed.catch(
          orUntilStored(ports, holder.stopped, () => performConnectedStep(ports, state, step)),
        );
        if (entry === undefined) return stoppedEarly;
        append(run, entry);
        break;
      }
      case "choose":
      case "ask_outcome":
      case "emit":
      case "finish":
      case "end":
        append(run, performInnerStep(ports, run.state, step));
    }
  }
}

/** The worker stopped while storage did not answer; what is durable goes on elsewhere. */
const stoppedEarly: Extract<Release, { kind: "abandoned" }> = {
  kind: "abandoned",
  error: new Error("The worker stopped while storage did not answer."),
};

/** What comes next; a backoff whose time has come goes on, and a journal over its limit ends the run. */
function nextStep(ports: ExecutionPorts, run: HotRun): Step {
  const { cursor } = run.state;
  const { limits } = ports;
  const settled = cursor.at === "calling" || cursor.at === "failed" || cursor.at === "ended";
  if (!settled && run.writer.head.bytes > limits.runBytes) {
    const error = `The run reached its limit of ${limits.runBytes} bytes for all steps together.`;
    return { do: "end", result: { status: "failed", error }, nodeId: cursor.nodeId };
  }
  const due = cursor.at === "backoff" && cursor.retryAtMs <= ports.clock.now();
  return due ? resume(run.procedure, run.state, limits) : next(run.procedure, run.state, limits);
}

async function foldInbox(ports: ExecutionPorts, holder: Holder, run: HotRun): Promise<void> {
  if (run.inboxStale) {
    run.inboxStale = false;
    const { scope, runId } = run.writer.head;
    const unread = await untilStored(ports, holder.stopped, () => ports.storage.inbox.read({ scope, runId }));
    run.inbox = unread?.filter(({ effectKey }) => !run.consumed.includes(effectKey)) ?? [];
  }
  for (const notification of run.inbox) {
    for (const entry of entriesOf(run.state, notification, ports.clock.now())) append(run, entry);
    run.consumed.push(notification.effectKey);
  }
  if (run.inbox.length > 0) run.inbox = [];
}

async function callAndSettle(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  { node, intent }: Extract<Step, { do: "call" }>,
): Promise<Entry> {
  const attempt = await makeCall(
    { ...ports, limits: { depth: ports.limits.depth, bytes: ports.limits.stepBytes } },
    {
      facts: run.state.facts,
      intent,
      mayNotAct: holder.mayNotAct,
      letGo: holder.letGo,
      late: (answer) => {
        const result = lateResult(answer);
        if (result !== undefined) void postLateAnswer(ports, run, intent, result);
      },
    },
  );
  const outcome = outcomeOf(intent, ports.clock.now());
  if (attempt.ok) return { ...outcome, result: { status: "ok", output: attempt.output } };
  return {
    ...outcome,
    ...settleFailure({
      failure: attempt.failure,
      effect: intent.frozen.effect,
      retryUnknown: node.onUnknownOutcome === "retry",
      attempt: intent.attempt,
      policy: node.retry,
      nowMs: outcome.atMs,
      uniform: ports.random.uniform(),
    }),
  };
}

/** What this owner got to know and may not write any more, it leaves to the next one. */
async function leaveAnswers(ports: ExecutionPorts, run: HotRun): Promise<void> {
  for (const entry of run.pending) {
    if (entry.type !== "outcome" || entry.late === true || entry.result.status !== "ok") continue;
    const key = callKey(runIdOf(run), entry.nodeId, entry.visit, entry.call);
    await postLateAnswer(ports, run, { key, attempt: entry.attempt }, entry.result);
  }
}

/** Tells the run's owner, whoever it is by now, what became of a call that it may take for lost. */
async function postLateAnswer(
  ports: ExecutionPorts,
  run: HotRun,
  intent: { readonly key: string; readonly attempt: number },
  result: CallResult,
): Promise<void> {
  const { scope, runId } = run.writer.head;
  const body: NotificationBody = { type: "late_answer", result };
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

const maxWaitHereMs = 1_000;

/**
 * Storage woke the run, but by this worker's clock it is too early: waits here for the clocks to agree rather than
 * parking a run again that would be woken at once. Answers whether it waited.
 */
async function waitedHere(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  untilMs: number | undefined,
): Promise<boolean> {
  if (run.pending.length > 0 || untilMs === undefined || holder.draining()) return false;
  const leftMs = untilMs - ports.clock.now();
  if (leftMs > maxWaitHereMs) return false;
  await sleep(ports.clock, Math.max(1, leftMs), holder.stopped);
  return true;
}

/** The owner that made the call is gone, and so is what it knew: the effect is unknown, and waiting tells no more. */
function reconsider(ports: ExecutionPorts, { node, intent }: Extract<Step, { do: "reconsider" }>): Entry {
  const outcome = outcomeOf(intent, ports.clock.now());
  const message = "The worker that made the call stopped before the outcome was on record.";
  const settlement = settleFailure({
    failure: { effect: "unknown", retryable: true, message },
    effect: intent.frozen.effect,
    retryUnknown: node.onUnknownOutcome === "retry",
    attempt: intent.attempt,
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
function lateResult(attempt: Attempt): CallResult | undefined {
  if (attempt.ok) return { status: "ok", output: attempt.output };
  const { failure } = attempt;
  return failure.effect === "unknown" ? undefined : { status: "error", error: { message: failure.message } };
}

async function expire(ports: ExecutionPorts, holder: Holder, run: HotRun, effectKey: string): Promise<boolean> {
  const { scope, runId } = run.writer.head;
  const body: NotificationBody = { type: "expired" };
  // A decision of the same instant may have won; then the inbox holds that.
  const posted = await untilStored(ports, holder.stopped, () =>
    ports.storage.inbox.post([{ scope, runId, effectKey, body: JSON.stringify(body), closeReview: "expired" }]),
  );
  run.inboxStale = true;
  return posted !== undefined;
}

type RowResult = CommitResult | { readonly status: "unknown"; readonly error: unknown };

/** Commits a row until storage has answered. Only a first row, for which somebody waits, is given up at once. */
async function commitAgain(ports: ExecutionPorts, holder: Holder, row: RunCommit, error: unknown): Promise<RowResult> {
  try {
    const result = await orUntilStored(ports, holder.stopped, () => ports.committer.commit(row))(error);
    return result ?? { status: "unknown", error: stoppedEarly.error };
  } catch (refusal) {
    return { status: "refused", error: refusal };
  }
}
