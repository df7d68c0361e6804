import type { CursorQuery } from "../cursor.ts";
import { decodeCursor } from "../cursor.ts";
import { cutPage } from "../cut-page.ts";
import type { Page, PageRequest } from "../scope.ts";

/**
 * One page of rows, sorted by numbers: usually by time and, within a millisecond, by the order in which they were
 * stored.
 */
export function pageByTime<Row extends object, T>(
  rows: readonly Row[],
  request: PageRequest & {
    readonly query: CursorQuery;
    readonly newestFirst: boolean;
    readonly positionOf: (row: Row) => readonly number[];
    /** The types of a position. @defaultValue two numbers */
    readonly shape?: readonly "number"[];
    readonly itemOf: (row: Row) => T;
  },
): Page<T> {
  const { query, limit, positionOf, shape = ["number", "number"] } = request;
  const sign = request.newestFirst ? -1 : 1;
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const differing = a.findIndex((value, index) => value !== b[index]);
    return sign * ((a[differing] ?? 0) - (b[differing] ?? 0));
  };
  const after = decodeCursor(query, request.cursor, shape);
  const rest = rows
    .filter((row) => after === undefined || compare(positionOf(row), after) > 0)
    .sort((a, b) => compare(positionOf(a), positionOf(b)));
  return cutPage(rest, { query, limit, positionOf, itemOf: request.itemOf });
}

/** One page of rows, sorted by id. */
export function pageById<Row extends object, T>(
  rows: readonly Row[],
  request: PageRequest & {
    readonly query: CursorQuery;
    readonly after?: string;
    readonly idOf: (row: Row) => string;
    readonly itemOf: (row: Row) => T;
  },
): Page<T> {
  const { query, limit, idOf } = request;
  const after = decodeCursor(query, request.cursor, ["string"])?.[0] ?? request.after;
  const rest = rows
    .filter((row) => after === undefined || idOf(row) > after)
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return cutPage(rest, { query, limit, positionOf: (row) => [idOf(row)], itemOf: request.itemOf });
}
