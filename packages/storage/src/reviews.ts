import type { Page, PageRequest, Scope } from "./scope.ts";
import type { ClaimedRun, NewReview, RunCommit } from "./runs.ts";

/** Reviews, and the one place where a decision is made: atomically, first come first served. */
export interface ReviewStore {
  get(request: { readonly scope: Scope; readonly reviewId: string }): Promise<ShownReview | undefined>;

  /** The review that a run waits for. It MUST be found without reading the run's others. */
  open(request: { readonly scope: Scope; readonly runId: string }): Promise<ShownReview | undefined>;

  /** All reviews that a run has asked for, oldest first. */
  ofRun(request: { readonly scope: Scope; readonly runId: string }): Promise<readonly ReviewRow[]>;

  /** Oldest first. */
  list(request: ReviewQuery & PageRequest): Promise<Page<ReviewRow>>;

  /**
   * Records one person's decision. Checked in this order, in one transaction:
   *
   * 1. `idempotencyKey` known in the environment: `replayed` for the same run, `key_reused` for another.
   * 2. The review is not open: `not_open`.
   * 3. The person has decided on it before, under a name with the same normal form (`normalName`): `already_voted`.
   * 4. The decision is stored. A rejection, or the approval that completes `approvalsNeeded`, closes the review, posts
   *    the notification `(runId, effectKey)` with the JSON array of all decisions' bodies in order as its body, and
   *    makes the run claimable (with `claimFor`: hands it to that worker when it is parked). If that notification
   *    exists already, the review is closed as `settled`, nothing of the decision is stored, and the answer is
   *    `not_open`.
   * 5. A run that 4. hands over, and whose inbox holds nothing but that notification, goes on with the row `next` by the
   *    rules of `runs.commit`: the answer is `wentOn`, and nothing is `claimed`. A row that these rules do not take MUST
   *    change nothing: the run is handed over as it would be without. An adapter MAY treat every row so.
   */
  decide(decision: NewDecision): Promise<DecideResult>;
}

/** Status of a review. */
export type ReviewStatus = "open" | "approved" | "rejected" | "expired" | "settled" | "cancelled";

/** A review as it is stored. */
export interface ReviewRow extends Omit<NewReview, "shown"> {
  readonly scope: Scope;
  readonly runId: string;
  readonly procedureId: string;
  readonly status: ReviewStatus;
  readonly closedAtMs: number | undefined;
  /** Bodies of the decisions so far, in order. */
  readonly decisions: readonly string[];
}

/** A review with what is shown, where the commit that opened it brought that along. */
export interface ShownReview extends ReviewRow {
  readonly shown: string | undefined;
}

/** Which reviews to list. */
export interface ReviewQuery {
  readonly scope: Scope;
  readonly status?: ReviewStatus;
  readonly procedureId?: string;
}

/** A decision to be recorded. */
export interface NewDecision {
  readonly scope: Scope;
  readonly runId: string;
  readonly reviewId: string;
  readonly decisionId: string;
  readonly person: string;
  readonly approved: boolean;
  readonly idempotencyKey: string;
  /** JSON text. */
  readonly body: string;
  readonly approvalsNeeded: number;
  readonly atMs: number;
  readonly claimFor?: string;
  /**
   * The row with which `claimFor` goes on when this decision is all that the run was waiting for, under the epoch that the
   * run will have then; it consumes the notification. It saves a resumed run a durable write and the reading of its past.
   */
  readonly next?: RunCommit;
}

/** The outcome of a decision. */
export type DecideResult =
  /** `closed`: this decision completed the review. `wentOn`: the row `next` is committed, and the run in that worker's hands. */
  | {
      readonly status: "recorded";
      readonly closed: boolean;
      readonly claimed: ClaimedRun | undefined;
      readonly wentOn?: true;
    }
  /** `body` is the first decision's. */
  | { readonly status: "replayed"; readonly body: string }
  | { readonly status: "key_reused" }
  | { readonly status: "not_open"; readonly review: ReviewRow | undefined }
  | { readonly status: "already_voted" };
