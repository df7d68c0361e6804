import { assertStorable, foundRows, searchPosition, searchShape } from "@procedo/storage";
import type { CursorQuery, ExaminedEnd, Page, PageRequest, SearchPosition } from "@procedo/storage";
import { pageOf } from "./sql-page.ts";

/** Reads up to `count` rows after a position among these rows. */
export type FoundRows<Row> = (
  after: SearchPosition | undefined,
  count: number,
) => Promise<readonly (Row & ExaminedEnd)[]>;

/** One page of the rows that a search finds: those found by an id, then those found by their reference. */
export async function pageOfSearch<Row extends object, T>(
  request: PageRequest & {
    readonly search: string;
    readonly query: CursorQuery;
    readonly byId: FoundRows<Row>;
    readonly byReference: FoundRows<Row>;
    readonly positionOf: (row: Row) => readonly [reference: string | null, atMs: number, number: number];
    readonly itemOf: (row: Row) => T;
  },
): Promise<Page<T>> {
  const { search, byId, byReference, positionOf, itemOf } = request;
  assertStorable(search);
  return pageOf({
    ...request,
    shape: searchShape,
    rowsAfter: async (after, count) => {
      const isPastIds = after !== undefined && after[0] > 0;
      const first = isPastIds ? [] : foundRows(await byId(after, count), 0);
      if (first.length >= count || first.at(-1)?.isExaminedEnd === true) return first;
      const others = await byReference(isPastIds ? after : undefined, count - first.length);
      return [...first, ...foundRows(others, 1)];
    },
    positionOf: ({ row, rank }) => searchPosition(rank, positionOf(row)),
    itemOf: ({ row }) => itemOf(row),
  });
}
