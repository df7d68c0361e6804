/**
 * The number of rows that a page of a filtered list examines at most, for adapters. Filters that no index serves are
 * checked row by row; without a bound, a page of rare rows would read the whole list.
 */
export const maxExamined = 5_000;

/**
 * The last row that a page examined, if it is not the end of the list: the next page begins after it. It is not an item
 * of the page.
 */
export interface ExaminedEnd {
  /** Absent in the items of the page. */
  readonly isExaminedEnd?: boolean | undefined;
}
