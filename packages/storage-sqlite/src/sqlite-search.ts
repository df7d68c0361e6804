import { assertStorable, searchShape } from "@procedo/storage";
import type { CursorQuery, ExaminedEnd, Page, PageRequest, SearchPosition } from "@procedo/storage";
import { pageOf } from "./sql-page.ts";

/** Reads up to `count` rows after a position among these rows. */
export type FoundRows<Row> = (after: SearchPosition | undefined, count: number) => readonly (Row & ExaminedEnd)[];

/** The rows of a scope that holds none. */
export const nothingFound: { readonly byId: FoundRows<never>; readonly byReference: FoundRows<never> } = {
  byId: () => [],
  byReference: () => [],
};

/** One page of the rows that a search finds: those found by an id, then those found by their reference. */
export function pageOfSearch<Row extends object, T>(
  request: PageRequest & {
    readonly search: string;
    readonly query: CursorQuery;
    readonly byId: FoundRows<Row>;
    readonly byReference: FoundRows<Row>;
    readonly positionOf: (row: Row) => readonly [reference: string | null, atMs: number, number: number];
    readonly itemOf: (row: Row) => T;
  },
): Page<T> {
  const { search, byId, byReference, positionOf, itemOf } = request;
  assertStorable(search);
  return pageOf({
    ...request,
    shape: searchShape,
    rowsAfter: (after, count) => {
      const isPastIds = after !== undefined && after[0] > 0;
      const first = isPastIds ? [] : byId(after, count).map((row) => found(row, 0));
      if (first.length >= count || first.at(-1)?.isExaminedEnd === true) return first;
      const others = byReference(isPastIds ? after : undefined, count - first.length);
      return [...first, ...others.map((row) => found(row, 1))];
    },
    positionOf: ({ row, rank }): SearchPosition => {
      const [reference, ...position] = positionOf(row);
      return [rank, rank === 0 ? "" : (reference ?? ""), ...position];
    },
    itemOf: ({ row }) => itemOf(row),
  });
}

function found<Row>(row: Row & ExaminedEnd, rank: number) {
  return { row, rank, isExaminedEnd: row.isExaminedEnd };
}
