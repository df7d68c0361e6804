import type { BudgetSettlement } from "./budgets.ts";
import type { Environment } from "@procedo/contract";
import type { Page, PageRequest, Scope } from "./scope.ts";
import type { RunHead, RunHeadQuery } from "./heads.ts";
import type { Notification } from "./notification.ts";
import type { NewInvocation } from "./new-invocation.ts";

/**
 * Runs, their journals, and the queue that they form.
 *
 * A run is in one of three places. **Hot**: a worker holds it. **Parked**: nobody holds it; it becomes claimable at
 * `wakeAtMs`, or never by itself. **Ended**: nothing changes it any more.
 */
export interface RunStore {
  /**
   * Appends one journal row to a run, with everything that the row brings about.
   *
   * - The commit MUST be atomic: row, creation, reviews, invocation, settled reservations, events, deliveries, consumed
   *   notifications and the run's place. It MUST be durable when it is answered `committed`.
   * - It MUST be answered `fenced`, and change nothing, when its `seq` is taken by a row with another hash, when `seq - 1` is
   *   missing, when the run has ended, or when the run is held under another epoch.
   * - The same `(runId, seq, hash)` again under the epoch that the run is held under MUST be answered `committed` and
   *   change nothing: it settles a commit whose answer was lost. Under an older epoch it MUST be `fenced`: two owners may
   *   write the same row in the same millisecond, and only one of them may act on it.
   * - A creation whose idempotency key exists MUST be answered `exists`, with the run that holds the key.
   * - A commit that cannot be stored MUST be answered `refused` with a `ProcedoError`, whose message holds no payload.
   * - A rejected promise means that nothing is known of the commit.
   * - A `parked` run whose inbox holds notifications that this commit does not consume MUST be claimable at once.
   * - A commit that ends a run whose inbox holds notifications that it does not consume MUST be answered `inbox_not_empty`,
   *   and change nothing: the journal of a run holds every accepted notification before it ends.
   * - Every event MUST get one pending delivery for each record of kind `webhook` that holds the key
   *   `webhookEventKey(scope, event)`, whether the webhook is active or not; without one, nothing is stored of it.
   *
   * Many callers commit at the same time. Storage SHOULD make their commits durable together (`groupCommit`):
   *
   * - A commit that cannot be stored MUST NOT fail others.
   * - A flood of commits in one environment MUST NOT delay those of the other.
   * - Commits of one run MUST be stored in the order in which they were asked for, those of different runs MAY be stored in
   *   any order. Where two want the same, either gets it. Lists order items of the same time in any way.
   */
  commit(commit: RunCommit): Promise<CommitResult>;

  /**
   * Hands claimable runs of a workspace, in both environments, to a worker: parked ones whose time has come, and those
   * held by other workers whose lease ran out.
   *
   * - Runs of other workspaces MUST NOT be handed out: whoever executes a run does so with the procedures and connections
   *   of its workspace.
   * - Runs that this very worker holds MUST NOT be handed out, whatever its lease: those that got lost on the way
   *   are found by `workers.listRuns`.
   * - A run MUST be handed to one worker only, under an epoch larger than any before, and its status MUST be `running`.
   * - Environments MUST be served in turn: of two that have claimable runs, the one of which this answer has fewer comes
   *   next, or the one whose next run has waited longer when it has as many of both, so that no backlog of one keeps the
   *   other waiting. Of one environment those that have waited longest come first. (Ordered by the place in the row of
   *   their environment, then by how long they have waited, runs are in this order.)
   * - Of an environment that `most` names, at most so many MUST be handed out.
   * - `nextWakeAtMs` is the earliest time at which a parked run of this workspace becomes claimable that is not
   *   claimable now.
   */
  claim(request: {
    readonly workspace: string;
    readonly workerId: string;
    /** In all. */
    readonly limit: number;
    /** Of each environment, 0 or more. @defaultValue `limit` of each */
    readonly most?: Readonly<Record<Environment, number>>;
  }): Promise<ClaimResult>;

