import type { AuditEntry } from "./audit.ts";
import type { RunHead } from "./heads.ts";
import type { Page, PageRequest, Scope } from "./scope.ts";

/**
 * Taking runs that ended long ago out of storage. Of an archived run a **stub** stays: its row, so that it is listed and
 * found as before, where its journal stopped, and its output, which moves there. Its journal, inbox, reviews, decisions, invocations,
 * reservations and deliveries are gone. What the reservations took stays taken, and an idempotency key goes on pointing to
 * its run.
 */
export interface RetentionStore {
  /**
   * Ended runs that can be archived, in the order in which they ended.
   *
   * - A run that has a pending delivery or an unread notification MUST be left out, and so MUST one whose rows are gone.
   *   A page may be short, or empty, and yet have a `nextCursor`.
   * - A page MUST be found without reading runs that were archived, and without locking any.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  archivable(request: { readonly scope: Scope; readonly endedBeforeMs: number } & PageRequest): Promise<Page<RunHead>>;

  /**
   * Archives runs whose journals the caller has made durable elsewhere. Small batches, since all is one transaction.
   *
   * - Stubs, deletions and audit entry MUST be one transaction, and durable when the promise resolves.
   * - When one of the runs is not, or no longer, archivable with this very head, nothing MUST change: `changed`, with
   *   those that are not.
   * - The stub MUST remember the entry's `seq`.
   */
  archive(request: {
    readonly scope: Scope;
    readonly runs: readonly NewStub[];
    readonly audit: AuditEntry;
  }): Promise<ArchiveResult>;

  /** What is left of an archived run; `undefined` when there is none in this scope. */
  stub(request: { readonly scope: Scope; readonly runId: string }): Promise<RunStub | undefined>;

  /** The archived runs, in the order in which they ended. A cursor of another scope MUST be refused with `invalid_cursor`. */
  stubs(request: { readonly scope: Scope } & PageRequest): Promise<Page<ArchivedHead>>;

  /**
   * Removes what nobody asks for any more: idempotency keys that have expired, of whatever scope; this scope's ended
   * deliveries, created before `beforeMs`, that no run caused (those of runs go with their run); and this scope's budgets to
   * which nothing was added since `budgetsBeforeMs`.
   *
   * - A budget MUST stay while a reservation of it is stored, settled or not: its run is not archived.
   * - At most `limit` of each MUST be removed, so that the transaction is short. It answers how many were.
   * - It MAY leave keys that were stored after `limit` others which have not expired.
   */
  removeExpired(request: {
    readonly scope: Scope;
    readonly beforeMs: number;
    /** Storage does not know for how long a budget counts: the sum of a day that is not over would begin anew. */
    readonly budgetsBeforeMs: number;
    readonly limit: number;
  }): Promise<number>;
}

/** A run to be archived, with what its stub keeps. */
export interface NewStub extends Pick<RunHead, "runId" | "seq" | "hash"> {
  /** Of a completed run, as JSON text: whoever asks for its state gets the same answer as before. */
  readonly output: string | undefined;
}

/** Where the journal of an archived run stopped. */
export interface ArchivedHead extends RunHead {
  /** The entry of the workspace's chain that tells of the archiving. */
  readonly auditSeq: number;
}

export interface RunStub extends ArchivedHead {
  readonly output: string | undefined;
}

/** The outcome of removing archived runs. */
export type ArchiveResult =
  | { readonly status: "archived" }
  | { readonly status: "changed"; readonly runIds: readonly string[] }
  | { readonly status: "audit_behind" };
