import type { ReviewRow, ReviewStatus, Scope, ShownReview } from "@procedo/storage";

/** A review, read from its row, with the bodies of the decisions so far, in order. */
export interface StoredReview {
  readonly review: number;
  readonly review_id: string;
  readonly run_id: string;
  readonly workspace: string;
  readonly environment: Scope["environment"];
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
  readonly decisions: readonly string[];
}

export interface StoredShownReview extends StoredReview {
  readonly shown: string | null;
}

/** The columns of a {@link StoredReview}, without {@link relatedColumns}. */
export const reviewColumns = `review, review_id, run_id, workspace, environment, procedure_id, reference, node_id, kind, title, body, digest, effect_key,
         opened_at_ms, status, closed_at_ms, expires_at_ms`;

export const selectReviews = (schema: string): string => selectFrom(schema, reviewColumns);

export const selectShownReviews = (schema: string): string => selectFrom(schema, `${reviewColumns}, shown`);

/**
 * The columns of a {@link StoredReview} that come from other tables: the decisions, and facts of the run.
 *
 * @param reviews the name of the rows of reviews
 */
export const relatedColumns = (schema: string, reviews: string): string => `
         ARRAY(SELECT decisions.body FROM ${schema}.decisions WHERE decisions.review = ${reviews}.review
                ORDER BY decision) AS decisions,
         (SELECT runs.procedure_version FROM ${schema}.runs WHERE runs.run_id = ${reviews}.run_id LIMIT 1)
           AS procedure_version,
         (SELECT runs.started_by FROM ${schema}.runs WHERE runs.run_id = ${reviews}.run_id LIMIT 1) AS started_by`;

const selectFrom = (schema: string, selected: string): string => `
  SELECT ${selected}, ${relatedColumns(schema, "reviews")}
    FROM ${schema}.reviews`;

export function reviewOf(stored: StoredReview): ReviewRow {
  return {
    reviewId: stored.review_id,
    nodeId: stored.node_id,
    kind: stored.kind,
    title: stored.title,
    body: stored.body,
    digest: stored.digest,
    effectKey: stored.effect_key,
    openedAtMs: stored.opened_at_ms,
    ...(stored.expires_at_ms === null ? {} : { expiresAtMs: stored.expires_at_ms }),
    scope: { workspace: stored.workspace, environment: stored.environment },
    runId: stored.run_id,
    procedureId: stored.procedure_id,
    procedureVersion: stored.procedure_version,
    startedBy: stored.started_by,
    reference: stored.reference ?? undefined,
    status: stored.status,
    closedAtMs: stored.closed_at_ms ?? undefined,
    decisions: stored.decisions,
  };
}

export function shownReviewOf(stored: StoredShownReview): ShownReview {
  return { ...reviewOf(stored), shown: stored.shown ?? undefined };
}

/** Opens the reviews of the items, with their run, scope and procedure, and their content as JSON. */
export function openReviewsSql(schema: string, items: string): string {
  return `
  INSERT INTO ${schema}.reviews (review_id, run_id, workspace, environment, procedure_id, reference, node_id, kind, title, body,
                                 digest, effect_key, opened_at_ms, expires_at_ms, status, shown)
  SELECT review."reviewId", run_id, workspace, environment, procedure_id, reference, review."nodeId", review.kind,
         review.title, review.body, review.digest, review."effectKey", review."openedAtMs", review."expiresAtMs",
         'open', review.shown
    FROM ${items} CROSS JOIN LATERAL json_to_record(${items}.review::json) AS review
           ("reviewId" text, "nodeId" text, kind text, title text, body text, digest text, "effectKey" text, "openedAtMs" bigint,
            "expiresAtMs" bigint, shown text)
   WHERE ${items}.review IS NOT NULL`;
}
