import type { Environment } from "@procedo/contract";
import type { CompiledProcedure, OpenReview, RunState } from "@procedo/procedure";
import type { ClaimedRun, RunCommit, Scope, Storage } from "@procedo/storage";
import { rowMemory } from "../journal/parsed-bytes.ts";
import type { Slices } from "../journal/slices.ts";
import { sleep } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import { createNotice } from "../ports/notice.ts";
import { createClaimLoop } from "./claim-loop.ts";
import { executeRun, type Release } from "./execute-run.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { createHeldRuns, isActive, scopeOf } from "./held-runs.ts";
import { append, createActiveRun, rowCommitted, runIdOf, type ActiveRun } from "./active-run.ts";
import { leaveAnswers } from "./late-answers.ts";
import { createLease } from "./lease.ts";
import { loadRun } from "./load-run.ts";
import { createParkedRunCache } from "./parked-run-cache.ts";
import { resumeParkedRun, type ResumeTrigger } from "./resume-parked-run.ts";
import { triggeredByDecision, triggeredByResult, type ResumesParkedRuns } from "./resume-trigger.ts";
import { retryUntilStored } from "./retry-storage.ts";

export interface WorkerPorts extends ExecutionPorts {
  readonly storage: Pick<Storage, "budgets" | "inbox" | "invocations" | "reviews" | "runs" | "workers">;
  readonly workspace: string;
  readonly chainKey: Uint8Array;
  readonly slices: Slices;
  readonly loadProcedure: (procedureId: string, version: string) => Promise<CompiledProcedure>;
  /** A run whose journal or version cannot be trusted, or whose execution broke; it is held and not executed. */
  readonly quarantine: (runId: string, error: unknown) => void;
}

export interface WorkerSettings {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Runs held at once. */
  readonly capacity: number;
  /** How often claimable runs are looked for when nothing tells of them. */
  readonly pollMs: number;
}

/** Holds runs and executes them: takes new ones, claims those that wake, takes over those of workers that died. */
export interface Worker extends ResumesParkedRuns {
  readonly workerId: string;
  start(): Promise<void>;
  /** Whether it executes runs: it was started and does not stop. */
  isWorking(): boolean;
  /** Whether it would take another run of this environment now. */
  hasRoom(environment: Environment): boolean;
  /** Why nothing can be executed now, once it was started: its lease has run out. `undefined` when nothing is wrong. */
  troubled(): string | undefined;
  /** Executes a run that does not exist yet; `created` is called when its first row is durable. */
  begin(run: ActiveRun, created: () => void): Promise<Release>;
  /** Executes a run that storage has handed to this worker. */
  adopt(claim: ClaimedRun): void;
  /** What a run asks that came to rest here and is remembered; it may have been answered elsewhere since. */
  openReview(scope: Scope, runId: string): OpenReview | undefined;
  /** Looks for claimable runs now rather than at the next poll. */
  claimSoon(): void;
  holds(runId: string): boolean;
  /** The same for a run that has to be of this scope. */
  holdsIn(scope: Scope, runId: string): boolean;
  /** Storage holds a notification for this run. */
  notified(runId: string): void;
  /** Storage may hold notifications for any run. */
  anyNotified(): void;
  /**
   * Hands its runs back, each at its next step. Listens to calls under way for as long as each may take, and aborts what is
   * left after `drainMs`.
   */
  stop(drainMs: number): Promise<void>;
}

