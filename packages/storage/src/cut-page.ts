import type { CursorQuery } from "./cursor.ts";
import { encodeCursor } from "./cursor.ts";
import type { ExaminedEnd } from "./examined.ts";
import type { Page } from "./scope.ts";

/**
 * One page of sorted rows.
 *
 * @param found the rows of the page, and at least one more if another page follows; the last row may be the
 *   {@link ExaminedEnd} of a page that examined many rows
 */
export function cutPage<Row extends object, T>(
  found: readonly Row[],
  request: {
    readonly query: CursorQuery;
    readonly limit: number;
    readonly positionOf: (row: Row) => readonly (string | number)[];
    readonly itemOf: (row: Row) => T;
  },
): Page<T> {
  const { query, limit, positionOf, itemOf } = request;
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const more = last !== undefined && (found.length > limit || isExaminedEnd(last));
  const items = rows.filter((row) => !isExaminedEnd(row)).map(itemOf);
  return { items, nextCursor: more ? encodeCursor(query, positionOf(last)) : undefined };
}

function isExaminedEnd(row: ExaminedEnd): boolean {
  return row.isExaminedEnd === true;
}
