import type { RunResult } from "@procedo/procedure";
import { toStorable, type RunCommit, type RunPlace } from "@procedo/storage";
import type { CallPlace } from "../calls/call-limiter.ts";
import {
  hasPendingEntries,
  isRowAwaited,
  nextRow,
  rollBack,
  rowCommitted,
  runIdOf,
  type ActiveRun,
  type Checkpoint,
} from "./active-run.ts";
import { commitRow } from "./commit-row.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import { leaveAnswers } from "./late-answers.ts";
import { endedOutcome } from "./run-outcome.ts";

/** Result of a step. */
export type StepResult = { readonly kind: "continue" } | Release;

/** How the owner's hold on a run ended. */
export type Release = Parked | Ended | Abandoned;

/** The run waits in storage, and no worker holds it. */
export interface Parked {
  readonly kind: "parked";
  readonly status: "running" | "awaiting_review";
  readonly wakeAtMs: number | undefined;
}

export interface Ended {
  readonly kind: "ended";
}

/** The owner stopped executing the run, whose last row is not durable as far as this owner knows. */
export type Abandoned = { readonly kind: "abandoned" } &
  /** Another worker owns the run. */
  (
    | { readonly reason: "fenced" }
    /** The idempotency key of the start belongs to an earlier run. */
    | { readonly reason: "exists"; readonly runId: string; readonly digest: string }
    /** Storage did not accept the resume trigger together with the row that follows from it. */
    | { readonly reason: "not_resumed" }
    /** Storage gave no answer to a row that is sent only once, or none before the worker stopped. */
    | { readonly reason: "unanswered"; readonly error: unknown; readonly row?: RunCommit }
    /** Storage refused the row, and would refuse it again. */
    | { readonly reason: "refused"; readonly error: unknown }
  );

/** A run that a worker owns. */
export interface RunHold {
  /** Resolves once the row that starts or resumes the run is durable; never resolves if that row fails. */
  readonly durable: Promise<undefined>;
  /** Resolves when the worker no longer executes the run. Rejects when its execution threw. */
  readonly released: Promise<Release>;
}

export const proceed: StepResult = { kind: "continue" };

export const notResumed: Abandoned = { kind: "abandoned", reason: "not_resumed" };

export const workerStopped: Abandoned = {
  kind: "abandoned",
  reason: "unanswered",
  error: new Error("The worker stopped while storage did not answer."),
};

/** Evaluation time, in milliseconds, after which other work of the process gets a turn. */
const longEvaluationMs = 25;

/** One owner's hold on a run: the state that its steps share, from the first step to the release. */
export class Execution {
  readonly ports: ExecutionPorts;
  readonly holder: Holder;
  readonly run: ActiveRun;
  /** The lease under which the last row was sent. A call must not be made under a later lease than its intent. */
  leaseGeneration: number;
  /**
   * Effect key of the result or answer that storage has, and that is therefore in the inbox or consumed by another
   * owner.
   */
  settledKey: string | undefined;
  /**
   * The run before it folded its inbox or ended. Another notification may precede those entries until they are durable.
   */
  checkpoint: Checkpoint | undefined;
  /** The place of the call whose intent was prepared; `undefined` without limits of its connection. */
  place: CallPlace | undefined;
  readonly #rowDurable: () => void;
  /** Milliseconds of evaluation since other work of the process had a turn. */
  #evaluatedMs = 0;

  /** @param rowDurable called once a row for which a caller waits is durable */
  constructor(ports: ExecutionPorts, holder: Holder, run: ActiveRun, rowDurable: () => void = () => {}) {
    this.ports = ports;
    this.holder = holder;
    this.run = run;
    this.leaseGeneration = holder.leaseGeneration;
    this.#rowDurable = rowDurable;
  }

  /** Gives the place of the prepared call back. */
  leavePlace(): void {
    this.place?.leave();
    this.place = undefined;
  }

  /** Evaluates expressions and adds up the time. */
  evaluate<T>(perform: () => T): T {
    const { clock } = this.ports;
    const sinceMs = clock.monotonic();
    const performed = perform();
    this.#evaluatedMs += clock.monotonic() - sinceMs;
    return performed;
  }

