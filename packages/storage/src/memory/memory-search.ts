import type { CursorQuery } from "../cursor.ts";
import { decodeCursor } from "../cursor.ts";
import { cutPage } from "../cut-page.ts";
import type { Page, PageRequest } from "../scope.ts";
import { searchPosition, searchShape, type SearchPosition } from "../search.ts";
import { assertStorable } from "../storable.ts";

/** One page of the rows that a search finds: those found by an id, then those found by their reference. */
export function pageBySearch<Row extends object, T>(
  rows: readonly Row[],
  request: PageRequest & {
    readonly search: string;
    readonly query: CursorQuery;
    readonly idsOf: (row: Row) => readonly string[];
    readonly referenceOf: (row: Row) => string | undefined;
    readonly positionOf: (row: Row) => readonly [atMs: number, number: number];
    readonly itemOf: (row: Row) => T;
  },
): Page<T> {
  const { search, query, limit, cursor, idsOf, referenceOf, itemOf } = request;
  assertStorable(search);
  const after = decodeCursor(query, cursor, searchShape);
  const found = rows.flatMap((row) => {
    const reference = referenceOf(row);
    const isById = idsOf(row).includes(search);
    if (!isById && reference?.startsWith(search) !== true) return [];
    const position = searchPosition(isById ? 0 : 1, [reference ?? null, ...request.positionOf(row)]);
    return after === undefined || compare(position, after) > 0 ? [{ row, position }] : [];
  });
  found.sort((a, b) => compare(a.position, b.position));
  return cutPage(found, { query, limit, positionOf: ({ position }) => position, itemOf: ({ row }) => itemOf(row) });
}

function compare(a: SearchPosition, b: SearchPosition): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  // Bytes of UTF-8 have the order of code points.
  return Buffer.compare(Buffer.from(b[1]), Buffer.from(a[1])) || b[2] - a[2] || b[3] - a[3];
}
