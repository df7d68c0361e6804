import { afterPrefix } from "@procedo/storage";
import type { ExaminedEnd, ReviewQuery } from "@procedo/storage";
import type { Database } from "./database.ts";
import { filteredRowsSql, type FilteredList } from "./filtered-rows.ts";
import type { FoundRows } from "./postgres-search.ts";
import { relatedColumns, reviewColumns, type StoredReview } from "./review-rows.ts";
import type { SqlValue } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

/**
 * Reads the reviews that have an id or belong to the run with this id, and the reviews of runs whose reference begins
 * with a text.
 */
export function reviewSearch(
  database: Database,
  query: ReviewQuery,
  search: string,
): { readonly byId: FoundRows<StoredReview>; readonly byReference: FoundRows<StoredReview> } {
  const { scope, status, procedureId, kind, closedFromMs } = query;
  const { schema } = database;
  const filtersOf = (bind: (value: SqlValue) => string): readonly string[] => [
    ...(procedureId === undefined ? [] : [`procedure_id = ${bind(procedureId)}`]),
    ...(kind === undefined ? [] : [`kind = ${bind(kind)}`]),
    ...(status === undefined ? [] : [`status = ${bind(status)}`]),
    ...(closedFromMs === undefined ? [] : [`closed_at_ms >= ${bind(closedFromMs)}`]),
  ];

  /** Other tables are read once it is certain that the page contains the review. */
  const read = (name: string, list: FilteredList, values: readonly SqlValue[]) => {
    const isMarked = list.filters.length > 0;
    const text = `SELECT page.*, ${relatedColumns(schema, "page")} FROM (${filteredRowsSql(list, "$3")}) AS page
                   ORDER BY ${isMarked ? `"isExaminedEnd",` : ""} ${list.orderBy}`;
    return database.query<StoredReview & ExaminedEnd>({ name, text }, values);
  };

  return {
    byId: (after, count) => {
      const values: SqlValue[] = [scope.workspace, scope.environment, count, search];
      const bind = (value: SqlValue): string => `$${values.push(value)}`;
      const [, , ...position] = after ?? [0, "", Number.MAX_SAFE_INTEGER, 0];
      const orderBy = "opened_at_ms DESC, review DESC";
      const before = `(opened_at_ms, review) < (${position.map(bind).join(", ")})`;
      const select = (condition: string): string => `
        SELECT ${reviewColumns} FROM ${schema}.reviews
         WHERE ${condition} AND ${before} AND ${matchesUnindexed("workspace, environment", "$1, $2")}`;
      const ordered = (limit: string): string => `
        ${select("review_id = $4")} UNION ${select("run_id = $4")} ORDER BY ${orderBy} LIMIT ${limit}`;
      return read("reviews-search-id", { ordered, orderBy, filters: filtersOf(bind) }, values);
    },

    byReference: (after, count) => {
      const values: SqlValue[] = [scope.workspace, scope.environment, count, search];
      const bind = (value: SqlValue): string => `$${values.push(value)}`;
      const end = afterPrefix(search);
      const [, ...position] = after ?? [1, end ?? "", Number.MIN_SAFE_INTEGER, 0];
      const isBounded = after !== undefined || end !== undefined;
      const bound = isBounded ? `AND (reference, opened_at_ms, review) < (${position.map(bind).join(", ")})` : "";
      const orderBy = "reference DESC, opened_at_ms DESC, review DESC";
      const ordered = (limit: string): string => `
        SELECT ${reviewColumns} FROM ${schema}.reviews
         WHERE workspace = $1 AND environment = $2 AND reference IS NOT NULL AND reference >= $4 ${bound}
         ORDER BY ${orderBy} LIMIT ${limit}`;
      const filters = ["review_id <> $4 AND run_id <> $4", ...filtersOf(bind)];
      return read("reviews-search-reference", { ordered, orderBy, filters }, values);
    },
  };
}
