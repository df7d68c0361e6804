import type { ExaminedEnd, ReviewQuery } from "@procedo/storage";
import type { Database } from "./database.ts";
import { filteredRowsSql, type FilteredList } from "./filtered-rows.ts";
import type { StoredReview } from "./review-rows.ts";
import { relatedColumns, reviewColumns } from "./review-rows.ts";
import type { SqlValue } from "./statement.ts";

/** Reads up to `count` reviews after a position, in the query's order. */
export type ReviewPages = (
  query: ReviewQuery,
  after: ReviewPosition | undefined,
  count: number,
) => Promise<readonly (StoredReview & ExaminedEnd)[]>;

/** The expiry is 0 in lists of another order, and {@link neverMs} for a review that does not expire. */
export type ReviewPosition = readonly [expiresAtMs: number, openedAtMs: number, review: number];

const neverMs = Number.MAX_SAFE_INTEGER;
const beginningMs = Number.MIN_SAFE_INTEGER;

export function reviewPages(database: Database): ReviewPages {
  const { schema } = database;

  return async (query, after, count) => {
    const { scope, status, closedFromMs, order } = query;
    const byExpiry = order === "expires";
    if (byExpiry && ((status ?? "open") !== "open" || closedFromMs !== undefined)) return [];
    const values: SqlValue[] = [scope.workspace, scope.environment, count];
    const bind = (value: SqlValue): string => `$${values.push(value)}`;
    const list = byExpiry ? expiringFirst(schema, query, after, bind) : openedFirst(schema, query, after, bind);
    const named = `${status ?? "any"}${query.procedureId === undefined ? "" : "-of-procedure"}`;
    const filtered = list.filters.length === 0 ? "" : "-filtered";
    const name = `reviews-list-${byExpiry ? "expiring" : named}${filtered}`;
    // Other tables are read once it is certain that the page contains the review.
    const text = `SELECT page.*, ${relatedColumns(schema, "page")} FROM (${filteredRowsSql(list, "$3")}) AS page
                   ORDER BY ${list.filters.length === 0 ? "" : `"isExaminedEnd",`} ${list.orderBy}`;
    return database.query({ name, text }, values);
  };
}

/** The position of a review in the list of a query. */
export function reviewPosition({ order }: ReviewQuery, row: StoredReview): ReviewPosition {
  return [order === "expires" ? (row.expires_at_ms ?? neverMs) : 0, row.opened_at_ms, row.review];
}

type Bind = (value: SqlValue) => string;

function filtersOf({ procedureId, kind }: ReviewQuery, bind: Bind): readonly string[] {
  return [
    ...(procedureId === undefined ? [] : [`procedure_id = ${bind(procedureId)}`]),
    ...(kind === undefined ? [] : [`kind = ${bind(kind)}`]),
  ];
}

/** The status is a literal in the SQL, so that Postgres recognizes the partial index of open reviews. */
function openedFirst(schema: string, query: ReviewQuery, after: ReviewPosition | undefined, bind: Bind): FilteredList {
  const { status, closedFromMs } = query;
  const isOpen = status === "open";
  const [comparison, direction, beginning] =
    closedFromMs === undefined ? [">", "", beginningMs] : ["<", " DESC", Number.MAX_SAFE_INTEGER];
  const [, openedAtMs, review] = after ?? [0, beginning, 0];
  const position = `(${bind(openedAtMs)}, ${bind(review)})`;
  const filters = [
    ...filtersOf(query, bind),
    ...(status === undefined || isOpen ? [] : [`status = '${status}'`]),
    ...(closedFromMs === undefined ? [] : [`closed_at_ms >= ${bind(closedFromMs)}`]),
  ];
  const orderBy = `opened_at_ms${direction}, review${direction}`;
  return {
    ordered: (limit) => `SELECT ${reviewColumns} FROM ${schema}.reviews
      WHERE workspace = $1 AND environment = $2 AND (opened_at_ms, review) ${comparison} ${position}
        ${isOpen ? "AND status = 'open'" : ""}
      ORDER BY ${orderBy} LIMIT ${limit}`,
    orderBy,
    filters,
  };
}

function expiringFirst(
  schema: string,
  query: ReviewQuery,
  after: ReviewPosition | undefined,
  bind: Bind,
): FilteredList {
  const [expiresAtMs, ...position] = after ?? [beginningMs, beginningMs, 0];
  // Reviews that do not expire are read from their beginning until one of them is the position.
  const permanentAfter = expiresAtMs === neverMs ? position : [beginningMs, 0];
  const expiringPosition = [expiresAtMs, ...position].map(bind).join(", ");
  const permanentPosition = permanentAfter.map(bind).join(", ");
  const select = `SELECT ${reviewColumns}, coalesce(expires_at_ms, ${neverMs}) AS list_expires_at_ms
                    FROM ${schema}.reviews WHERE workspace = $1 AND environment = $2 AND status = 'open'`;
  const orderBy = "list_expires_at_ms, opened_at_ms, review";
  return {
    ordered: (limit) => `
      (${select} AND expires_at_ms IS NOT NULL AND (expires_at_ms, opened_at_ms, review) > (${expiringPosition})
        ORDER BY expires_at_ms, opened_at_ms, review LIMIT ${limit})
      UNION ALL
      (${select} AND expires_at_ms IS NULL AND (opened_at_ms, review) > (${permanentPosition})
        ORDER BY opened_at_ms, review LIMIT ${limit})
      ORDER BY ${orderBy} LIMIT ${limit}`,
    orderBy,
    parts: 2,
    filters: filtersOf(query, bind),
  };
}
