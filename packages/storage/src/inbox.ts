import type { Scope } from "./scope.ts";
import type { ClaimedRun } from "./runs.ts";
import type { Notification } from "./notification.ts";

/**
 * Messages to a run from anyone but its owner: cancellations, expiries, late results. (Decisions arrive through
 * `reviews.decide`.) The owner folds notifications into its next row and lists them in `RunCommit.consume`.
 */
export interface InboxStore {
  /**
   * - A notification is unique by `(runId, effectKey)`, consumed or not: the first MUST win permanently, and later ones
   *   MUST be answered `superseded` with the winner.
   * - Storing the notification, closing the review and making the run claimable MUST be one transaction.
   * - A parked run that accepts a notification MUST become claimable with the status `running`: it no longer waits.
   * - A run that has ended MUST NOT accept a notification; the answer is `ended`.
   * - With `claimFor`, a parked run MUST be claimed for that worker in the same transaction; a hot run stays with its
   *   owner.
   */
  post(items: readonly Post[]): Promise<readonly PostResult[]>;

  /** Notifications that are not consumed, oldest first. The owner of a hot run finds new notifications with it. */
  read(request: { readonly scope: Scope; readonly runId: string }): Promise<readonly Notification[]>;
}

/** A notification, its run, and the changes that are stored with it. */
export interface Post extends Notification {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** The run that receives the notification. */
  readonly runId: string;
  /** Closes the run's open review with the same effect key in the same transaction. */
  readonly closeReview?: "expired" | "settled";
  /**
   * The worker that claims the run if it is parked, in the same transaction. @defaultValue the run becomes claimable
   */
  readonly claimFor?: string;
}

/** The outcome of a posted notification. */
export type PostResult =
  | {
      readonly status: "accepted";
      /** The run, if this request claimed it. */
      readonly claimed: ClaimedRun | undefined;
    }
  | {
      readonly status: "superseded";
      /** The notification that was stored first under the same effect key. */
      readonly winner: Notification;
    }
  | { readonly status: "ended" }
  | { readonly status: "unknown_run" };
