import type { Scope } from "./scope.ts";
import type { ClaimedRun } from "./runs.ts";
import type { Notification } from "./notification.ts";

/**
 * What everyone but a run's owner has to say to it: a cancel, an expiry, a late answer. (A decision arrives through
 * `reviews.decide`.) The owner folds notifications into its next row and names them in `RunCommit.consume`.
 */
export interface InboxStore {
  /**
   * - A notification is unique by `(runId, effectKey)`, consumed or not: the first MUST win for ever, and later ones
   *   MUST be answered `superseded` with the winner.
   * - Accepting, closing the review and making the run claimable MUST be one transaction.
   * - A parked run that accepts a notification MUST become claimable with the status `running`: it waits no longer.
   * - A run that has ended accepts nothing: `ended`.
   * - With `claimFor`, a parked run MUST be handed to that worker in the same transaction; a hot run stays where it is.
   */
  post(items: readonly Post[]): Promise<readonly PostResult[]>;

  /** Not consumed yet, oldest first: how the owner of a hot run looks for news. */
  read(request: { readonly scope: Scope; readonly runId: string }): Promise<readonly Notification[]>;
}

/** A notification, the run that it is for, and what is stored together with it. */
export interface Post extends Notification {
  readonly scope: Scope;
  readonly runId: string;
  /** Closes the run's open review of the same effect key in the same transaction. */
  readonly closeReview?: "expired" | "settled";
  readonly claimFor?: string;
}

/** The outcome of a posted notification. */
export type PostResult =
  | { readonly status: "accepted"; readonly claimed: ClaimedRun | undefined }
  | { readonly status: "superseded"; readonly winner: Notification }
  | { readonly status: "ended" }
  | { readonly status: "unknown_run" };
