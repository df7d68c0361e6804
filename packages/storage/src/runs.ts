import type { BudgetSettlement } from "./budgets.ts";
import type { Environment } from "@procedo/contract";
import type { Page, PageRequest, Scope } from "./scope.ts";
import type { RunTally, RunTallyRequest } from "./run-tally.ts";
import type { RunHead, RunHeadQuery } from "./heads.ts";
import type { RunQuery, RunStatus } from "./run-query.ts";
import type { Notification } from "./notification.ts";
import type { NewEvent } from "./new-event.ts";
import type { NewInvocation } from "./new-invocation.ts";
import type { NewReview } from "./new-review.ts";

/**
 * Runs, their journals, and the queue of claimable runs.
 *
 * A run is in one of three places. **Hot**: a worker owns it. **Parked**: it has no owner, and becomes claimable at
 * `wakeAtMs` or on a notification. **Ended**: it does not change any more.
 */
export interface RunStore {
  /**
   * Appends one journal row to a run, together with all changes that belong to the row.
   *
   * - The commit MUST be atomic: row, creation, reviews, invocation, settled reservations, events, deliveries, consumed
   *   notifications and the run's place. It MUST be durable when it is answered `committed`.
   * - It MUST be answered `fenced`, and change nothing, when its `seq` is taken by a row with another hash, when
   *   `seq - 1` is missing, when the run has ended, or when the run is owned under another epoch.
   * - A repeated `(runId, seq, hash)` under the run's current epoch MUST be answered `committed` and change nothing:
   *   the answer to the first commit may have been lost. Under an older epoch it MUST be `fenced`: two owners may write
   *   the same row in the same millisecond, and only one of them may act on it.
   * - A creation whose idempotency key exists MUST be answered `exists`, with the run that holds the key.
   * - A commit that cannot be stored MUST be answered `refused` with a `ProcedoError`, whose message holds no payload.
   * - After a rejected promise, it is unknown whether the commit was stored.
   * - A `parked` run whose inbox holds notifications that this commit does not consume MUST be claimable at once.
   * - A commit that ends a run whose inbox holds notifications that it does not consume MUST be answered `inbox_not_empty`,
   *   and change nothing: the journal of a run holds every accepted notification before it ends.
   * - Every event MUST get one pending delivery for each record of kind `webhook` that holds the key
   *   `webhookEventKey(scope, event)`, whether the webhook is active or not. An event without such a record is not
   *   stored.
   * - Every event with `fires` MUST get one pending firing for each trigger that holds one of its keys, as
   *   `triggers.take` stores it, with the source `procedures`, its own id as id and dedupe key, its name as type, and
   *   its time. No backlog refuses it, and its id is known to no later event.
   *
   * Many callers commit concurrently. Storage SHOULD make their commits durable together (`groupCommit`):
   *
   * - A commit that cannot be stored MUST NOT fail others.
   * - A flood of commits in one environment MUST NOT delay those of the other.
   * - Commits of one run MUST be stored in the order of the calls; those of different runs MAY be stored in any order.
   *   Of conflicting commits, either may win. Lists may order items of the same time in any way.
   */
  commit(commit: RunCommit): Promise<CommitResult>;

  /**
   * Claims runs of a workspace for a worker, in both environments: parked runs that are due, and runs of other workers
   * whose lease has ended.
   *
   * - Runs of other workspaces MUST NOT be claimed: a worker executes runs with the procedures and connections of its
   *   own workspace.
   * - Runs that this worker already owns MUST NOT be claimed, whatever its lease: `workers.listRuns` finds those whose
   *   claim's answer was lost.
   * - A run MUST be claimed for one worker only, under an epoch larger than any before, and its status MUST be
   *   `running`.
   * - Environments MUST take turns: the environment with fewer runs in this answer comes next; with equal numbers, the
   *   one whose next run has waited longer. A backlog of one environment thus does not delay the other. Within an
   *   environment, the runs that have waited longest come first. (The order is by a run's position among the runs of
   *   its environment, then by waiting time.)
   * - At most `perEnvironment[environment]` runs of an environment MUST be claimed.
   * - `nextWakeAtMs` is the earliest time at which a parked run of this workspace becomes claimable that is not
   *   claimable now.
   */
  claim(request: {
    readonly workspace: string;
    readonly workerId: string;
    /** Of both environments together. */
    readonly limit: number;
    /** Per environment, 0 or more. @defaultValue `limit` for each */
    readonly perEnvironment?: Readonly<Record<Environment, number>>;
  }): Promise<ClaimResult>;

  /**
   * Makes runs claimable now that were parked to wait for a connection. Returns their number.
   *
   * - At most `limit` MUST be woken, so that the transaction is short. The caller repeats the call while the answer is `limit`.
   * - A run that has gone on since its row was stored, that is claimable already, or that was woken before MUST NOT be counted.
   * - The cost MUST be proportional to the runs that wait for this connection, not to all runs.
   */
  wake(request: {
    readonly scope: Scope;
    /** Identifier of the connection. */
    readonly waitsFor: string;
    readonly limit: number;
  }): Promise<number>;

