/*
 * Starts, executes and shows runs.
 *
 *   runs.ts                 the module's interface
 *   start-run.ts            a start: prepare-run.ts checks and prepares, start-limiter.ts bounds the starts under way
 *   worker.ts               the runs that this process owns
 *   claim-loop.ts           claims from storage; load-claim.ts and load-run.ts read a journal; lost-claims.ts: claims
 *                           whose answer was lost
 *   held-runs.ts            the memory and the places of the held runs
 *   lease.ts                the period in which the worker may act
 *   active-run.ts           a held run: its state, and the row that it has not committed yet
 *   execute-run.ts          the owner's loop, with one file per kind of step (see the map there)
 *   next-step.ts            the interpreter's next step
 *   commit-row.ts           the commit of a row; recover-row.ts: of a row that storage did not answer; event-of.ts: the
 *                           event of an entry; custom-event.ts: of an event that procedures can start from
 *   fold-inbox.ts           notifications; notification-entries.ts: the entries that follow from them
 *   withdraw-invocation.ts  a dispatched call that is overdue or cancelled; late-answers.ts: answers of calls that this
 *                           worker could not commit
 *   parked-run-cache.ts     parked runs in memory; resume-parked-run.ts resumes one by a decision or result
 *                           (resume-trigger.ts)
 *   attention.ts            the runs that call for a person (pure)
 *   wait-over.ts            whether a wait is over; clock-skew-wait.ts: a wait that storage ended early by its clock
 *   watch-for-cancel.ts     ends the wait for a model when the run is cancelled
 *   wait-for-outcome.ts     callers that wait for a run (waiters.ts, run-outcome.ts); read-output.ts: its output,
 *                           read-input.ts: its input
 *   run-view.ts             a stored run as it is shown
 *   retry-storage.ts        repeats an operation until storage answers
 *   execution-ports.ts      the ports of an execution; transient-map.ts: a map that leaves no garbage behind
 */
import { environments, normalName, ProcedoError, type Environment, type RunTrigger } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { JournalRow, OpenReviewRow, Page, PageRequest, RunRow, RunStatus, Scope, Storage } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import { attentionAt } from "./attention.ts";
import { parsedBytes } from "../journal/parsed-bytes.ts";
import { stepsOf } from "../journal/run-record.ts";
import { outputOf } from "../journal/short-journal.ts";
import type { StepRecord } from "../journal/step-record.ts";
import { withSizes, type SizedStep } from "../journal/step-sizes.ts";
import { cancelKey, type NotificationBody } from "../inbox/notification.ts";
import type { StartRequest } from "./prepare-run.ts";
import type { LargeReads } from "../journal/large-reads.ts";
import { readOutput } from "./read-output.ts";
import { readPast, runArchived } from "../journal/read-past.ts";
import { searchText } from "../reviews/search-text.ts";
import { startRun, type StartedRun, type StartPorts } from "./start-run.ts";
import type { RunOutcome } from "./run-outcome.ts";
import { waitForOutcome, type WaitRequest } from "./wait-for-outcome.ts";
import { triggerOf, viewOf, type RunView } from "./run-view.ts";
import type { Worker } from "./worker.ts";

/** A run as lists show it. */
export interface ListedRun extends Omit<RunRow, "trigger"> {
  /** What started it: a trigger, or a person by hand; `undefined` for a start by a program. */
  readonly trigger: RunTrigger | undefined;
  /** The review that the run waits for; `undefined` if none is open. */
  readonly openReview: OpenReviewRow | undefined;
}

/** A run with every executed node. */
export interface RunRecordView extends RunView {
  /**
   * Every executed node with its exact input and output, in the order in which they began; empty for an archived run.
   */
  readonly steps: readonly StepRecord[];
  /** Its journal and reviews are in the archive. */
  readonly archived: boolean;
}

/** Options of a wait for a run. */
export interface WaitOptions {
  /** Longest wait, in milliseconds. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /** Ends the wait early; the run continues. @defaultValue none */
  readonly signal?: AbortSignal;
  /** Continues to wait while a review is open. @defaultValue false */
  readonly waitThroughReviews?: boolean;
}