export function createWorker(ports: WorkerPorts, settings: WorkerSettings): Worker {
  const { clock, log } = ports;
  const { workerId } = settings;
  const held = createHeldRuns(settings.capacity);
  const quarantined = new Set<string>();
  const resting = createParkedRunCache();
  const stopped = new AbortController();
  // What nobody was told of is found by looking, once a beat.
  const lease = createLease(ports, settings, stopped.signal, () => {
    void findLost();
    lookIntoInboxes();
  });
  const callsAborted = createNotice();
  let state: "new" | "working" | "draining" | "stopped" = "new";
  /** Also of runs that others have taken over: their calls are still listened to. */
  let executions = 0;
  let idle = (): void => {};

  const holder: Holder = {
    workerId,
    leaseViolation: lease.leaseViolation,
    get leaseGeneration() {
      return lease.leaseGeneration;
    },
    callsAborted,
    stopped: stopped.signal,
    draining: () => state !== "working",
    isTooLarge: (run) => {
      held.weigh(run);
      if (held.hasMemoryFor(runIdOf(run))) return false;
      log.info("A run waits for memory that other runs of its environment hold.", { runId: runIdOf(run), workerId });
      return true;
    },
  };

  const letGo = (runId: string): void => {
    held.delete(runId);
    claims.roomMade();
  };

  /** Kept from others, who would stumble over it one after the other; a restart looks at it again. */
  const quarantine = (runId: string, error: unknown): void => {
    letGo(runId);
    quarantined.add(runId);
    log.error("A run was quarantined.", { runId, workerId, error: errorText(error) });
    ports.quarantine(runId, error);
  };

  /** A run that cannot go on in these hands: its answers go to its next owner, and it is held for the operator to see. */
  const stopExecuting = async (run: ActiveRun, error: unknown): Promise<void> => {
    await leaveAnswers(ports, stopped.signal, run);
    quarantine(runIdOf(run), error);
  };

  /** Quarantines a stored run whose row storage refuses, or whose execution throws. */
  const execute = async (run: ActiveRun, created?: () => void): Promise<Release> => {
    const runId = runIdOf(run);
    held.set(runId, run);
    resting.forget(runId);
    executions += 1;
    try {
      const release = await executeRun(ports, holder, run, created);
      if (release.kind === "refused" && exists(run)) await stopExecuting(run, refusedRow(run, release.error));
      if (release.kind === "rested") {
        resting.keep(run);
        if (release.wakeAtMs !== undefined) claims.at(release.wakeAtMs);
      }
      if (release.kind === "fenced") log.warn("Another worker took a run over.", { runId, workerId });
      return release;
    } catch (error) {
      if (exists(run)) await stopExecuting(run, error);
      throw error;
    } finally {
      // A run that came to rest may already be back in these hands, as another object.
      if (held.get(runId) === run) letGo(runId);
      executions -= 1;
      if (executions === 0) idle();
    }
  };

  const adopt = async (claim: ClaimedRun): Promise<void> => {
    const memory = journalMemory(claim);
    held.set(claim.runId, { loading: claim.scope, memory });
    resting.forget(claim.runId);
    let run: ActiveRun | undefined;
    try {
      run = await load(claim);
      if (run !== undefined) run.journalMemory = memory;
    } catch (error) {
      quarantine(claim.runId, error);
      return;
    }
    if (run === undefined) letGo(claim.runId);
    // An error has quarantined the run.
    else await execute(run).catch(() => {});
  };

  /** `undefined` when the worker stopped before storage answered. */
  const load = async (claim: ClaimedRun): Promise<ActiveRun | undefined> => {
    const { procedureId, procedureVersion } = claim;
    const procedure = await retryUntilStored(ports, stopped.signal, () =>
      ports.loadProcedure(procedureId, procedureVersion),
    );
    if (procedure === undefined) return undefined;
    const { state: runState, writer } = await loadRun(ports, procedure, claim);
    const run = createActiveRun(procedure, writer, runState, claim.inbox);
    // Notices that were posted while the run was on its way here had no listener.
    run.inboxStale = true;
    // News wakes a run before its wait is over.
    if (claim.inbox.length === 0) run.dueAtMs = claim.dueAtMs;
    // Whoever claims a run does not hold its open call, however politely the last owner let go.
    if (claim.takenOver || isCalling(runState)) {
      append(run, { type: "recovered", atMs: clock.now(), workerId, epoch: claim.epoch });
    }
    return run;
  };

  /**
   * A start, decision or result whose row has no known outcome was refused to its caller, but may have put a run into this worker's
   * hands. Looks until storage can tell, and goes on with such a run: only here is it known that its next call was not made.
   */
  const goOnIfHeld = async (run: ActiveRun, row: RunCommit): Promise<void> => {
    const { scope, runId } = row;
    const loading = { loading: scope, memory: run.journalMemory };
    held.set(runId, loading);
    try {
      const isHere = await retryUntilStored(ports, stopped.signal, () => cameHere(run, row));
      // The same row again: storage says whether the run is still in these hands as it was when the row was made. To whom
      // its call was handed then may have been told meanwhile that nothing comes of it.
      const toAnybody = withoutHandOut(row);
      const again =
        isHere === true
          ? await retryUntilStored(ports, stopped.signal, () => ports.storage.runs.commit(toAnybody))
          : undefined;
      if (held.get(runId) !== loading) return;
      if (again?.status === "refused") {
        await stopExecuting(run, refusedRow(run, again.error));
        return;
      }
      if (again?.status !== "committed") {
        letGo(runId);
        return;
      }
    } catch (error) {
      quarantine(runId, error);
      return;
    }
    ports.observe(run.state.facts, run.pending);
    rowCommitted(run, row);
    run.inboxStale = true;
    // An error has quarantined the run.
    await execute(run).catch(() => {});
  };

  /** Whether storage has put a run into these hands for what it was given: others may have said otherwise since. */
  const cameHere = async (run: ActiveRun, row: RunCommit): Promise<boolean> => {
    const runIds = await ports.storage.workers.held({ workerId });
    return runIds.includes(runIdOf(run)) && (run.news === undefined || (await run.news.isStored(row)));
  };

  const resume = async <Answer>(
    run: ActiveRun | undefined,
    toldOf: (run: ActiveRun) => ResumeTrigger<Answer> | undefined,
  ): Promise<Answer | undefined> => {
    const told = run === undefined || held.has(runIdOf(run)) ? undefined : toldOf(run);
    if (run === undefined || told === undefined) return undefined;
    const answer = await resumeParkedRun({ execute, goOnIfHeld }, run, told);
    // It was taken for held meanwhile: whoever waits for it did not ask storage.
    if (run.news !== undefined) ports.waiters.changed(runIdOf(run));
    return answer;
  };

  const lookIntoInboxes = (): void => {
    for (const [, run] of held.entries()) if (isActive(run)) run.inboxStale = true;
  };

  /** Runs that storage takes to be here and that were not here the last time either: an answer was lost. */
  let missing: ReadonlySet<string> = new Set();

  const findLost = async (): Promise<void> => {
    try {
      const runIds = await ports.storage.workers.held({ workerId });
      const notHere = runIds.filter((runId) => !held.has(runId) && !quarantined.has(runId));
      const lost = notHere.filter((runId) => missing.has(runId));
      missing = new Set(notHere);
      if (lost.length === 0) return;
      log.warn("Runs of which this worker was not told are handed back.", { workerId, runs: lost.length });
      await ports.storage.workers.handBack({ workerId, runIds: lost });
    } catch (error) {
      log.warn("The worker could not compare its runs with storage.", { workerId, error: errorText(error) });
    }
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
    begin: async (run, created) => {
      const release = await execute(run, created);
      if (release.kind === "abandoned" && release.row !== undefined) void goOnIfHeld(run, release.row);
      return release;
    },
    adopt: (claim) => void adopt(claim),
    openReview: (scope, runId) => {
      const cursor = resting.get(scope, runId)?.state.cursor;
      return cursor?.at === "review" ? cursor.review : undefined;
    },
    resume: (decision) =>
      resume(resting.get(decision.scope, decision.runId), (run) => triggeredByDecision(ports.storage, run, decision)),
    resumeWith: (result) =>
      resume(resting.ofCall(result.scope, result.invocationId), (run) => triggeredByResult(ports.storage, run, result)),
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
    anyNotified: lookIntoInboxes,
    stop: async (drainMs) => {
      if (state === "stopped") return;
      const wasWorking = state === "working";
      state = "draining";
      const claimed = claims.stop();
      for (const [runId, run] of [...held.entries()]) if (!isActive(run)) held.delete(runId);
      const drained = new Promise<void>((resolve) => {
        idle = resolve;
        if (executions === 0) resolve();
      });
      // A claim that storage grants after the lease is given back would look like one of a worker that died.
      await orAfter(Promise.all([drained, claimed]), drainMs);
      callsAborted.give();
      await orAfter(drained, lastCommitsMs);
      state = "stopped";
      stopped.abort();
      if (wasWorking) await lease.release();
    },
  };
}

/** Whether a call of its own is open; one that was handed out is in nobody's hands here. */
function isCalling({ cursor }: RunState): boolean {
  return cursor.at === "calling" && cursor.intent.frozen.dispatched !== true;
}

/** Time for the outcomes of calls that were aborted to become durable. */
const lastCommitsMs = 2_000;

/** Whether storage has the run as it is in these hands; before that, whoever starts or resumes it is told what breaks. */
function exists({ creation, news }: ActiveRun): boolean {
  return creation === undefined && news === undefined;
}

function refusedRow(run: ActiveRun, cause: unknown): Error {
  const { seq } = run.writer.head;
  return new Error(`Storage refused row ${seq + 1} of the run: ${errorText(cause)}`, { cause });
}

function journalMemory({ journal }: ClaimedRun): number {
  return journal.reduce((sum, { body }) => sum + rowMemory(body), 0);
}

/** The row with its call for whoever polls next. */
function withoutHandOut(row: RunCommit): RunCommit {
  if (row.invocation?.handedTo === undefined) return row;
  const { handedTo: _handedTo, ...invocation } = row.invocation;
  return { ...row, invocation };
}