  /** A run by its id; `undefined` when there is none in this scope. */
  get(request: { readonly scope: Scope; readonly runId: string }): Promise<RunRow | undefined>;

  /**
   * The run that holds an idempotency key; `undefined` when the key is unknown or has expired, as `commit` sees it.
   * `startedBy` MUST also be returned for an archived run: a repeated start is answered only to the person who started
   * the run.
   */
  findByKey(request: {
    readonly scope: Scope;
    readonly procedureId: string;
    readonly idempotencyKey: string;
  }): Promise<KeyHolder | undefined>;

  /**
   * The journal in order; empty when there is no such run in this scope.
   *
   * - With `afterSeq`, only the rows after it.
   * - With `maxBytes`, a page: the first row, and as many of the following rows as fit into `maxBytes` (UTF-8) with it.
   *   The cost of a page MUST be proportional to its own rows: bodies of later rows MUST NOT be read.
   */
  journal(request: JournalQuery): Promise<readonly JournalRow[]>;

  /**
   * The output in the commit that ended the run; `undefined` when it contained none.
   *
   * - The text MUST be omitted, and MUST NOT be read, when it has more than `maxBytes` bytes (UTF-8).
   */
  output(request: {
    readonly scope: Scope;
    readonly runId: string;
    readonly maxBytes: number;
  }): Promise<StoredOutput | undefined>;

  /**
   * Newest first. With `search`, the run with this id comes first; the others follow by reference in descending order,
   * then newest first.
   *
   * - A page MUST examine at most `maxExamined` rows of the list. It may therefore be short or even empty, and still
   *   have a `nextCursor`.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  list(request: RunQuery & PageRequest): Promise<Page<RunRow>>;

  /**
   * Counts runs.
   *
   * - `completed` MUST NOT count a run that has not completed. Runs that are created or change during the call MAY be
   *   missing from it.
   * - The call MUST NOT delay other calls by more than a part of its work: the number of runs is not bounded.
   */
  tally(request: RunTallyRequest): Promise<RunTally>;