/** Options of {@link Runs.execute}. */
export interface ExecuteOptions extends WaitOptions {
  /** Called once the run is durable, before the wait for its outcome. @defaultValue none */
  readonly started?: (runId: string) => void;
}

/** A row of a run's journal, with its entries. */
type JournalRowView = JournalRow & { readonly entries: readonly Entry[] };

interface RunAddress {
  readonly environment: Environment;
  readonly runId: string;
}

/** Runs of procedures. */
export interface Runs {
  /**
   * Starts a run; resolves when it is durable.
   *
   * @throws ProcedoError `unauthorized`, with nothing started, when the key was deleted meanwhile; `permission_denied`,
   *   `procedure_not_found`, `version_not_found`, `invalid_input`, `idempotency_conflict`, `storage_unavailable`;
   *   `rate_limited` and `overloaded` while too many runs are being started
   */
  start(request: StartRequest): Promise<StartedRun>;
  /**
   * Starts a run and waits until it ends, opens a review or the time is over. The run continues in any case.
   *
   * @throws ProcedoError those of {@link Runs.start}; `overloaded`, with nothing started, where neither this engine nor
   *   any other on its storage executes runs
   */
  execute(request: StartRequest, options?: ExecuteOptions): Promise<RunOutcome>;
  /**
   * Waits until a run ends or opens a review. @throws ProcedoError `run_not_found`; `overloaded` if no worker executes
   * runs
   */
  wait(run: RunAddress, options?: WaitOptions): Promise<RunOutcome>;
  /**
   * The status of a run, and its output or error. The cost does not depend on the number of steps: the journal is
   * neither read nor verified. Use `audit.exportRun` and `audit.verify` for that.
   *
   * @throws ProcedoError `run_not_found`
   */
  poll(run: RunAddress, options?: LargeReads): Promise<RunView>;
  /** The environment of a run, for a caller who knows only the run's id; `undefined` if the run does not exist. */
  environmentOf(run: Pick<RunAddress, "runId">): Promise<Environment | undefined>;
  /** The run with its steps: its journal is read from beginning to end. @throws ProcedoError `run_not_found` */
  get(run: RunAddress, options?: Pick<LargeReads, "onRead">): Promise<RunRecordView>;
  /**
   * The run's steps with the sizes of their inputs and outputs. @throws ProcedoError `run_not_found`, `run_archived`
   */
  timeline(run: RunAddress, options?: Pick<LargeReads, "onRead">): Promise<readonly SizedStep[]>;
  /**
   * One visit of a node.
   *
   * @throws ProcedoError `run_not_found`, `run_archived`; `not_found` when the run did not reach this visit
   */
  step(
    run: RunAddress & { readonly nodeId: string; readonly visit: number },
    options?: Pick<LargeReads, "onRead">,
  ): Promise<StepRecord>;
  /** The rows of the run's journal with their entries. @throws ProcedoError `run_not_found`, `run_archived` */
  journal(run: RunAddress): Promise<readonly JournalRowView[]>;
  /**
   * Lists runs, newest first, each with its open review. A page examines a bounded number of runs: with filters, it may
   * be short or even empty although it has a `nextCursor`. `fromMs`
   * and `toMs` bound the time of their start, in milliseconds since the epoch.
   */
  list(
    query: {
      readonly environment: Environment;
      /** One status, or several. @defaultValue any status */
      readonly status?: RunStatus | readonly RunStatus[];
      readonly procedureId?: string;
      readonly version?: string;
      /** The person who started the run, in any spelling. @defaultValue any person */
      readonly startedBy?: string;
      /**
       * Only the run with exactly this id, and runs whose reference begins with this text; upper and lower case differ.
       * The run with the id comes first; the others are sorted by reference, the last one first. @defaultValue any run
       */
      readonly search?: string;
      /**
       * Only runs that wait for a review, and runs that failed within the last 24 hours without being cancelled, as long
       * as they were started on the last seven days in UTC. `summary.read` counts them. @defaultValue false
       */
      readonly needsAttention?: boolean;
      /** Only runs that this trigger started. @defaultValue any run */
      readonly triggerId?: string;
      readonly fromMs?: number;
      readonly toMs?: number;
    } & PageRequest,
  ): Promise<Page<ListedRun>>;
  /**
   * Cancels a run, which ends as failed. The answer to a call under way is awaited first.
   *
   * @throws ProcedoError `run_not_found`, `already_ended`
   */
  cancel(run: RunAddress & { readonly by: Principal; readonly reason?: string }): Promise<void>;
  /**
   * The runs that this engine has stopped executing since it was created: their journal or version cannot be trusted,
   * storage refused one of their rows, or their execution threw. A quarantined run stays `running` in lists, also when
   * it is cancelled, because nothing may be written to a journal that cannot be trusted. Each was logged as an error.
   * The next engine that claims the run tries again.
   */
  quarantinedRuns(): readonly QuarantinedRun[];
}