  get hasEvaluatedLong(): boolean {
    return this.#evaluatedMs >= longEvaluationMs;
  }

  /** Lets other work of the process run first, such as a cancel of this run. */
  async yieldTurn(): Promise<void> {
    this.#evaluatedMs = 0;
    await this.ports.slices.next();
  }

  /** Makes all entries durable; this owner keeps the run. `undefined` on success. */
  async commitPending(): Promise<Abandoned | undefined> {
    if (!hasPendingEntries(this.run)) return undefined;
    const committed = await this.#commit({ kind: "hot", workerId: this.holder.workerId });
    return committed.kind === "abandoned" ? committed : undefined;
  }

  /**
   * Leaves the run in storage, where it is claimed at `wakeAtMs` or when it is notified.
   *
   * @param waitsFor - the connection whose authorization wakes it as well
   */
  async park(
    status: "running" | "awaiting_review",
    wakeAtMs: number | undefined,
    waitsFor?: string,
  ): Promise<Parked | Abandoned> {
    const place = { kind: "parked", status, wakeAtMs, ...(waitsFor !== undefined && { waitsFor }) } as const;
    const committed = await this.#commit(place);
    return committed.kind === "abandoned" ? committed : { kind: "parked", status, wakeAtMs };
  }

  /** Parks the run in its current state, for the worker that claims it next. */
  parkForOthers(): Promise<Parked | Abandoned> {
    return this.park("running", 0);
  }

  /** Ends the run, unless a notification came first: the run then continues with the notification. */
  async end(result: RunResult): Promise<StepResult> {
    const { ports, run, checkpoint } = this;
    const atMs = ports.clock.now();
    const committed = await this.#commit({
      kind: "ended",
      status: result.status,
      endedAtMs: atMs,
      ...(result.status === "failed" ? { error: toStorable(result.error) } : {}),
    });
    switch (committed.kind) {
      case "abandoned":
        return committed;
      case "inbox_not_empty":
        if (checkpoint !== undefined) rollBack(run, checkpoint);
        this.checkpoint = undefined;
        return proceed;
      case "committed":
        ports.waiters.settled(endedOutcome(runIdOf(run), result, atMs));
        if (run.state.trigger?.triggerId !== undefined) ports.triggeredEnd(run.state);
        return { kind: "ended" };
    }
  }

  /**
   * Makes the run's next row durable. A private call in the row is leased to a waiting poll of this process, if any.
   */
  async #commit(then: RunPlace): Promise<{ readonly kind: "committed" | "inbox_not_empty" } | Abandoned> {
    const { ports, holder, run } = this;
    const unleased = nextRow(run, then);
    const { invocation, scope } = unleased;
    const reservation =
      invocation !== undefined && then.kind === "parked" ? ports.reservePoll(scope.environment, invocation) : undefined;
    const row =
      invocation !== undefined && reservation !== undefined
        ? { ...unleased, invocation: { ...invocation, lease: reservation.lease } }
        : unleased;
    const isAwaited = isRowAwaited(run);
    this.leaseGeneration = holder.leaseGeneration;
    const result = await commitRow(ports, holder, run, row, () => reservation?.released());
    if (result.status === "committed") reservation?.committed();
    else reservation?.released();
    switch (result.status) {
      case "committed":
        ports.observe(run.state.facts, run.pendingRow.entries);
        rowCommitted(run, row);
        this.checkpoint = undefined;
        if (isAwaited) this.#rowDurable();
        return { kind: "committed" };
      case "inbox_not_empty":
        return { kind: "inbox_not_empty" };
      case "fenced":
        await leaveAnswers(ports, holder.stopped, run);
        return { kind: "abandoned", reason: "fenced" };
      case "exists":
        return { kind: "abandoned", reason: "exists", runId: result.runId, digest: result.digest };
      case "not_resumed":
        return notResumed;
      case "refused":
        return { kind: "abandoned", reason: "refused", error: result.error };
      case "unanswered":
        return { kind: "abandoned", reason: "unanswered", error: result.error, row };
    }
  }
}
