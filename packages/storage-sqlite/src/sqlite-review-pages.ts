import type { ExaminedEnd, ReviewQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { filteredRows, type FilteredList } from "./filtered-rows.ts";
import type { StoredReview } from "./review-rows.ts";
import { selectReviews } from "./review-rows.ts";

/** Reads up to `count` reviews after a position, in the query's order. Must be called within a snapshot. */
export type ReviewPages = (
  scope: number,
  query: ReviewQuery,
  after: ReviewPosition | undefined,
  count: number,
) => readonly (StoredReview & ExaminedEnd)[];

/** The expiry is 0 in lists of another order, and {@link neverMs} for a review that does not expire. */
export type ReviewPosition = readonly [expiresAtMs: number, openedAtMs: number, review: number];

const neverMs = Number.MAX_SAFE_INTEGER;

export function reviewPages({ db }: SqliteContext): ReviewPages {
  const read = filteredRows<StoredReview>(db);

  return (scope, query, after, count) => {
    const { procedureId = null, kind = null, closedFromMs = null } = query;
    if (query.order !== "expires") {
      const [, ...position] = after ?? [0, ...(closedFromMs === null ? [-Infinity, 0] : [Infinity, 0])];
      return read(byOpening(query), [scope, procedureId, kind, closedFromMs, ...position], count);
    }
    if ((query.status ?? "open") !== "open" || closedFromMs !== null) return [];
    const [expiresAtMs, ...position] = after ?? [-Infinity, -Infinity, 0];
    // Reviews that do not expire are read from their beginning until one of them is the position.
    const permanentAfter = expiresAtMs === neverMs ? position : [-Infinity, 0];
    const values = [scope, procedureId, kind, expiresAtMs, ...position, ...permanentAfter];
    return read(byExpiry(query), values, count);
  };
}

/** The position of a review in the list of a query. */
export function reviewPosition({ order }: ReviewQuery, row: StoredReview): ReviewPosition {
  return [order === "expires" ? (row.expires_at_ms ?? neverMs) : 0, row.opened_at_ms, row.review];
}

function filtersOf({ procedureId, kind }: ReviewQuery): readonly string[] {
  return [...(procedureId === undefined ? [] : ["procedure_id = ?2"]), ...(kind === undefined ? [] : ["kind = ?3"])];
}

/** The status is a literal in the SQL, so that SQLite recognizes the partial index of open reviews. */
function byOpening(query: ReviewQuery): FilteredList {
  const { status, closedFromMs } = query;
  const isOpen = status === "open";
  const filters = [
    ...filtersOf(query),
    ...(status === undefined || isOpen ? [] : [`status = '${status}'`]),
    ...(closedFromMs === undefined ? [] : ["closed_at_ms >= ?4"]),
  ];
  const [comparison, direction] = closedFromMs === undefined ? [">", ""] : ["<", " DESC"];
  const orderBy = `opened_at_ms${direction}, review${direction}`;
  const source = `${selectReviews(isOpen ? "reviews_open" : "reviews_by_time")}
    WHERE reviews.scope = ?1 AND (opened_at_ms, review) ${comparison} (?5, ?6) ${isOpen ? "AND reviews.status = 'open'" : ""}`;
  return { ordered: (limit) => `${source} ORDER BY ${orderBy} LIMIT ${limit}`, filters };
}

function byExpiry(query: ReviewQuery): FilteredList {
  const orderBy = `coalesce(expires_at_ms, ${neverMs}), opened_at_ms, review`;
  const expiring = `${selectReviews("reviews_expiring")}
    WHERE reviews.scope = ?1 AND (expires_at_ms, opened_at_ms, review) > (?4, ?5, ?6)
      AND reviews.status = 'open' AND expires_at_ms IS NOT NULL
    ORDER BY expires_at_ms, opened_at_ms, review`;
  const permanent = `${selectReviews("reviews_open")}
    WHERE reviews.scope = ?1 AND (opened_at_ms, review) > (?7, ?8) AND reviews.status = 'open' AND expires_at_ms IS NULL
    ORDER BY opened_at_ms, review`;
  return {
    ordered: (limit) => {
      const parts = [expiring, permanent].map((source) => `SELECT * FROM (${source} LIMIT ${limit})`);
      return `SELECT * FROM (${parts.join(" UNION ALL ")}) ORDER BY ${orderBy} LIMIT ${limit}`;
    },
    parts: 2,
    filters: filtersOf(query),
  };
}