  get(request: { readonly scope: Scope; readonly runId: string }): Promise<RunRow | undefined>;

  /**
   * The run that holds an idempotency key; `undefined` when none does or the key has expired, as `commit` sees it. Who started
   * the run MUST be told also of one that was archived: a repeated start is answered to that person only.
   */
  findByKey(request: {
    readonly scope: Scope;
    readonly procedureId: string;
    readonly idempotencyKey: string;
  }): Promise<KeyHolder | undefined>;

  /**
   * The journal in order; empty when there is no such run in this scope.
   *
   * - With `afterSeq` the rows behind that one.
   * - With `maxBytes` a page: the first row, and as many of the next as come to no more bytes (UTF-8) with it. Each page
   *   MUST cost in proportion to its own rows: bodies behind them MUST NOT be read.
   */
  journal(request: JournalQuery): Promise<readonly JournalRow[]>;

  /**
   * The output that the commit which ended the run brought along; `undefined` when it brought none, or the run was archived.
   *
   * - The text MUST be left out, and MUST NOT be read, when it has more than `maxBytes` bytes (UTF-8).
   */
  output(request: {
    readonly scope: Scope;
    readonly runId: string;
    readonly maxBytes: number;
  }): Promise<StoredOutput | undefined>;

  /** Newest first. A cursor of another scope or query MUST be refused with `invalid_cursor`. */
  list(request: RunQuery & PageRequest): Promise<Page<RunRow>>;

