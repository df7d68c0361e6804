import type { AuditEntry } from "./audit.ts";
import type { RunHead } from "./heads.ts";
import type { Page, PageRequest, Scope } from "./scope.ts";

/**
 * Removes runs that ended long ago from storage. Of an archived run a **stub** remains: its row, so that it is listed
 * and found as before, the head of its journal, and its output. Its journal, inbox, reviews, decisions, invocations,
 * reservations and deliveries are removed. Reserved amounts stay in their budgets, and idempotency keys still point to
 * the run.
 */
export interface RetentionStore {
  /**
   * Ended runs that can be archived, in the order in which they ended.
   *
   * - A run that has a pending delivery or an unread notification MUST be left out, and so MUST one whose rows are
   *   gone. A page may be short or even empty, and still have a `nextCursor`.
   * - A page MUST be found without reading archived runs, and without locking any run.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  archivable(request: { readonly scope: Scope; readonly endedBeforeMs: number } & PageRequest): Promise<Page<RunHead>>;

  /**
   * Archives runs whose journals the caller has made durable elsewhere. Batches should be small, since each is one
   * transaction.
   *
   * - Stubs, deletions and audit entry MUST be one transaction, and durable when the promise resolves.
   * - When one of the runs is not archivable with exactly this head, nothing MUST change; the answer is `changed`, with
   *   the ids of all such runs.
   * - The stub MUST contain the entry's `seq`.
   */
  archive(request: {
    readonly scope: Scope;
    readonly runs: readonly NewStub[];
    readonly audit: AuditEntry;
  }): Promise<ArchiveResult>;

  /** The stub of an archived run; `undefined` when there is none in this scope. */
  stub(request: { readonly scope: Scope; readonly runId: string }): Promise<RunStub | undefined>;

  /** The archived runs, in the order in which they ended. A cursor of another scope MUST be refused with `invalid_cursor`. */
  stubs(request: { readonly scope: Scope } & PageRequest): Promise<Page<ArchivedHead>>;

  /**
   * Removes data that is no longer used: expired idempotency keys of any scope; this scope's ended deliveries, created
   * before `beforeMs`, that no run caused (others are removed with their run); and this scope's budgets to which
   * nothing was added since `budgetsBeforeMs`.
   *
   * - A budget MUST stay while one of its reservations is stored, settled or not: the run is not archived yet.
   * - At most `limit` of each MUST be removed, so that the transaction is short. The number of removed items is
   *   returned.
   * - It MAY leave expired keys that were stored after `limit` others that have not expired.
   */
  removeExpired(request: {
    readonly scope: Scope;
    readonly beforeMs: number;
    /**
     * Storage does not know the period of a budget: removing the budget of a period that is not over would restart its
     * sum.
     */
    readonly budgetsBeforeMs: number;
    readonly limit: number;
  }): Promise<number>;
}

/** A run to be archived, with the data of its stub. */
export interface NewStub extends Pick<RunHead, "runId" | "seq" | "hash"> {
  /** The output of a completed run, as JSON text: polls return the same result as before. */
  readonly output: string | undefined;
}

/** The head of an archived run's journal. */
export interface ArchivedHead extends RunHead {
  /** The entry of the workspace's chain that records the archiving. */
  readonly auditSeq: number;
}

export interface RunStub extends ArchivedHead {
  /** The output of a completed run, as JSON text; `undefined` if it has none. */
  readonly output: string | undefined;
}

/** The outcome of archiving runs. */
export type ArchiveResult =
  | { readonly status: "archived" }
  | {
      readonly status: "changed";
      /** The runs that are not as the archive has them. */
      readonly runIds: readonly string[];
    }
  | { readonly status: "audit_behind" };