/** A run that its worker keeps but does not execute. */
export interface QuarantinedRun {
  /** Identifier of the run. */
  readonly runId: string;
  /** Why the run was quarantined. */
  readonly error: string;
  /** Time of the quarantine, in milliseconds since the epoch. */
  readonly atMs: number;
}

const defaultWaitMs = 60_000;
const maxReasonLength = 1_000;

export interface RunPorts extends StartPorts {
  readonly storage: Pick<Storage, "budgets" | "inbox" | "invocations" | "retention" | "reviews" | "runs" | "workers">;
}

export function createRuns(ports: RunPorts, worker: Worker, quarantined: ReadonlyMap<string, QuarantinedRun>): Runs {
  const { storage, workspace } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });

  const find = async ({ environment, runId }: RunAddress): Promise<RunRow> => {
    const row = await storage.runs.get({ scope: scopeOf(environment), runId });
    if (row === undefined) throw runNotFound(runId, environment);
    return row;
  };

  const outcomeOf = (
    { environment, runId }: RunAddress,
    options: WaitOptions = {},
    known: Pick<WaitRequest, "starting" | "whenMissing"> = {},
  ): Promise<RunOutcome> => {
    const { timeoutMs = defaultWaitMs, signal, waitThroughReviews = false } = options;
    const wait = { scope: scopeOf(environment), runId, timeoutMs, signal, waitThroughReviews };
    return waitForOutcome(ports, { ...wait, ...known });
  };

  /** Separate from the wait that follows, so that the wait does not keep the request and its data in memory. */
  const begin = async (
    request: StartRequest,
    options: ExecuteOptions = {},
  ): Promise<{ readonly outcome: Promise<RunOutcome> }> => {
    const { environment } = request;
    await needWorker();
    const runId = ports.ids("run");
    const start = startRun(ports, worker, request, runId);
    // Listens before the run exists, because a short run ends before its start is answered.
    const starting = start.then(
      ({ existing }) => !existing,
      () => false,
    );
    const outcome = outcomeOf({ environment, runId }, options, { starting });
    const started = await start;
    options.started?.(started.runId);
    return { outcome: started.existing ? waitFrom({ environment, runId: started.runId }, options) : outcome };
  };

  return {
    start: (request) => startRun(ports, worker, request),
    execute: (request, options) => begin(request, options).then(({ outcome }) => outcome),
    wait: async (run, options) => {
      if (!worker.isWorking() && (await find(run)).status === "running") await needWorker();
      return await waitFrom(run, options);
    },
    poll: async (run, options) => {
      const row = await find(run);
      return viewOf(row, row.status === "completed" ? await readOutput(ports, row, options) : undefined);
    },
    environmentOf: async ({ runId }) => {
      for (const environment of environments) {
        if ((await storage.runs.get({ scope: scopeOf(environment), runId })) !== undefined) return environment;
      }
      return undefined;
    },
    get: async (run, options) => {
      const row = await find(run);
      const past = await readSteps(row, options);
      if (past.kind === "archived") return { ...viewOf(row, past.output), steps: [], archived: true };
      return { ...viewOf(row, past.output), steps: past.steps, archived: false };
    },
    timeline: async (run, options) => withSizes(ports.slices, await stepsNow(run, options)),
    step: async ({ nodeId, visit, ...run }, options) => {
      const step = (await stepsNow(run, options)).find((one) => one.nodeId === nodeId && one.visit === visit);
      if (step !== undefined) return step;
      throw new ProcedoError("not_found", `Run "${run.runId}" has no visit ${visit} of a node "${nodeId}".`);
    },
    journal: async (run) => {
      const row = await find(run);
      const rows: JournalRowView[] = [];
      const past = await readPast(ports, row, (stored, entries) => rows.push({ ...stored, entries }));
      if (past.kind === "archived") throw runArchived(row.runId);
      return rows;
    },
    list: async ({ environment, status, startedBy, search, needsAttention = false, ...query }) => {
      const scope = scopeOf(environment);
      const { items, nextCursor } = await storage.runs.list({
        scope,
        ...query,
        ...(status !== undefined && { statuses: typeof status === "string" ? [status] : status }),
        ...(startedBy !== undefined && { startedBy: normalName(startedBy) }),
        ...(search !== undefined && { search: searchText(search) }),
        ...(needsAttention && { attention: attentionAt(ports.clock.now()) }),
      });
      const runIds = items.flatMap((run) => (run.status === "awaiting_review" ? [run.runId] : []));
      const open = runIds.length === 0 ? [] : await storage.reviews.openOf({ scope, runIds });
      const openOf = new Map(open.map((review) => [review.runId, review]));
      return {
        items: items.map((run) => ({ ...run, trigger: triggerOf(run), openReview: openOf.get(run.runId) })),
        nextCursor,
      };
    },
    quarantinedRuns: () => [...quarantined.values()],
    cancel: async ({ environment, runId, by, reason }) => {
      authorize(by, "run", environment);
      if (reason !== undefined && reason.length > maxReasonLength) {
        throw new ProcedoError("invalid_input", `The reason has more than ${maxReasonLength} characters. Shorten it.`);
      }
      const body: NotificationBody = { type: "cancel", by: actor(by).by, ...(reason === undefined ? {} : { reason }) };
      const post = { scope: scopeOf(environment), runId, effectKey: cancelKey, body: JSON.stringify(body) };
      const claimFor = worker.hasRoom(environment) ? { claimFor: worker.workerId } : {};
      const [result] = await storage.inbox.post([{ ...post, ...claimFor }]);
      switch (result?.status) {
        case "accepted":
          if (result.claimed !== undefined) worker.adopt(result.claimed);
          return;
        case "superseded":
          // The run was cancelled before, so nothing is left to do.
          return;
        case "ended":
          throw new ProcedoError("already_ended", `Run "${runId}" has ended and can no longer be cancelled.`);
        case "unknown_run":
        case undefined:
          throw runNotFound(runId, environment);
      }
    },
  };

  /** Refuses to wait for a run that no worker will execute. */
  async function needWorker(): Promise<void> {
    if (worker.isWorking() || (await storage.workers.areWorking())) return;
    throw new ProcedoError(
      "overloaded",
      "No worker executes runs: this engine is not started, and no other one works on its storage. Call engine.start(), or start a process that executes runs.",
    );
  }

  async function readSteps(row: RunRow, { onRead }: LargeReads = {}) {
    const entries: { readonly seq: number; readonly entry: Entry }[] = [];
    let last: readonly Entry[] = [];
    const past = await readPast(ports, row, ({ seq, body }, ofRow) => {
      onRead?.(parsedBytes(body));
      last = ofRow;
      for (const entry of ofRow) entries.push({ seq, entry });
    });
    return past.kind === "archived" ? past : { ...past, steps: stepsOf(entries), output: outputOf(last) };
  }

  async function stepsNow(run: RunAddress, options?: LargeReads): Promise<readonly StepRecord[]> {
    const past = await readSteps(await find(run), options);
    if (past.kind === "archived") throw runArchived(run.runId);
    return past.steps;
  }

  /** The run may have an outcome already, so storage is read too, unless this process is executing the run. */
  function waitFrom(run: RunAddress, options: WaitOptions = {}): Promise<RunOutcome> {
    const { environment, runId } = run;
    if (worker.holdsIn(scopeOf(environment), runId)) return outcomeOf(run, options);
    return outcomeOf(run, options, { whenMissing: () => runNotFound(runId, environment) });
  }
}

function runNotFound(runId: string, environment: Environment): ProcedoError {
  return new ProcedoError(
    "run_not_found",
    `There is no run "${runId}" in ${environment}. Check its id and its environment.`,
  );
}
