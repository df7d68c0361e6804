import type { Environment } from "@procedo/contract";
import type { OpenReview } from "@procedo/procedure";
import type {
  ClaimedRun,
  DecideResult,
  InvocationSettlement,
  NewDecision,
  NewResult,
  RunCommit,
  Scope,
  Storage,
} from "@procedo/storage";
import type { Principal } from "../access/principal.ts";
import { sleep } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import { createNotice } from "../ports/notice.ts";
import { isRowAwaited, rowCommitted, runIdOf, type ActiveRun } from "./active-run.ts";
import { createClaimLoop } from "./claim-loop.ts";
import { executeRun } from "./execute-run.ts";
import { Execution, type Release, type RunHold } from "./execution.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { createHeldRuns, isActive, scopeOf } from "./held-runs.ts";
import { leaveAnswers } from "./late-answers.ts";
import { createLease } from "./lease.ts";
import { journalMemory, loadClaim, type LoadPorts } from "./load-claim.ts";
import { createLostClaims } from "./lost-claims.ts";
import { ParkedRunCache } from "./parked-run-cache.ts";
import { recoverRow } from "./recover-row.ts";
import { resumeParkedRun } from "./resume-parked-run.ts";
import { decisionTrigger, resultTrigger, type ResumeTrigger } from "./resume-trigger.ts";

export interface WorkerPorts extends ExecutionPorts, LoadPorts {
  readonly storage: Pick<Storage, "budgets" | "inbox" | "invocations" | "reviews" | "runs" | "workers">;
  readonly workspace: string;
  /** Reports a quarantined run to the operator. */
  readonly quarantine: (runId: string, error: unknown) => void;
}

export interface WorkerSettings {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Runs held at once. */
  readonly capacity: number;
  /** The longest time between two claims. */
  readonly pollMs: number;
}

/** Executes runs: begins new runs, claims runs that wake, and takes over runs of workers that died. */
export interface Worker {
  readonly workerId: string;
  start(): Promise<void>;
  /** Whether it was started and is not stopping. */
  isWorking(): boolean;
  /** Whether it would accept another run of this environment now. */
  hasRoom(environment: Environment): boolean;
  /** Why a started worker cannot execute runs: its lease has expired. */
  troubled(): string | undefined;
  /** Executes a run that storage does not have yet. */
  begin(run: ActiveRun): RunHold;
  /** Stores a run that storage does not have yet, for the worker that claims it. */
  park(run: ActiveRun): Promise<Release>;
  /** Executes a run that storage has assigned to this worker. */
  adopt(claim: ClaimedRun): void;
  /** The open review of a run that was parked here; it may have been answered since. */
  openReview(scope: Scope, runId: string): OpenReview | undefined;
  /**
   * Stores the only decision for which a run parked here waits, and resumes the run.
   *
   * @returns the answer of storage; `undefined` if storage was not asked, for example because the run is not cached
   *   here
   */
  resume(decision: NewDecision, by: Principal): Promise<DecideResult | undefined>;
  /** The same with the result of an invocation. */
  resumeWith(result: NewResult): Promise<InvocationSettlement | undefined>;
  /** Claims now instead of at the next planned time. */
  claimSoon(): void;
  holds(runId: string): boolean;
  /** Whether it holds the run, and the run is of this scope. */
  holdsIn(scope: Scope, runId: string): boolean;
  /** Storage holds a notification for this run. */
  notified(runId: string): void;
  /** Storage may hold notifications for any run. */
  anyNotified(): void;
  /**
   * Parks its runs for other workers, each at its next step. Waits for the answers of calls under way, and aborts the calls that are
   * left after `drainMs`.
   */
  stop(drainMs: number): Promise<void>;
}

/** Time for the outcomes of aborted calls to become durable. */
const lastCommitsMs = 2_000;

