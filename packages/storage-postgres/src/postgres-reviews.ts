import type { ReviewStatus, ReviewStore } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { postgresDecide } from "./postgres-decide.ts";
import type { PostgresQueue } from "./postgres-queue.ts";
import type { StoredReview, StoredShownReview } from "./review-rows.ts";
import { reviewOf, selectReviews, selectShownReviews, shownReviewOf } from "./review-rows.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

export function postgresReviews(context: PostgresContext, queue: PostgresQueue): ReviewStore {
  const { database } = context;
  const select = selectReviews(database.schema);
  const decide = postgresDecide(context, queue);
  const selectPage = reviewPages(select);
  const selectShown = selectShownReviews(database.schema);
  const selectOne: Statement = {
    name: "reviews-get",
    text: `${selectShown} WHERE review_id = $1 AND ${matchesUnindexed("workspace, environment", "$2, $3")}`,
  };
  const selectOpen: Statement = {
    name: "reviews-open",
    text: `${selectShown} WHERE run_id = $1 AND status = 'open' AND ${matchesUnindexed("workspace, environment", "$2, $3")}`,
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

    async ofRun({ scope, runId }) {
      const values = [runId, scope.workspace, scope.environment];
      return (await database.query<StoredReview>(selectOfRun, values)).map(reviewOf);
    },

    list: (request) => {
      const { scope, status, procedureId } = request;
      return pageOf({
        ...request,
        query: ["reviews", scope.workspace, scope.environment, status, procedureId],
        shape: ["number", "number"],
        rowsAfter: (position, count) =>
          database.query<StoredReview>(selectPage(status, procedureId !== undefined), [
            scope.workspace,
            scope.environment,
            ...(position ?? [Number.MIN_SAFE_INTEGER, 0]),
            count,
            ...(procedureId === undefined ? [] : [procedureId]),
          ]),
        positionOf: (row) => [row.opened_at_ms, row.review],
        itemOf: reviewOf,
      });
    },

    async decide(decision) {
      assertStorable({ ...decision, next: undefined });
      return decide(decision);
    },
  };
}

type ReviewPages = (status: ReviewStatus | undefined, byProcedure: boolean) => Statement;

/** The status is a literal in the SQL, so that Postgres recognizes the partial index of open reviews. */
function reviewPages(select: string): ReviewPages {
  const statements = new Map<string, Statement>();

  return (status, byProcedure) => {
    const name = `reviews-list-${status ?? "any"}${byProcedure ? "-of-procedure" : ""}`;
    const known = statements.get(name);
    if (known !== undefined) return known;
    const text = `${select}
      WHERE workspace = $1 AND environment = $2 AND (opened_at_ms, review) > ($3, $4)
        ${status === undefined ? "" : `AND status = '${status}'`}
        ${byProcedure ? "AND procedure_id = $6" : ""}
      ORDER BY opened_at_ms, review LIMIT $5`;
    const statement = { name, text };
    statements.set(name, statement);
    return statement;
  };
}
