import type { ReviewStore } from "@procedo/storage";
import { assertStorable, reviewCursorQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import type { WakeOrResume } from "./resume-on-notification.ts";
import { reviewRows } from "./review-rows.ts";
import { pageOf } from "./sql-page.ts";
import { sqliteDecide } from "./sqlite-decide.ts";
import { reviewSearch } from "./sqlite-review-search.ts";
import { nothingFound, pageOfSearch } from "./sqlite-search.ts";
import { sqliteReviewTally } from "./sqlite-review-tally.ts";
import { reviewPages, reviewPosition } from "./sqlite-review-pages.ts";

export function sqliteReviews(context: SqliteContext, wakeOrResume: WakeOrResume): ReviewStore {
  const { reader, writer, scopes } = context;
  const rows = reviewRows(context);
  const decide = sqliteDecide(context, rows, wakeOrResume);
  const selectPage = reviewPages(context);
  const find = reviewSearch(context);

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

    openOf: ({ scope, runIds }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        return number === undefined ? [] : rows.openOf(number, runIds);
      }),

    ofRun: ({ scope, runId }) =>
      reader.snapshot(() => {
        const number = scopes.find(scope);
        return number === undefined ? [] : rows.ofRun(number, runId).map(rows.rowOf);
      }),

    list: (request) =>
      reader.snapshot(() => {
        const { scope, search } = request;
        const number = scopes.find(scope);
        const page = { ...request, query: reviewCursorQuery(request), itemOf: rows.rowOf };
        if (search !== undefined) {
          return pageOfSearch({
            ...{ ...page, search },
            ...(number === undefined ? nothingFound : find(number, request, search)),
            positionOf: (row) => [row.reference, row.opened_at_ms, row.review],
          });
        }
        return pageOf({
          ...page,
          shape: ["number", "number", "number"],
          rowsAfter: (position, count) => (number === undefined ? [] : selectPage(number, request, position, count)),
          positionOf: (row) => reviewPosition(request, row),
        });
      }),

    tally: sqliteReviewTally(context),

    async decide(decision) {
      const { scope, runId, reviewId, decisionId, person, idempotencyKey, body, claimFor } = decision;
      assertStorable([scope.workspace, runId, reviewId, decisionId, person, idempotencyKey, body, claimFor]);
      return writer.write((turn) => decide(turn, decision));
    },
  };
}
