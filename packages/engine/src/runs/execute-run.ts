import type { Entry, Intent } from "@procedo/procedure";
import { toStorable, type RunCommit, type RunPlace } from "@procedo/storage";
import { askForReply, type TurnEnd } from "../agent/model-turn.ts";
import { reserves } from "../budgets/call-bounds.ts";
import { withdrawInvocation } from "./withdraw-invocation.ts";
import { executeCall, reconsider } from "./execute-call.ts";
import { sendRow, stoppedEarly, unanswered, type RowResult } from "./commit-row.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import {
  append,
  backTo,
  markOf,
  nextRow,
  rowCommitted,
  runIdOf,
  settle,
  type ActiveRun,
  type Mark,
} from "./active-run.ts";
import { leaveAnswers } from "./late-answers.ts";
import { nextStep } from "./next-step.ts";
import { performConnectedStep, performInnerStep } from "./perform-step.ts";
import { expire, foldInbox } from "./read-inbox.ts";
import { orRetryStorage } from "./retry-storage.ts";
import { waitOutClockSkew, clockSkewWaitMs } from "./clock-skew-wait.ts";
import { isWaitOver } from "./wait-over.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

/** How the owner's hold on a run ended. */
export type Release =
  /** The run rests: durable, and nobody holds it. */
  | { readonly kind: "rested"; readonly wakeAtMs?: number }
  /** Somebody else holds it: whatever was not committed is void. */
  | { readonly kind: "fenced" }
  /** The start that made it was answered by an earlier run. */
  | { readonly kind: "exists"; readonly runId: string; readonly digest: string }
  /** Storage did not take its news together with the row that follows; nothing was done in these hands. */
  | { readonly kind: "unresumed" }
  /** Nothing is known of its last row, and the worker stops. */
  | { readonly kind: "abandoned"; readonly error: unknown; readonly row?: RunCommit }
  /** Storage refuses the row, and would again. Of a run that exists already, the answers in that row are not durable. */
  | { readonly kind: "refused"; readonly error: unknown };

/** Evaluation that the other work of the process waits for in one go, in milliseconds. */
const longEvaluationMs = 25;

/** What a row has come to: `inbox_not_empty` when news came before the row that was to be the last. */
type Committed = Release | "committed" | "inbox_not_empty";

/**
 * Executes a run until it rests: asks the interpreter what comes next, does it, and makes each effect's result durable
 * together with the intent of the next. `created` is called when the first row is durable that somebody waits for.
 */
