import type { OpenReviewRow, ReviewStore } from "@procedo/storage";
import { assertStorable, reviewCursorQuery } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { postgresDecide } from "./postgres-decide.ts";
import type { PostgresQueue } from "./postgres-queue.ts";
import { reviewPages, reviewPosition } from "./postgres-review-pages.ts";
import { reviewSearch } from "./postgres-review-search.ts";
import { pageOfSearch } from "./postgres-search.ts";
import type { StoredReview, StoredShownReview } from "./review-rows.ts";
import { reviewOf, selectReviews, selectShownReviews, shownReviewOf } from "./review-rows.ts";
import { postgresReviewTally } from "./postgres-tallies.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

export function postgresReviews(context: PostgresContext, queue: PostgresQueue): ReviewStore {
  const { database } = context;
  const select = selectReviews(database.schema);
  const decide = postgresDecide(context, queue);
  const selectPage = reviewPages(database);
  const selectShown = selectShownReviews(database.schema);
  const selectOne: Statement = {
    name: "reviews-get",
    text: `${selectShown} WHERE review_id = $1 AND ${matchesUnindexed("workspace, environment", "$2, $3")}`,
  };
  const selectOpen: Statement = {
    name: "reviews-open",
    text: `${selectShown} WHERE run_id = $1 AND status = 'open' AND ${matchesUnindexed("workspace, environment", "$2, $3")}`,
  };
  const selectOpenOf: Statement = {
    name: "reviews-open-of",
    text: `SELECT run_id AS "runId", review_id AS "reviewId", node_id AS "nodeId", kind, title,
                  opened_at_ms AS "openedAtMs"
             FROM ${database.schema}.reviews
            WHERE run_id = ANY ($1::text[]) AND status = 'open'
              AND ${matchesUnindexed("workspace, environment", "$2, $3")}`,
  };
  const selectOfRun: Statement = {
    name: "reviews-of-run",
    text: `${select} WHERE run_id = $1 AND ${matchesUnindexed("workspace, environment", "$2, $3")} ORDER BY opened_at_ms, review`,
  };

  return {
    async get({ scope, reviewId }) {
      const values = [reviewId, scope.workspace, scope.environment];
      const [stored] = await database.query<StoredShownReview>(selectOne, values);
      return stored === undefined ? undefined : shownReviewOf(stored);
    },

    async open({ scope, runId }) {
      const values = [runId, scope.workspace, scope.environment];
      const [stored] = await database.query<StoredShownReview>(selectOpen, values);
      return stored === undefined ? undefined : shownReviewOf(stored);
    },

    openOf: ({ scope, runIds }) =>
      database.query<OpenReviewRow>(selectOpenOf, [runIds, scope.workspace, scope.environment]),

    async ofRun({ scope, runId }) {
      const values = [runId, scope.workspace, scope.environment];
      return (await database.query<StoredReview>(selectOfRun, values)).map(reviewOf);
    },

    list: async (request) => {
      const { search } = request;
      const page = { ...request, query: reviewCursorQuery(request), itemOf: reviewOf };
      if (search !== undefined) {
        return await pageOfSearch({
          ...{ ...page, search },
          ...reviewSearch(database, request, search),
          positionOf: (row) => [row.reference, row.opened_at_ms, row.review],
        });
      }
      return await pageOf({
        ...page,
        shape: ["number", "number", "number"],
        rowsAfter: (position, count) => selectPage(request, position, count),
        positionOf: (row) => reviewPosition(request, row),
      });
    },

    tally: postgresReviewTally(context),

    async decide(decision) {
      assertStorable({ ...decision, next: undefined });
      return decide(decision);
    },
  };
}