  /**
   * The last journal row of each ended run, in the order in which they ended.
   *
   * - A run whose rows are gone MUST be listed as well, with `seq` 0.
   * - A page MUST be found without reading runs outside it: checkpoints list the newest of very many runs.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  heads(request: RunHeadQuery & PageRequest): Promise<Page<RunHead>>;
}

/** A row of a run's journal, and all changes that are stored with it. */
export interface RunCommit {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** Identifier of the run. */
  readonly runId: string;
  /** The epoch of the owner's claim; 1 for the first rows of a run, which its creator owns. */
  readonly epoch: number;
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  /** Keyed hash over the preceding row and this body. */
  readonly hash: string;
  /** The row, as JSON text; stored byte for byte. */
  readonly body: string;
  /** Present if and only if `seq` is 1. */
  readonly create?: RunCreation;
  /** Effect keys of the notifications that this row consumes. */
  readonly consume?: readonly string[];
  /** The review that this row opens. @defaultValue none */
  readonly openReview?: NewReview;
  /** Closes the run's open review, if there is one, without a decision. */
  readonly closeReview?: {
    /** The status that the review gets. */
    readonly status: "settled" | "cancelled";
  };
  /** The call for a client of a private connection whose intent is in this row. */
  readonly invocation?: NewInvocation;
  /** Reservations of the effects whose outcomes are in this row. */
  readonly settle?: readonly BudgetSettlement[];
  /** The events that this row causes. @defaultValue none */
  readonly events?: readonly NewEvent[];
  /** The place of the run after this row. */
  readonly then: RunPlace;
}

/** A run's facts, committed with its first row. */
export interface RunCreation {
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** Time of the start, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** The person or key that started the run. */
  readonly startedBy: string;
  /** The reference of the run, such as an invoice number; at most 200 characters. @defaultValue none */
  readonly reference?: string;
  /** What started the run, if a trigger or a person of the workspace did. @defaultValue none */
  readonly trigger?: {
    /** The trigger, for lists. */
    readonly triggerId?: string;
    /** All of it, as JSON text. */
    readonly body: string;
  };
  /**
   * The claimed firing that starts the run. The commit MUST be `fenced`, and create nothing, unless the firing is
   * claimed under this epoch; otherwise it MUST settle the firing as `started`, in the same transaction.
   * @defaultValue none
   */
  readonly firing?: {
    /** The trigger of the firing. */
    readonly triggerId: string;
    /** The firing. */
    readonly firingId: string;
    /** The epoch of the firing's claim. */
    readonly epoch: number;
  };
  /** The start's idempotency key. @defaultValue none */
  readonly idempotency?: {
    /** The key; unique within the environment and procedure. */
    readonly key: string;
    /** Digest of the start request. */
    readonly digest: string;
    /** The time from which the key is unknown, in milliseconds since the epoch. */
    readonly expiresAtMs: number;
  };
}

/** The place of a run after a commit: hot, parked or ended. */
export type RunPlace =
  /** Owned by `workerId`. */
  | {
      readonly kind: "hot";
      /** The worker that owns the run. */
      readonly workerId: string;
    }
  | {
      readonly kind: "parked";
      /** Status of the run. */
      readonly status: "running" | "awaiting_review";
      /** `undefined`: only a notification wakes the run, or `wake`. */
      readonly wakeAtMs: number | undefined;
      /** The connection whose authorization the run waits for; `wake` makes it claimable. @defaultValue none */
      readonly waitsFor?: string;
    }
  | {
      readonly kind: "ended";
      /** Status of the run. */
      readonly status: "completed" | "failed";
      /** Message of a failed run. */
      readonly error?: string;
      /**
       * The output of a completed run, as JSON text, if it is not read from the run's journal. Lists do not read it.
       */
      readonly output?: string;
      /** Time of the end, in milliseconds since the epoch. */
      readonly endedAtMs: number;
    };

/** The outcome of a commit. */
export type CommitResult =
  | { readonly status: "committed" }
  | { readonly status: "fenced" }
  /** The row would have ended the run, and does not consume all notifications in its inbox. */
  | { readonly status: "inbox_not_empty" }
  | {
      readonly status: "exists";
      /** The run that holds the idempotency key. */
      readonly runId: string;
      /** Digest of the request that started it. */
      readonly digest: string;
    }
  | {
      readonly status: "refused";
      /** The `ProcedoError` with the reason. */
      readonly error: unknown;
    };

/** A run that was created with an idempotency key. */
export interface KeyHolder {
  /** Identifier of the run. */
  readonly runId: string;
  /** Digest of the start request. */
  readonly digest: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** Copied from the run's creation. */
  readonly startedBy: string;
}

/** The claimed runs, and the time of the next claim. */
export interface ClaimResult {
  /** The claimed runs. */
  readonly runs: readonly ClaimedRun[];
  /**
   * The earliest time at which a further parked run becomes claimable, in milliseconds since the epoch; `undefined` if
   * there is none.
   */
  readonly nextWakeAtMs: number | undefined;
}

/** A run that a worker now owns, with all that it needs to continue. */
export interface ClaimedRun {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** Identifier of the run. */
  readonly runId: string;
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** Number of the claim, larger than that of any earlier claim of this run. Its commits state it. */
  readonly epoch: number;
  /** The lease of its previous owner had ended: the last call of that worker may still be under way. */
  readonly takenOver: boolean;
  /**
   * When a parked run was due: `wakeAtMs` of the row that parked it, or an earlier time. Storage sets an earlier time
   * for a notification, and after its clock was set back (`workers.heartbeat`). `undefined`: the run was not parked, or
   * was claimed together with its notification.
   */
  readonly dueAtMs: number | undefined;
  /** The rows of the run's journal, in order. */
  readonly journal: readonly JournalRow[];
  /** Notifications that are not consumed, oldest first. */
  readonly inbox: readonly Notification[];
}

/** The rows of a run's journal to read. */
export interface JournalQuery {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** Identifier of the run. */
  readonly runId: string;
  /** The rows after this one. @defaultValue 0, the beginning */
  readonly afterSeq?: number;
  /** The size of a page of rows, in bytes (UTF-8). @defaultValue all rows */
  readonly maxBytes?: number;
}

/** The size of a run's output, and its text if that is small enough. */
export interface StoredOutput {
  /** Size of the JSON text in UTF-8. */
  readonly bytes: number;
  /** The JSON text; `undefined` if it has more than `maxBytes` bytes. */
  readonly text: string | undefined;
}

/** A row of a run's journal: the entries of one commit, chained by their hash. */
export interface JournalRow {
  /** Number of the row within the run, from 1. */
  readonly seq: number;
  /** Keyed hash over the preceding row and this body. */
  readonly hash: string;
  /** The row, as JSON text; byte for byte as it was committed. */
  readonly body: string;
}

/** A run as it is stored. */
export interface RunRow {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** Identifier of the run. */
  readonly runId: string;
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** Status of the run. */
  readonly status: RunStatus;
  /** The person who started the run. */
  readonly startedBy: string;
  /** Copied from the run's creation; `undefined` if the run has none. MUST also be returned for an archived run. */
  readonly reference: string | undefined;
  /** Copied from the run's creation (`trigger.body`); `undefined` if it has none. Also of an archived run. */
  readonly trigger: string | undefined;
  /** Time of its start, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Time of its end, in milliseconds since the epoch; `undefined` before that. */
  readonly endedAtMs: number | undefined;
  /** Message of a failed run. */
  readonly error: string | undefined;
}
