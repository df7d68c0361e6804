import type { ReviewRow, ReviewStatus } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

/** A review as its row and its run's row tell it. */
export interface StoredReview {
  readonly review: number;
  readonly review_id: string;
  readonly run: number;
  readonly run_id: string;
  readonly scope: number;
  readonly procedure_id: string;
  readonly node_id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly digest: string;
  readonly effect_key: string;
  readonly opened_at_ms: number;
  readonly status: ReviewStatus;
  readonly closed_at_ms: number | null;
}

/** @param index to read the reviews by, where SQLite is not to choose */
export const selectReviews = (index?: string): string => `
  SELECT review, review_id, run, run_id, reviews.scope, reviews.procedure_id, node_id, kind, title, body, digest,
         effect_key, opened_at_ms, reviews.status, closed_at_ms
    FROM reviews ${index === undefined ? "" : `INDEXED BY ${index}`} JOIN runs USING (run)`;

/** Reading single reviews, for the store and for decisions. */
export interface ReviewRows {
  readonly find: (scope: number, reviewId: string) => StoredReview | undefined;
  readonly ofRun: (scope: number, runId: string) => readonly StoredReview[];
  /** Bodies of the decisions so far, in order. */
  readonly decisions: (review: number) => readonly string[];
  readonly rowOf: (stored: StoredReview) => ReviewRow;
}

export function reviewRows({ db, scopes }: SqliteContext): ReviewRows {
  const selectOne = prepare<StoredReview>(db, `${selectReviews()} WHERE review_id = ? AND reviews.scope = ?`);
  const selectOfRun = prepare<StoredReview>(
    db,
    `${selectReviews()} WHERE run_id = ? AND runs.scope = ? ORDER BY opened_at_ms, review`,
  );
  const selectDecisions = prepare<{ body: string }>(
    db,
    "SELECT body FROM decisions WHERE review = ? ORDER BY decision",
  );
  const decisions = (review: number): readonly string[] => selectDecisions.all(review).map(({ body }) => body);

  return {
    find: (scope, reviewId) => selectOne.get(reviewId, scope),
    ofRun: (scope, runId) => selectOfRun.all(runId, scope),
    decisions,
    rowOf: (stored) => ({
      reviewId: stored.review_id,
      nodeId: stored.node_id,
      kind: stored.kind,
      title: stored.title,
      body: stored.body,
      digest: stored.digest,
      effectKey: stored.effect_key,
      openedAtMs: stored.opened_at_ms,
      scope: scopes.get(stored.scope),
      runId: stored.run_id,
      procedureId: stored.procedure_id,
      status: stored.status,
      closedAtMs: stored.closed_at_ms ?? undefined,
      decisions: decisions(stored.review),
    }),
  };
}
