import type { Scope } from "./scope.ts";

/** The open reviews to count. */
export interface ReviewTallyRequest {
  /** The workspace and environment of the reviews. */
  readonly scope: Scope;
  /** Reviews that expire before this time are counted in `expiring`, in milliseconds since the epoch. */
  readonly expiresBeforeMs: number;
}

/** Number of a scope's open reviews. */
export interface ReviewTally {
  /** All open reviews. */
  readonly open: number;
  /** Open reviews that expire before `expiresBeforeMs`. */
  readonly expiring: number;
  /** Numbers of open reviews by kind, in the order of the kinds. Kinds without open reviews are left out. */
  readonly kinds: readonly KindTally[];
  /** Numbers of open reviews by procedure, in the order of the ids. Procedures without open reviews are left out. */
  readonly procedures: readonly ReviewsOfProcedure[];
}

/** The open reviews of one kind. */
export interface KindTally {
  /** The kind of the reviews. */
  readonly kind: string;
  /** Number of open reviews. */
  readonly open: number;
}

/** The open reviews of one procedure's runs. */
export interface ReviewsOfProcedure {
  /** The procedure that the runs execute. */
  readonly procedureId: string;
  /** Number of open reviews. */
  readonly open: number;
}

/** Open reviews of one procedure and kind. */
export interface OpenReviews {
  /** The procedure that the runs execute. */
  readonly procedureId: string;
  /** The kind of the reviews. */
  readonly kind: string;
  /** Number of open reviews. */
  readonly open: number;
  /** Number of those that expire before `expiresBeforeMs`. */
  readonly expiring: number;
}

/** Adds up the reviews that an adapter counted. */
export function tallyReviews(cells: readonly OpenReviews[]): ReviewTally {
  const openBy = (nameOf: (cell: OpenReviews) => string): readonly (readonly [string, number])[] => {
    const numbers = new Map<string, number>();
    for (const cell of cells) numbers.set(nameOf(cell), (numbers.get(nameOf(cell)) ?? 0) + cell.open);
    return [...numbers].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  return {
    open: cells.reduce((sum, { open }) => sum + open, 0),
    expiring: cells.reduce((sum, { expiring }) => sum + expiring, 0),
    kinds: openBy(({ kind }) => kind).map(([kind, open]) => ({ kind, open })),
    procedures: openBy(({ procedureId }) => procedureId).map(([procedureId, open]) => ({ procedureId, open })),
  };
}