  /**
   * Where the journals of ended runs stop, in the order in which they ended.
   *
   * - A run whose rows are gone MUST be told of all the same, with `seq` 0.
   * - A page MUST be found without reading runs outside it: checkpoints ask for the newest of very many.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  heads(request: RunHeadQuery & PageRequest): Promise<Page<RunHead>>;
}

/** `running` and `awaiting_review` are open, the others final. */
export type RunStatus = "running" | "awaiting_review" | "completed" | "failed";

/** Which runs to list. */
export interface RunQuery {
  readonly scope: Scope;
  readonly status?: RunStatus;
  readonly procedureId?: string;
  /** Created at or after. */
  readonly fromMs?: number;
  /** Created before. */
  readonly toMs?: number;
}

/** A row of a run's journal, and everything that becomes durable with it. */
export interface RunCommit {
  readonly scope: Scope;
  readonly runId: string;
  /** The claim under which the owner writes; 1 for the first rows of a run that its creator holds. */
  readonly epoch: number;
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  /** Keyed hash over the row before and this body. */
  readonly hash: string;
  /** The row, as JSON text; stored byte for byte. */
  readonly body: string;
  /** With `seq` 1, and only then. */
  readonly create?: RunCreation;
  /** Effect keys of the notifications that this row folds in. */
  readonly consume?: readonly string[];
  readonly openReview?: NewReview;
  /** Closes the run's open review, if one is open still, without a decision. */
  readonly closeReview?: { readonly status: "expired" | "settled" | "cancelled" };
  /** The call that this row is the intent of, for a client of a private connection. */
  readonly invocation?: NewInvocation;
  /** Reservations of whose effects this row tells. */
  readonly settle?: readonly BudgetSettlement[];
  readonly events?: readonly NewEvent[];
  readonly then: RunPlace;
}

/** A run's facts, committed with its first row. */
export interface RunCreation {
  readonly procedureId: string;
  readonly procedureVersion: string;
  readonly createdAtMs: number;
  /** The person or key that started the run. */
  readonly startedBy: string;
  readonly idempotency?: {
    readonly key: string;
    /** Digest of what was asked for. */
    readonly digest: string;
    readonly expiresAtMs: number;
  };
}

/** A review that is opened with the row that asks. */
export interface NewReview {
  readonly reviewId: string;
  readonly nodeId: string;
  readonly kind: string;
  readonly title: string;
  /** What reviewers see and who may decide, as JSON text. */
  readonly body: string;
  readonly digest: string;
  /** The notification that settles it. */
  readonly effectKey: string;
  readonly openedAtMs: number;
  /** What is shown to reviewers, as JSON text, where it is not to be read from the run's journal. Lists do not tell it. */
  readonly shown?: string;
}

/** An event that is committed with the row that tells of it. */
export interface NewEvent {
  readonly eventId: string;
  /** `run_completed`, `run_failed`, `human_review_requested` or `custom.<name>` */
  readonly event: string;
  readonly createdAtMs: number;
  /** The envelope's `data`, as JSON text. */
  readonly data: string;
}

/** Where a commit leaves its run: held, parked or ended. */
export type RunPlace =
  /** Held by `workerId`. */
  | { readonly kind: "hot"; readonly workerId: string }
  | {
      readonly kind: "parked";
      readonly status: "running" | "awaiting_review";
      /** `undefined`: only a notification wakes it. */
      readonly wakeAtMs: number | undefined;
    }
  | {
      readonly kind: "ended";
      readonly status: "completed" | "failed";
      readonly error?: string;
      /** Of a completed run, as JSON text, where it is not to be read from the run's journal. Lists do not read it. */
      readonly output?: string;
      readonly endedAtMs: number;
    };

/** The outcome of a commit. */
export type CommitResult =
  | { readonly status: "committed" }
  | { readonly status: "fenced" }
  /** The run would have ended with notifications in its inbox that the row does not consume. */
  | { readonly status: "inbox_not_empty" }
  | { readonly status: "exists"; readonly runId: string; readonly digest: string }
  | { readonly status: "refused"; readonly error: unknown };

/** A run that was created with an idempotency key. */
export interface KeyHolder {
  readonly runId: string;
  /** Digest of what was asked for. */
  readonly digest: string;
  readonly procedureVersion: string;
  /** As the run's creation has it. */
  readonly startedBy: string;
}

/** The runs that a claim has taken, and when to claim again. */
export interface ClaimResult {
  readonly runs: readonly ClaimedRun[];
  readonly nextWakeAtMs: number | undefined;
}

/** A run that a worker now holds, with all that it needs to go on. */
export interface ClaimedRun {
  readonly scope: Scope;
  readonly runId: string;
  readonly procedureId: string;
  readonly procedureVersion: string;
  readonly epoch: number;
  /** The worker that held it had stopped beating: its last call may be under way still. */
  readonly takenOver: boolean;
  /**
   * When a parked run was to be woken. Earlier than the row said that parked it: there was news, or storage's clock was
   * set back (`workers.heartbeat`). `undefined`: the run was not parked, or was handed over with its news.
   */
  readonly dueAtMs: number | undefined;
  readonly journal: readonly JournalRow[];
  /** Not consumed yet, oldest first. */
  readonly inbox: readonly Notification[];
}

/** Which rows of a run's journal to read. */
export interface JournalQuery {
  readonly scope: Scope;
  readonly runId: string;
  /** @defaultValue 0: from the beginning */
  readonly afterSeq?: number;
  /** @defaultValue all rows */
  readonly maxBytes?: number;
}

/** A run's output: its size, and its text where it is short enough to be stored beside the run. */
export interface StoredOutput {
  /** Of the JSON text in UTF-8. */
  readonly bytes: number;
  readonly text: string | undefined;
}

/** A row of a run's journal: the entries of one commit, chained by their hash. */
export interface JournalRow {
  readonly seq: number;
  readonly hash: string;
  readonly body: string;
}

/** A run as it is stored. */
export interface RunRow {
  readonly scope: Scope;
  readonly runId: string;
  readonly procedureId: string;
  readonly procedureVersion: string;
  readonly status: RunStatus;
  readonly startedBy: string;
  readonly createdAtMs: number;
  readonly endedAtMs: number | undefined;
  readonly error: string | undefined;
}
