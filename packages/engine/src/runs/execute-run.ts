import { next, resume, type Cursor, type Entry, type Step } from "@procedo/procedure";
import {
  toStorable,
  type CommitResult,
  type DecideResult,
  type NewDecision,
  type RunCommit,
  type RunPlace,
} from "@procedo/storage";
import { sleep } from "../ports/clock.ts";
import { callAndSettle, leaveAnswers, reconsider } from "./call-turn.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { append, backTo, markOf, nextRow, rowCommitted, runIdOf, type HotRun, type Mark } from "./hot-run.ts";
import { performConnectedStep, performInnerStep } from "./perform-step.ts";
import { expire, foldInbox } from "./read-inbox.ts";
import { orUntilStored } from "./until-stored.ts";

/** How the owner's hold on a run ended. */
export type Release =
  /** The run rests: durable, and nobody holds it. */
  | { readonly kind: "rested"; readonly wakeAtMs?: number }
  /** Somebody else holds it: whatever was not committed is void. */
  | { readonly kind: "fenced" }
  /** The start that made it was answered by an earlier run. */
  | { readonly kind: "exists"; readonly runId: string; readonly digest: string }
  /** Storage did not take its decision together with the row that follows; nothing was done in these hands. */
  | { readonly kind: "undecided"; readonly result: DecideResult | undefined }
  /** Nothing is known of its last row, and the worker stops. */
  | { readonly kind: "abandoned"; readonly error: unknown; readonly row?: RunCommit }
  /** Storage will never take the row. */
  | { readonly kind: "refused"; readonly error: unknown };

/**
 * Executes a run until it rests: asks the interpreter what comes next, does it, and makes each effect's result durable
 * together with the intent of the next. `created` is called when the first row is durable that somebody waits for.
 */
