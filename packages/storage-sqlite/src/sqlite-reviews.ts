import type { ReviewQuery, ReviewStatus, ReviewStore } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { WakeOrResume } from "./resume-on-notification.ts";
import type { StoredReview } from "./review-rows.ts";
import { reviewRows, selectReviews } from "./review-rows.ts";
import { pageOf } from "./sql-page.ts";
import { sqliteDecide } from "./sqlite-decide.ts";
import type { Statement } from "./statement.ts";
import { prepare } from "./statement.ts";

export function sqliteReviews(context: SqliteContext, wakeOrResume: WakeOrResume): ReviewStore {
  const { reader, writer, scopes } = context;
  const rows = reviewRows(context);
  const decide = sqliteDecide(context, rows, wakeOrResume);
  const selectPage = reviewPages(context);

  return {
    get: ({ scope, reviewId }) =>
      reader.snapshot(() => {
        const number = scopes.find(scope);
        const stored = number === undefined ? undefined : rows.findShown(number, reviewId);
        return stored === undefined ? undefined : rows.shownOf(stored);
      }),

    open: ({ scope, runId }) =>
      reader.snapshot(() => {
        const number = scopes.find(scope);
        const stored = number === undefined ? undefined : rows.openOfRun(number, runId);
        return stored === undefined ? undefined : rows.shownOf(stored);
      }),

    ofRun: ({ scope, runId }) =>
      reader.snapshot(() => {
        const number = scopes.find(scope);
        return number === undefined ? [] : rows.ofRun(number, runId).map(rows.rowOf);
      }),

    list: (request) =>
      reader.snapshot(() => {
        const { scope, status, procedureId } = request;
        const number = scopes.find(scope);
        return pageOf({
          ...request,
          query: ["reviews", scope.workspace, scope.environment, status, procedureId],
          shape: ["number", "number"],
          rowsAfter: (position, count) => (number === undefined ? [] : selectPage(number, request, position, count)),
          positionOf: (row) => [row.opened_at_ms, row.review],
          itemOf: rows.rowOf,
        });
      }),

    async decide(decision) {
      const { scope, runId, reviewId, decisionId, person, idempotencyKey, body, claimFor } = decision;
      assertStorable([scope.workspace, runId, reviewId, decisionId, person, idempotencyKey, body, claimFor]);
      return writer.write((turn) => decide(turn, decision));
    },
  };
}

type ReviewPages = (
  scope: number,
  query: ReviewQuery,
  after: readonly [openedAtMs: number, review: number] | undefined,
  count: number,
) => readonly StoredReview[];

function reviewPages({ db }: SqliteContext): ReviewPages {
  const statements = new Map<string, Statement<StoredReview>>();

  return (scope, { status, procedureId }, after, count) => {
    const sql = pageSql(status, procedureId !== undefined);
    const statement = statements.get(sql) ?? prepare<StoredReview>(db, sql);
    statements.set(sql, statement);
    const [afterMs, afterReview] = after ?? [-Infinity, 0];
    return statement.all(scope, procedureId ?? null, afterMs, afterReview, count);
  };
}

/** The status is a literal in the SQL, so that SQLite recognizes the partial index of open reviews. */
function pageSql(status: ReviewStatus | undefined, byProcedure: boolean): string {
  return `${selectReviews(status === "open" ? "reviews_open" : "reviews_by_time")}
    WHERE reviews.scope = ?1 AND (opened_at_ms, review) > (?3, ?4)
      ${status === undefined ? "" : `AND reviews.status = '${status}'`}
      AND ${byProcedure ? "reviews.procedure_id = ?2" : "?2 IS NULL"}
    ORDER BY opened_at_ms, review LIMIT +?5`;
}
