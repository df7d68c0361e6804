import type { RunResult } from "@procedo/procedure";
import { toStorable, type RunCommit, type RunPlace } from "@procedo/storage";
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

/** What a step has come to. */
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
    /** Storage did not take the resume trigger together with the row that follows from it. */
    | { readonly reason: "not_resumed" }
    /** Storage gave no answer: to this row, where a caller waited for it, or before the worker stopped. */
    | { readonly reason: "unanswered"; readonly error: unknown; readonly row?: RunCommit }
    /** Storage refuses the row, and would refuse it again. */
    | { readonly reason: "refused"; readonly error: unknown }
  );

/** A run in a worker's hands. */
export interface RunHold {
  /** Resolves when the row is durable that starts or resumes the run; never where it does not become durable. */
  readonly durable: Promise<undefined>;
  /** Resolves when the worker no longer executes the run. Rejects when its execution threw. */
  readonly released: Promise<Release>;
}

export const goOn: StepResult = { kind: "continue" };

export const notResumed: Abandoned = { kind: "abandoned", reason: "not_resumed" };

export const stoppedEarly: Abandoned = {
  kind: "abandoned",
  reason: "unanswered",
  error: new Error("The worker stopped while storage did not answer."),
};

/** Evaluation in milliseconds after which the other work of the process gets its turn. */
const longEvaluationMs = 25;

/** One owner's hold on a run: what the steps share from the first one to the release. */
export class Execution {
  readonly ports: ExecutionPorts;
  readonly holder: Holder;
  readonly run: ActiveRun;
  /** The lease under which the last row was sent: a call must not follow its intent under a later one. */
  leaseGeneration: number;
  /** Effect key of the result or answer that storage has, and that is therefore in the inbox or consumed by another owner. */
  settledKey: string | undefined;
  /** The run before it folded its inbox or ended: until that is durable, another notification may have come first. */
  checkpoint: Checkpoint | undefined;
  readonly #rowDurable: () => void;
  /** Milliseconds of evaluation since the other work of the process had its turn. */
  #evaluatedMs = 0;

  /** @param rowDurable called when a row is durable for which a caller waits */
  constructor(ports: ExecutionPorts, holder: Holder, run: ActiveRun, rowDurable: () => void = () => {}) {
    this.ports = ports;
    this.holder = holder;
    this.run = run;
    this.leaseGeneration = holder.leaseGeneration;
    this.#rowDurable = rowDurable;
  }

  /** Evaluates expressions, and counts the time. */
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

  /** Gives the other work of the process its turn, such as a cancel of this run. */
  async yieldTurn(): Promise<void> {
    this.#evaluatedMs = 0;
    await this.ports.slices.next();
  }

  /** Makes all entries durable; this owner goes on. `undefined` once they are. */
  async commitPending(): Promise<Abandoned | undefined> {
    if (!hasPendingEntries(this.run)) return undefined;
    const committed = await this.#commit({ kind: "hot", workerId: this.holder.workerId });
    return committed.kind === "abandoned" ? committed : undefined;
  }

  /** Leaves the run in storage, where it is claimed at `wakeAtMs` or when it is notified. */
  async park(status: "running" | "awaiting_review", wakeAtMs: number | undefined): Promise<Parked | Abandoned> {
    const committed = await this.#commit({ kind: "parked", status, wakeAtMs });
    return committed.kind === "abandoned" ? committed : { kind: "parked", status, wakeAtMs };
  }

  /** Leaves the run as it stands to the worker that claims it next. */
  handBack(): Promise<Parked | Abandoned> {
    return this.park("running", 0);
  }

  /** Ends the run, unless a notification came first: then the run goes on with that. */
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
        return goOn;
      case "committed":
        ports.waiters.settled(endedOutcome(runIdOf(run), result, atMs));
        return { kind: "ended" };
    }
  }

  /** Makes the run's next row durable. A private call in it is leased to a poll that is held in this process, if any. */
  async #commit(then: RunPlace): Promise<{ readonly kind: "committed" | "inbox_not_empty" } | Abandoned> {
    const { ports, holder, run } = this;
    const unleased = nextRow(run, then);
    const { invocation, scope } = unleased;
    const reservation =
      invocation !== undefined && then.kind === "parked" ? ports.reservePoll(scope.environment, invocation) : undefined;
    const row =
      invocation !== undefined && reservation !== undefined
        ? { ...unleased, invocation: { ...invocation, handedTo: reservation.lease } }
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