export async function executeRun(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  created: () => void = () => {},
): Promise<Release> {
  const hot: RunPlace = { kind: "hot", workerId: holder.workerId };

  /** The lease's term when the last row was sent: a call may follow its intent only within the same one. */
  let { term } = holder;

  /**
   * What the run was before it folded its inbox or came to its end: until that is durable, somebody else may have had
   * something to say first.
   */
  let mark: Mark | undefined;

  const commit = async (then: RunPlace): Promise<Release | "committed" | "unread"> => {
    const row = nextRow(run, then);
    const somebodyWaits = run.creation !== undefined || run.decision !== undefined;
    term = holder.term;
    let result: RowResult;
    try {
      result = await (run.decision === undefined
        ? ports.committer.commit(row)
        : commitWithDecision(ports, run.decision, row));
    } catch (error) {
      result = somebodyWaits ? { status: "unknown", error } : await commitAgain(ports, holder, row, error);
    }
    switch (result.status) {
      case "committed":
        ports.observe(run.state.facts, run.pending);
        rowCommitted(run, row);
        mark = undefined;
        if (somebodyWaits) created();
        return "committed";
      case "undecided":
        return { kind: "undecided", result: result.result };
      case "unread":
        return "unread";
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
    // A review that storage does not know yet cannot be closed; it is opened first, and the news is there afterwards.
    if ((run.inboxStale || run.inbox.length > 0) && run.openReview === undefined) {
      // The decision was to be all that the run has to read.
      if (run.inboxStale && run.decision !== undefined) return undecided;
      // News again before the last was durable: all of it is looked at anew, in its order.
      if (mark === undefined) mark = markOf(run);
      else backTo(run, mark);
      await foldInbox(ports, holder, run);
    }
    const step = nextStep(ports, run);
    switch (step.do) {
      case "call": {
        if (run.pending.length > 0) {
          const committed = await commit(hot);
          if (typeof committed === "object") return committed;
        }
        // What a call does cannot be taken back, so nothing from before it may be.
        mark = undefined;
        const { node, intent } = step;
        let outcome: Entry | undefined;
        try {
          outcome = await callAndSettle(ports, holder, run, node, intent, term);
        } catch (error) {
          const again = (): Promise<Entry> => callAndSettle(ports, holder, run, node, intent, term);
          outcome = await orUntilStored(ports, holder.stopped, again)(error);
        }
        if (outcome === undefined) return stoppedEarly;
        append(run, outcome);
        break;
      }
      case "reconsider":
        append(run, reconsider(ports, step));
        break;
      case "wait": {
        const due = step.untilMs !== undefined && step.untilMs <= ports.clock.now();
        if (due && step.review !== undefined && run.openReview === undefined) {
          if (!(await expire(ports, holder, run, step.review.effectKey))) return stoppedEarly;
          break;
        }
        if (await waitedHere(ports, holder, run, step.untilMs)) break;
        const status = step.review === undefined ? "running" : "awaiting_review";
        const committed = await commit({ kind: "parked", status, wakeAtMs: step.untilMs });
        if (typeof committed === "object") return committed;
        if (step.review !== undefined) ports.waiters.rested(runIdOf(run), { status: "awaiting_review" });
        return step.untilMs === undefined ? { kind: "rested" } : { kind: "rested", wakeAtMs: step.untilMs };
      }
      case "done": {
        const atMs = ports.clock.now();
        const { result } = step;
        const committed = await commit({
          kind: "ended",
          status: result.status,
          endedAtMs: atMs,
          ...(result.status === "failed" ? { error: toStorable(result.error) } : {}),
        });
        if (committed === "unread") {
          if (mark !== undefined) backTo(run, mark);
          mark = undefined;
          break;
        }
        if (typeof committed === "object") return committed;
        ports.waiters.rested(runIdOf(run), { status: result.status, result, atMs });
        return { kind: "rested" };
      }
      case "propose":
      case "intend":
      case "ask":
      case "ask_outcome": {
        if (holder.draining() && (step.do === "propose" || step.do === "intend")) {
          const committed = await commit({ kind: "parked", status: "running", wakeAtMs: 0 });
          return typeof committed === "object" ? committed : { kind: "rested" };
        }
        const { state } = run;
        const performed = performConnectedStep(ports, state, step);
        if (!(performed instanceof Promise)) {
          append(run, performed);
          break;
        }
        // Whoever decides does not wait for what else may be missing.
        if (run.decision !== undefined) {
          performed.catch(() => {});
          return undecided;
        }
        const entry = await performed.catch(
          orUntilStored(ports, holder.stopped, () => performConnectedStep(ports, state, step)),
        );
        if (entry === undefined) return stoppedEarly;
        append(run, entry);
        break;
      }
      case "choose":
      case "emit":
      case "finish":
      case "end":
        if (step.do === "finish" || step.do === "end") mark ??= markOf(run);
        append(run, performInnerStep(ports, run.state, step));
    }
  }
}

/** Storage was not asked. */
const undecided: Release = { kind: "undecided", result: undefined };

/** The worker stopped while storage did not answer; what is durable goes on elsewhere. */
const stoppedEarly: Extract<Release, { kind: "abandoned" }> = {
  kind: "abandoned",
  error: new Error("The worker stopped while storage did not answer."),
};

/** Whether a limit may end a run here: nowhere where an outcome is to come or in doubt, or a question is open. */
function mayEndHere(cursor: Cursor): cursor is Extract<Cursor, { at: "node" | "ready" | "backoff" | "emit" }> {
  switch (cursor.at) {
    case "node":
    case "emit":
      return true;
    case "ready":
    case "backoff":
      return cursor.call.doubted === undefined;
    default:
      return false;
  }
}

/** What comes next; a backoff whose time has come goes on, and a journal over its limit ends the run. */
function nextStep(ports: ExecutionPorts, run: HotRun): Step {
  const { cursor } = run.state;
  const { limits } = ports;
  if (mayEndHere(cursor) && run.writer.head.bytes > limits.runBytes) {
    const error = `The run reached its limit of ${limits.runBytes} bytes for all steps together.`;
    return { do: "end", result: { status: "failed", error }, nodeId: cursor.nodeId };
  }
  const due = cursor.at === "backoff" && cursor.retryAtMs <= ports.clock.now();
  return due ? resume(run.procedure, run.state, limits) : next(run.procedure, run.state, limits);
}

const waitHereMs = 1_000;
/** Clocks of servers differ by less. */
const maxLagMs = 60_000;

/**
 * Storage woke the run, but by this worker's clock it is too early: waits here for the clocks to agree rather than
 * parking a run again that would be woken at once. A run with more time left than clocks differ was woken for something
 * else, and one step of waiting keeps even clocks that differ by hours from a row for every turn.
 *
 * @returns whether to look again
 */
async function waitedHere(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  untilMs: number | undefined,
): Promise<boolean> {
  if (run.pending.length > 0 || untilMs === undefined || holder.draining()) return false;
  const leftMs = untilMs - ports.clock.now();
  await sleep(ports.clock, Math.min(Math.max(1, leftMs), waitHereMs), holder.stopped);
  return leftMs <= maxLagMs;
}

type RowResult =
  | CommitResult
  | { readonly status: "unknown"; readonly error: unknown }
  | { readonly status: "undecided"; readonly result: DecideResult };

/** The row and the decision that it follows from become durable together, or the row does not. */
async function commitWithDecision(ports: ExecutionPorts, decision: NewDecision, next: RunCommit): Promise<RowResult> {
  const result = await ports.storage.reviews.decide({ ...decision, next });
  const wentOn = result.status === "recorded" && result.wentOn === true;
  return wentOn ? { status: "committed" } : { status: "undecided", result };
}

/** Commits a row until storage has answered. Only a row for which somebody waits is given up at once. */
async function commitAgain(ports: ExecutionPorts, holder: Holder, row: RunCommit, error: unknown): Promise<RowResult> {
  try {
    const result = await orUntilStored(ports, holder.stopped, () => ports.committer.commit(row))(error);
    return result ?? { status: "unknown", error: stoppedEarly.error };
  } catch (refusal) {
    return { status: "refused", error: refusal };
  }
}
