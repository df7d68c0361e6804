import type { ReviewTally, ReviewTallyRequest } from "./review-tally.ts";
import type { Page, PageRequest, Scope } from "./scope.ts";
import type { NewReview } from "./new-review.ts";
import type { ClaimedRun, RunCommit } from "./runs.ts";

/** Reviews and their decisions. Each decision is one transaction, and counts in order of arrival. */
export interface ReviewStore {
  /** A review by its id; `undefined` when there is none in this scope. */
  get(request: { readonly scope: Scope; readonly reviewId: string }): Promise<ShownReview | undefined>;

  /** The open review of a run. It MUST be found without reading the run's other reviews. */
  open(request: { readonly scope: Scope; readonly runId: string }): Promise<ShownReview | undefined>;

  /**
   * The open reviews of these runs, at most 1000, in any order. A run that waits for no review, or is not in this scope,
   * is left out.
   */
  openOf(request: { readonly scope: Scope; readonly runIds: readonly string[] }): Promise<readonly OpenReviewRow[]>;

  /** All reviews of a run, oldest first. */
  ofRun(request: { readonly scope: Scope; readonly runId: string }): Promise<readonly ReviewRow[]>;

  /**
   * In the query's order. With `search`, the review with this id and the reviews of the run with this id come first,
   * those that were opened last first; the others follow by reference in descending order, those that were opened last
   * first.
   *
   * - A page MUST examine at most `maxExamined` rows of the list. It may therefore be short or even empty, and still
   *   have a `nextCursor`.
   * - A cursor of another scope or query MUST be refused with `invalid_cursor`.
   */
  list(request: ReviewQuery & PageRequest): Promise<Page<ReviewRow>>;

  /**
   * Counts open reviews.
   *
   * - The call MUST NOT delay other calls by more than a part of its work: the number of reviews is not bounded.
   */
  tally(request: ReviewTallyRequest): Promise<ReviewTally>;

  /**
   * Records one person's decision. Checked in this order, in one transaction:
   *
   * 1. `idempotencyKey` known in the environment: `replayed` for the same run, `key_reused` for another.
   * 2. The review is not open: `not_open`.
   * 3. The person has already decided on it, under a name with the same normal form (`normalName`): `already_voted`.
   * 4. The decision is stored. A rejection, or the approval that completes `approvalsNeeded`, closes the review, posts
   *    the notification `(runId, effectKey)` with the JSON array of all decisions' bodies in order as its body, and
   *    makes the run claimable (with `claimFor`: claims a parked run for that worker). If that notification already
   *    exists, the review is closed as `settled`, nothing of the decision is stored, and the answer is `not_open`.
   * 5. When step 4 claims a run whose inbox contains only that notification, the row `next` is committed by the rules
   *    of `runs.commit`: the answer has `continued`, and `claimed` is `undefined`. When these rules refuse the row, it
   *    MUST change nothing, and the run is claimed as if `next` were absent. An adapter MAY ignore `next`.
   */
  decide(decision: NewDecision): Promise<DecideResult>;
}

/** Status of a review. */
export type ReviewStatus = "open" | "approved" | "rejected" | "expired" | "settled" | "cancelled";

/** A review as it is stored. */
export interface ReviewRow extends Omit<NewReview, "shown"> {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** The run that waits for the review. */
  readonly runId: string;
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** The person who started the run. */
  readonly startedBy: string;
  /** The reference of the run; `undefined` if it has none. */
  readonly reference: string | undefined;
  /** `open`, or how the review was closed. */
  readonly status: ReviewStatus;
  /** Time of its closing, in milliseconds since the epoch; `undefined` while it is open. */
  readonly closedAtMs: number | undefined;
  /** Bodies of the decisions so far, in order. */
  readonly decisions: readonly string[];
}

/** A review with its `shown` text, if the commit that opened it contained one. */
export interface ShownReview extends ReviewRow {
  /** The text for reviewers, as JSON text; `undefined` if it is read from the run's journal. */
  readonly shown: string | undefined;
}

/** An open review, by its run. */
export interface OpenReviewRow extends Pick<NewReview, "reviewId" | "nodeId" | "kind" | "title" | "openedAtMs"> {
  /** The run that waits for the review. */
  readonly runId: string;
}

/** The reviews to list. */
export interface ReviewQuery {
  /** The workspace and environment of the runs. */
  readonly scope: Scope;
  /** Only reviews of this status. @defaultValue any status */
  readonly status?: ReviewStatus;
  /** Only reviews of this procedure's runs. @defaultValue any procedure */
  readonly procedureId?: string;
  /** Only reviews of this kind. @defaultValue any kind */
  readonly kind?: string;
  /**
   * Only the review with exactly this id, the reviews of the run with exactly this id, and reviews of runs whose
   * reference begins with this text; compared as in `runs.list`. `order` then has no effect.
   * @defaultValue any review
   */
  readonly search?: string;
  /** Only reviews that were closed at this time or later; those that were opened last come first. @defaultValue all */
  readonly closedFromMs?: number;
  /**
   * `requested`: those that were opened first come first. `expires`: only open reviews; those that expire first come
   * first, those that do not expire last.
   *
   * @defaultValue `requested`
   */
  readonly order?: "requested" | "expires";
}

/** A decision to be recorded. */
export interface NewDecision {
  /** The workspace and environment of the run. */
  readonly scope: Scope;
  /** The run that waits for the review. */
  readonly runId: string;
  /** The review that is decided. */
  readonly reviewId: string;
  /** Identifier of the decision; never used before. */
  readonly decisionId: string;
  /** The person who decides. */
  readonly person: string;
  /** Whether the decision is an approval. */
  readonly approved: boolean;
  /** Identifies the submission; unique within the environment. */
  readonly idempotencyKey: string;
  /** JSON text. */
  readonly body: string;
  /** Number of approvals that close the review, at least 1. */
  readonly approvalsNeeded: number;
  /** Time of the decision, in milliseconds since the epoch. */
  readonly atMs: number;
  /**
   * The worker that claims a parked run when this decision closes the review. @defaultValue the run becomes claimable
   */
  readonly claimFor?: string;
  /**
   * The row with which the run continues when this decision is all that it waited for, under the epoch that the run
   * will have then. The row consumes the notification, and saves a resumed run one durable write and one read of
   * its journal.
   */
  readonly next?: RunCommit;
}

/** The outcome of a decision. */
export type DecideResult =
  /**
   * `closed`: this decision completed the review. `continued`: the row `next` was committed, and the run is in the place
   * that this row names.
   */
  | {
      readonly status: "recorded";
      /** Whether this decision closed the review. */
      readonly closed: boolean;
      /** The run, if this request claimed it. */
      readonly claimed: ClaimedRun | undefined;
      /** Present if the row `next` was committed. */
      readonly continued?: true;
    }
  /** `body` is that of the first decision. */
  | {
      readonly status: "replayed";
      /** Body of the first decision with this key, as JSON text. */
      readonly body: string;
    }
  | { readonly status: "key_reused" }
  | {
      readonly status: "not_open";
      /** The review; `undefined` when there is none in this scope. */
      readonly review: ReviewRow | undefined;
    }
  | { readonly status: "already_voted" };
