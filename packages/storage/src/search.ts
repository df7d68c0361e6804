import type { ExaminedEnd } from "./examined.ts";

/**
 * The position of an item in the results of a search: 0 for an item that was found by an id, whose reference is left
 * empty here, and 1 for one that was found by its reference.
 */
export type SearchPosition = readonly [rank: number, reference: string, atMs: number, number: number];

/** The types of a {@link SearchPosition}, for cursors. */
export const searchShape = ["number", "string", "number", "number"] as const;

/** A row of a search, with its rank in a {@link SearchPosition}. */
export interface FoundRow<Row> extends ExaminedEnd {
  /** The row as its adapter reads it. */
  readonly row: Row;
  /** 0 for a row found by its id, 1 for one found by its reference. */
  readonly rank: number;
}

/** Marks rows with the rank of the way by which they were found. For adapters. */
export function foundRows<Row extends ExaminedEnd>(rows: readonly Row[], rank: 0 | 1): readonly FoundRow<Row>[] {
  return rows.map((row) => ({ row, rank, isExaminedEnd: row.isExaminedEnd }));
}

/** The position of a row of a search. For adapters. */
export function searchPosition(
  rank: number,
  [reference, atMs, number]: readonly [reference: string | null, atMs: number, number: number],
): SearchPosition {
  return [rank, rank === 0 ? "" : (reference ?? ""), atMs, number];
}

/**
 * The first text, by Unicode code points, that comes after all texts with a prefix. `undefined` if no text does. For
 * adapters: the texts from the prefix up to this one are those that begin with it, whichever characters it contains.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = [...prefix];
  for (;;) {
    const last = characters.pop()?.codePointAt(0);
    if (last === undefined) return undefined;
    // No text contains a surrogate as a code point.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return characters.join("") + String.fromCodePoint(next);
  }
}
