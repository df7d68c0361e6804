import { afterPrefix } from "@procedo/storage";
import type { ReviewQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { filteredRows } from "./filtered-rows.ts";
import { selectReviews, type StoredReview } from "./review-rows.ts";
import type { FoundRows } from "./sqlite-search.ts";

/**
 * Reads the reviews that have an id or belong to the run with this id, and the reviews of runs whose reference begins
 * with a text. Must be called within a snapshot.
 */
export type ReviewSearch = (
  scope: number,
  query: ReviewQuery,
  search: string,
) => { readonly byId: FoundRows<StoredReview>; readonly byReference: FoundRows<StoredReview> };

/** SQLite sorts a blob behind all texts. */
const behindAllTexts = new Uint8Array();

export function reviewSearch({ db }: SqliteContext): ReviewSearch {
  const read = filteredRows<StoredReview>(db);

  return (scope, query, search) => {
    const { procedureId = null, kind = null, status = null, closedFromMs = null } = query;
    const filters = [
      ...(query.procedureId === undefined ? [] : ["procedure_id = ?6"]),
      ...(query.kind === undefined ? [] : ["kind = ?7"]),
      ...(query.status === undefined ? [] : ["status = ?8"]),
      ...(query.closedFromMs === undefined ? [] : ["closed_at_ms >= ?9"]),
    ];
    const values = [procedureId, kind, status, closedFromMs];
    return {
      byId: (after, count) => {
        const [, , ...position] = after ?? [0, "", Infinity, 0];
        return read({ ordered: byId, filters }, [scope, search, null, ...position, ...values], count);
      },
      byReference: (after, count) => {
        const [, ...position] = after ?? [1, afterPrefix(search) ?? behindAllTexts, -Infinity, 0];
        const list = { ordered: byReference, filters: ["review_id <> ?2 AND run_id <> ?2", ...filters] };
        return read(list, [scope, search, ...position, ...values], count);
      },
    };
  };
}

function byId(limit: string): string {
  return `${selectReviews()}
    WHERE reviews.scope = ?1 AND (opened_at_ms, review) < (?4, ?5)
      AND review IN (SELECT review FROM reviews WHERE review_id = ?2
                     UNION SELECT review FROM runs JOIN reviews USING (run) WHERE run_id = ?2)
    ORDER BY opened_at_ms DESC, review DESC LIMIT ${limit}`;
}

function byReference(limit: string): string {
  return `${selectReviews("reviews_by_reference")}
    WHERE reviews.scope = ?1 AND reviews.reference IS NOT NULL AND reviews.reference >= ?2
      AND (reviews.reference, opened_at_ms, review) < (?3, ?4, ?5)
    ORDER BY reviews.reference DESC, opened_at_ms DESC, review DESC LIMIT ${limit}`;
}