export async function executeRun(
  ports: ExecutionPorts,
  holder: Holder,
  run: ActiveRun,
  created: () => void = () => {},
): Promise<Release> {
  const hot: RunPlace = { kind: "hot", workerId: holder.workerId };

  /** The lease generation when the last row was sent: a call may follow its intent only within the same one. */
  let { leaseGeneration } = holder;

  /** The handed-out call of which storage has said that its result is there. */
  let settled: Intent | undefined;

  /** Effect key of the review whose expiry was posted: what settles it is in the inbox since. */
  let expired: string | undefined;

  /**
   * What the run was before it folded its inbox or came to its end: until that is durable, somebody else may have had
   * something to say first.
   */
  let mark: Mark | undefined;

  /** Milliseconds of evaluation since other work, such as a cancel of this run, was last let in. */
  let evaluatedMs = 0;

  /** For the row that starts the run, or that answers what it was told. */
  const somebodyWaits = (): boolean => run.creation !== undefined || run.news !== undefined;

  const evaluate = <T>(perform: () => T): T => {
    const sinceMs = ports.clock.monotonic();
    const performed = perform();
    evaluatedMs += ports.clock.monotonic() - sinceMs;
    return performed;
  };

  /** Makes the run's next row durable. A private call in it is leased to a poll that is held in this process, if any. */
  // Every row of every run comes through here: promises are chained where `async` would put three around one.
  const commit = (then: RunPlace): Promise<Committed> => {
    const unleased = nextRow(run, then);
    const { invocation, scope } = unleased;
    const reservation =
      invocation !== undefined && then.kind === "parked" ? ports.reservePoll(scope.environment, invocation) : undefined;
    const row =
      invocation !== undefined && reservation !== undefined
        ? { ...unleased, invocation: { ...invocation, handedTo: reservation.lease } }
        : unleased;
    const isAwaited = somebodyWaits();
    leaseGeneration = holder.leaseGeneration;
    const told = (result: RowResult): Committed | Promise<Committed> => {
      if (result.status === "committed") reservation?.committed();
      else reservation?.released();
      return afterRow(row, isAwaited, result);
    };
    return sendRow(ports, run, row).then(told, (error: unknown) => {
      reservation?.released();
      return unanswered(ports, holder, run, row, error).then(told);
    });
  };

  const afterRow = (row: RunCommit, isAwaited: boolean, result: RowResult): Committed | Promise<Committed> => {
    switch (result.status) {
      case "committed":
        ports.observe(run.state.facts, run.pending);
        rowCommitted(run, row);
        mark = undefined;
        if (isAwaited) created();
        return "committed";
      case "unresumed":
        return unresumed;
      case "inbox_not_empty":
        return "inbox_not_empty";
      case "fenced":
        return leaveAnswers(ports, holder.stopped, run).then(() => ({ kind: "fenced" }));
      case "exists":
        return { kind: "exists", runId: result.runId, digest: result.digest };
      case "refused":
        return { kind: "refused", error: result.error };
      case "unknown":
        return { kind: "abandoned", error: result.error, row };
    }
  };

  /** Whether the run waits for room in memory; a start or an answer that somebody waits for is stored first. */
  const mustRest = (): boolean => !somebodyWaits() && holder.isTooLarge(run);

  /** Leaves the run to whoever claims it next, as it stands. */
  const handBack = async (): Promise<Release> => {
    const committed = await commit({ kind: "parked", status: "running", wakeAtMs: 0 });
    return typeof committed === "object" ? committed : { kind: "rested", wakeAtMs: 0 };
  };

  for (;;) {
    if (evaluatedMs >= longEvaluationMs) {
      evaluatedMs = 0;
      await ports.slices.next();
    }
    // A review that storage does not know yet cannot be closed; it is opened first, and the news is there afterwards.
    if ((run.inboxStale || run.inbox.length > 0) && run.openReview === undefined) {
      // The news was to be all that the run has to read.
      if (run.inboxStale && run.news !== undefined) return unresumed;
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
          outcome = await executeCall(ports, holder, run, node, intent, leaseGeneration);
        } catch (error) {
          const again = (): Promise<Entry> => executeCall(ports, holder, run, node, intent, leaseGeneration);
          outcome = await orRetryStorage(ports, holder.stopped, again)(error);
        }
        if (outcome === undefined) return stoppedEarly;
        append(run, outcome);
        break;
      }
      case "ask_model": {
        if (holder.draining()) return await handBack();
        if (run.pending.length > 0) {
          const committed = await commit(hot);
          if (typeof committed === "object") return committed;
        }
        mark = undefined;
        const { callsAborted: aborted, leaseViolation } = holder;
        const ask = async (): Promise<TurnEnd> => {
          const watch = watchForCancel(ports, run);
          try {
            return await askForReply(ports, run, { aborted, leaseViolation, cancelled: watch.cancelled }, step);
          } finally {
            watch.end();
          }
        };
        const end = await ask().catch(orRetryStorage(ports, holder.stopped, ask));
        if (end === undefined) return stoppedEarly;
        if (end.kind === "let_go") return await handBack();
        append(run, end.entry);
        if (end.settlement !== undefined) settle(run, end.settlement);
        break;
      }
      case "await": {
        const { intent, cancelled } = step;
        const nowMs = ports.clock.now();
        const wait = { sinceMs: intent.atMs, untilMs: intent.sendByMs };
        const over = cancelled || isWaitOver(run, wait, nowMs);
        // What is to be taken back has to be there first.
        const isThere = run.invocation === undefined;
        if (over && isThere && intent !== settled) {
          const known = await withdrawInvocation(ports, holder, run, step);
          if (known === undefined) return stoppedEarly;
          if (known === "settled") settled = intent;
          break;
        }
        if (!over && (await waitOutClockSkew(ports, holder, run, intent.sendByMs))) break;
        // A result that is not in the inbox was read by whoever owns the run by now; then this row is fenced.
        const wakeAtMs = over ? nowMs + clockSkewWaitMs : intent.sendByMs;
        const committed = await commit(isThere || !over ? { kind: "parked", status: "running", wakeAtMs } : hot);
        if (typeof committed === "object") return committed;
        if (over && !isThere) break;
        return { kind: "rested", wakeAtMs };
      }
      case "reconsider":
        append(run, reconsider(ports, step));
        break;
      case "wait": {
        const { review, untilMs } = step;
        const due = untilMs !== undefined && untilMs <= ports.clock.now();
        const expiring = due && run.openReview === undefined ? review : undefined;
        if (expiring !== undefined && expiring.effectKey !== expired) {
          expired = expiring.effectKey;
          if (!(await expire(ports, holder, run, expired))) return stoppedEarly;
          break;
        }
        if (expiring === undefined && (await waitOutClockSkew(ports, holder, run, untilMs))) break;
        const status = review === undefined ? "running" : "awaiting_review";
        // What settled the review is not in the inbox: whoever owns the run by now has read it, and this row is fenced.
        const wakeAtMs = expiring === undefined ? untilMs : ports.clock.now() + clockSkewWaitMs;
        const committed = await commit({ kind: "parked", status, wakeAtMs });
        if (typeof committed === "object") return committed;
        if (review !== undefined) ports.waiters.rested(runIdOf(run), { status: "awaiting_review" });
        return wakeAtMs === undefined ? { kind: "rested" } : { kind: "rested", wakeAtMs };
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
        if (committed === "inbox_not_empty") {
          if (mark !== undefined) backTo(run, mark);
          mark = undefined;
          break;
        }
        if (typeof committed === "object") return committed;
        ports.waiters.rested(runIdOf(run), { status: result.status, result, atMs });
        return { kind: "rested" };
      }
      case "prompt":
      case "judge":
      case "propose":
      case "intend":
      case "ask":
      case "ask_outcome": {
        if (step.do !== "ask" && step.do !== "ask_outcome" && (holder.draining() || mustRest()))
          return await handBack();
        // What is reserved for a call must not belong to a past that may still be lost.
        if (run.pending.length > 0 && reserves(run.procedure, step)) {
          const committed = await commit(hot);
          if (typeof committed === "object") return committed;
          break;
        }
        const performed = evaluate(() => performConnectedStep(ports, run, step));
        if (!(performed instanceof Promise)) {
          append(run, performed);
          break;
        }
        // Whoever brings the news does not wait for what else may be missing.
        if (run.news !== undefined) {
          performed.catch(() => {});
          return unresumed;
        }
        const entry = await performed.catch(
          orRetryStorage(ports, holder.stopped, () => performConnectedStep(ports, run, step)),
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
        append(
          run,
          evaluate(() => performInnerStep(ports, run.state, step)),
        );
    }
  }
}

const unresumed: Release = { kind: "unresumed" };
