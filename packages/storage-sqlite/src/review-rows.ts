import type { OpenReviewRow, ReviewRow, ReviewStatus, ShownReview } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

/** A review, read from its row and from the row of its run. */
export interface StoredReview {
  readonly review: number;
  readonly review_id: string;
  readonly run: number;
  readonly run_id: string;
  readonly scope: number;
  readonly procedure_id: string;
  readonly procedure_version: string;
  readonly started_by: string;
  readonly reference: string | null;
  readonly node_id: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly digest: string;
  readonly effect_key: string;
  readonly opened_at_ms: number;
  readonly status: ReviewStatus;
  readonly closed_at_ms: number | null;
  readonly expires_at_ms: number | null;
}

export interface StoredShownReview extends StoredReview {
  readonly shown: string | null;
}

/** @param index the index that SQLite must use; SQLite chooses without it */
export const selectReviews = (index?: string): string => selectFrom(columns, index);

const columns = `review, review_id, run, run_id, reviews.scope, reviews.procedure_id, procedure_version, started_by, reviews.reference, node_id,
         kind, title, body, digest, effect_key, opened_at_ms, reviews.status, closed_at_ms, expires_at_ms`;

function selectFrom(selected: string, index?: string): string {
  return `
  SELECT ${selected}
    FROM reviews ${index === undefined ? "" : `INDEXED BY ${index}`} JOIN runs USING (run)`;
}

/** Reads single reviews, for the store and for decisions. */
export interface ReviewRows {
  readonly find: (scope: number, reviewId: string) => StoredReview | undefined;
  readonly findShown: (scope: number, reviewId: string) => StoredShownReview | undefined;
  /** The run's open review. */
  readonly openOfRun: (scope: number, runId: string) => StoredShownReview | undefined;
  readonly openOf: (scope: number, runIds: readonly string[]) => readonly OpenReviewRow[];
  readonly ofRun: (scope: number, runId: string) => readonly StoredReview[];
  /** The bodies of the decisions so far, in order. */
  readonly decisions: (review: number) => readonly string[];
  readonly rowOf: (stored: StoredReview) => ReviewRow;
  readonly shownOf: (stored: StoredShownReview) => ShownReview;
}

export function reviewRows({ db, scopes }: SqliteContext): ReviewRows {
  const selectOne = prepare<StoredReview>(db, `${selectReviews()} WHERE review_id = ? AND reviews.scope = ?`);
  const withShown = `${columns}, shown`;
  const selectShown = prepare<StoredShownReview>(
    db,
    `${selectFrom(withShown)} WHERE review_id = ? AND reviews.scope = ?`,
  );
  const selectOpen = prepare<StoredShownReview>(
    db,
    `${selectFrom(withShown, "one_open_review_of_run")} WHERE run_id = ? AND runs.scope = ? AND reviews.status = 'open'`,
  );
  const selectOpenOf = prepare<OpenReviewRow>(
    db,
    `SELECT run_id AS "runId", review_id AS "reviewId", node_id AS "nodeId", kind, title, opened_at_ms AS "openedAtMs"
       FROM json_each(?) AS asked CROSS JOIN runs ON run_id = asked.value
            CROSS JOIN reviews INDEXED BY one_open_review_of_run ON reviews.run = runs.run AND reviews.status = 'open'
      WHERE runs.scope = ?`,
  );
  const selectOfRun = prepare<StoredReview>(
    db,
    `${selectReviews()} WHERE run_id = ? AND runs.scope = ? ORDER BY opened_at_ms, review`,
  );
  const selectDecisions = prepare<{ body: string }>(
    db,
    "SELECT body FROM decisions WHERE review = ? ORDER BY decision",
  );
  const decisions = (review: number): readonly string[] => selectDecisions.all(review).map(({ body }) => body);

  const rowOf = (stored: StoredReview): ReviewRow => ({
    reviewId: stored.review_id,
    nodeId: stored.node_id,
    kind: stored.kind,
    title: stored.title,
    body: stored.body,
    digest: stored.digest,
    effectKey: stored.effect_key,
    openedAtMs: stored.opened_at_ms,
    ...(stored.expires_at_ms === null ? {} : { expiresAtMs: stored.expires_at_ms }),
    scope: scopes.get(stored.scope),
    runId: stored.run_id,
    procedureId: stored.procedure_id,
    procedureVersion: stored.procedure_version,
    startedBy: stored.started_by,
    reference: stored.reference ?? undefined,
    status: stored.status,
    closedAtMs: stored.closed_at_ms ?? undefined,
    decisions: decisions(stored.review),
  });

  return {
    find: (scope, reviewId) => selectOne.get(reviewId, scope),
    findShown: (scope, reviewId) => selectShown.get(reviewId, scope),
    openOfRun: (scope, runId) => selectOpen.get(runId, scope),
    openOf: (scope, runIds) => selectOpenOf.all(JSON.stringify(runIds), scope).map((row) => ({ ...row })),
    ofRun: (scope, runId) => selectOfRun.all(runId, scope),
    decisions,
    rowOf,
    shownOf: (stored) => ({ ...rowOf(stored), shown: stored.shown ?? undefined }),
  };
}