export function createWorker(ports: WorkerPorts, settings: WorkerSettings): Worker {
  const { clock, log, storage } = ports;
  const { workerId } = settings;
  const held = createHeldRuns(settings.capacity);
  const quarantined = new Set<string>();
  const parked = new ParkedRunCache();
  const lostClaims = createLostClaims(ports, workerId, (runId) => held.has(runId) || quarantined.has(runId));
  const stopping = new AbortController();
  const stopped = stopping.signal;
  // Changes that were not announced are found once per heartbeat.
  const lease = createLease(ports, settings, stopped, () => {
    void lostClaims.releaseLost();
    anyNotified();
  });
  const drains = createNotice();
  const callsAborted = createNotice();
  let state: "new" | "working" | "draining" | "stopped" = "new";
  /**
   * Executions under way, including those of runs that other workers took over: the answers of their calls are awaited.
   */
  let executions = 0;
  let idle = (): void => {};

  const holder: Holder = {
    workerId,
    leaseViolation: lease.leaseViolation,
    get leaseGeneration() {
      return lease.leaseGeneration;
    },
    drains,
    callsAborted,
    stopped,
    draining: () => state !== "working",
    isTooLarge: (run) => {
      held.weigh(run);
      if (held.hasMemoryFor(runIdOf(run))) return false;
      log.info("A run waits for memory that other runs of its environment hold.", { runId: runIdOf(run), workerId });
      return true;
    },
  };

  const drop = (runId: string): void => {
    held.delete(runId);
    claims.roomMade();
  };

  /** Keeps the run from other workers, which would fail on it one after another. A restart tries the run again. */
  const quarantine = (runId: string, error: unknown): void => {
    drop(runId);
    quarantined.add(runId);
    log.error("A run was quarantined.", { runId, workerId, error: errorText(error) });
    ports.quarantine(runId, error);
  };

  /** Quarantines an active run, after posting its answers for its next owner. */
  const stopExecuting = async (run: ActiveRun, error: unknown): Promise<void> => {
    await leaveAnswers(ports, stopped, run);
    quarantine(runIdOf(run), error);
  };

  const execute = (run: ActiveRun): RunHold => {
    const { promise: durable, resolve } = Promise.withResolvers<undefined>();
    const released = hold(run, () => resolve(undefined)).then((release) => {
      if (release.kind === "abandoned" && release.reason === "unanswered" && release.row !== undefined) {
        if (isRowAwaited(run)) void recover(run, release.row);
      }
      return release;
    });
    return { durable, released };
  };

  const hold = async (run: ActiveRun, rowDurable: () => void): Promise<Release> => {
    const runId = runIdOf(run);
    held.set(runId, run);
    parked.forget(runId);
    executions += 1;
    try {
      const release = await executeRun(ports, holder, run, rowDurable);
      if (release.kind === "parked") {
        // The run may already have been claimed again, as another object.
        if (held.get(runId) === run) {
          parked.keep(run);
          drop(runId);
        }
        if (release.wakeAtMs !== undefined) claims.at(release.wakeAtMs);
        // Its waiters may decide at once, and that decision resumes the run from memory.
        if (release.status === "awaiting_review") ports.waiters.settled({ runId, status: release.status });
      }
      if (release.kind === "abandoned") {
        if (release.reason === "refused" && !isRowAwaited(run))
          await stopExecuting(run, refusedRow(run, release.error));
        // A run that is not stored yet is fenced when another worker has its firing.
        if (release.reason === "fenced" && run.start === undefined)
          log.warn("Another worker took a run over.", { runId, workerId });
      }
      return release;
    } catch (error) {
      // The caller of a run that was not stored or resumed receives the error.
      if (!isRowAwaited(run)) await stopExecuting(run, error);
      throw error;
    } finally {
      if (held.get(runId) === run) drop(runId);
      executions -= 1;
      if (executions === 0) idle();
    }
  };

  /** Executes a stored run. An error is ignored here, because it has quarantined the run. */
  const executeStored = async (run: ActiveRun): Promise<void> => {
    await execute(run).released.catch(() => {});
  };

  const adopt = async (claim: ClaimedRun): Promise<void> => {
    held.set(claim.runId, { loading: claim.scope, memory: journalMemory(claim) });
    parked.forget(claim.runId);
    let run: ActiveRun | undefined;
    try {
      run = await loadClaim(ports, holder, claim);
    } catch (error) {
      quarantine(claim.runId, error);
      return;
    }
    if (run === undefined) drop(claim.runId);
    else await executeStored(run);
  };

  /** Continues a run whose start or resume storage did not answer, if this worker owns the run. */
  const recover = async (run: ActiveRun, row: RunCommit): Promise<void> => {
    const { scope, runId } = row;
    const loading = { loading: scope, memory: run.journalMemory };
    held.set(runId, loading);
    try {
      const result = await recoverRow(ports, holder, run, row);
      if (held.get(runId) !== loading) return;
      if (result?.status === "refused") {
        await stopExecuting(run, refusedRow(run, result.error));
        return;
      }
      if (result?.status !== "committed") {
        drop(runId);
        return;
      }
    } catch (error) {
      quarantine(runId, error);
      return;
    }
    ports.observe(run.state.facts, run.pendingRow.entries);
    rowCommitted(run, row);
    run.inboxStale = true;
    await executeStored(run);
  };

  const resume = async <Answer>(
    run: ActiveRun | undefined,
    triggerOf: (run: ActiveRun) => ResumeTrigger<Answer> | undefined,
  ): Promise<Answer | undefined> => {
    const trigger = run === undefined || held.has(runIdOf(run)) ? undefined : triggerOf(run);
    if (run === undefined || trigger === undefined) return undefined;
    const answer = await resumeParkedRun(execute, run, trigger);
    // While the run counted as held here, its waiters did not read storage.
    if (run.resumeTrigger !== undefined) ports.waiters.changed(runIdOf(run));
    return answer;
  };

  const anyNotified = (): void => {
    for (const [, run] of held.entries()) if (isActive(run)) run.inboxStale = true;
  };

  const claims = createClaimLoop(
    ports,
    { ...settings, mayClaim: () => lease.leaseViolation() === undefined },
    held,
    adopt,
  );

  const orAfter = async (event: Promise<unknown>, delayMs: number): Promise<void> => {
    const over = new AbortController();
    await Promise.race([event, sleep(clock, delayMs, over.signal)]);
    over.abort();
  };

  return {
    workerId,
    start: async () => {
      await lease.start();
      state = "working";
      claims.start();
    },
    isWorking: () => state === "working",
    hasRoom: (environment) => state === "working" && held.hasRoom(environment) && lease.leaseViolation() === undefined,
    troubled: () => (state === "working" ? lease.leaseViolation() : undefined),
    begin: execute,
    park: (run) => new Execution(ports, holder, run).park("running", clock.now()),
    adopt: (claim) => void adopt(claim),
    openReview: (scope, runId) => {
      const cursor = parked.get(scope, runId)?.state.cursor;
      return cursor?.at === "review" ? cursor.review : undefined;
    },
    resume: (decision, by) =>
      resume(parked.get(decision.scope, decision.runId), (run) => decisionTrigger(storage, run.state, decision, by)),
    resumeWith: (result) =>
      resume(parked.ofInvocation(result.scope, result.invocationId), (run) =>
        resultTrigger(storage, run.state, result),
      ),
    claimSoon: () => claims.soon(),
    holds: (runId) => held.has(runId),
    holdsIn: ({ workspace, environment }, runId) => {
      const run = held.get(runId);
      if (run === undefined) return false;
      const scope = scopeOf(run);
      return scope.workspace === workspace && scope.environment === environment;
    },
    notified: (runId) => {
      const run = held.get(runId);
      if (run !== undefined && isActive(run)) run.inboxStale = true;
    },
    anyNotified,
    stop: async (drainMs) => {
      if (state === "stopped") return;
      const wasWorking = state === "working";
      state = "draining";
      drains.give();
      const claimed = claims.stop();
      for (const [runId, run] of [...held.entries()]) if (!isActive(run)) held.delete(runId);
      const drained = new Promise<void>((resolve) => {
        idle = resolve;
        if (executions === 0) resolve();
      });
      // A claim that storage answers after the lease is released would look like the claim of a worker that died.
      await orAfter(Promise.all([drained, claimed]), drainMs);
      callsAborted.give();
      await orAfter(drained, lastCommitsMs);
      state = "stopped";
      stopping.abort();
      if (wasWorking) await lease.release();
    },
  };
}

function refusedRow(run: ActiveRun, cause: unknown): Error {
  const { seq } = run.writer.head;
  return new Error(`Storage refused row ${seq + 1} of the run: ${errorText(cause)}`, { cause });
}
