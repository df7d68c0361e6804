import { maxExamined } from "@procedo/storage";

/** A list whose rows are found by an index, and then checked one by one. */
export interface FilteredList {
  /** Selects up to `limit` rows in the order of the list, by an index. */
  readonly ordered: (limit: string) => string;
  /** The order of the list, by its columns. */
  readonly orderBy: string;
  /** Number of indexes from which the rows are merged; each is read up to the limit. @defaultValue 1 */
  readonly parts?: number;
  /** Conditions that no index serves. */
  readonly filters: readonly string[];
}

/**
 * The SQL that reads up to `count` rows of a list. If filters find fewer among the examined rows, the last examined row
 * follows, with `isExaminedEnd`. One statement, so that both see the same rows.
 *
 * @param count the parameter with the number of rows
 */
export function filteredRowsSql({ ordered, orderBy, parts = 1, filters }: FilteredList, count: string): string {
  if (filters.length === 0) return ordered(count);
  const most = Math.floor(maxExamined / parts);
  // Not materialized: each reference reads rows in their order, and none after the last that it needs.
  return `
    WITH examined AS NOT MATERIALIZED (${ordered(String(most))}),
         wanted AS MATERIALIZED (
           SELECT * FROM examined WHERE ${filters.join(" AND ")} ORDER BY ${orderBy} LIMIT ${count}::bigint
         ),
         last AS (
           SELECT * FROM examined WHERE (SELECT count(*) FROM wanted) < ${count}::bigint
            ORDER BY ${orderBy} OFFSET ${most - 1}
         )
    SELECT *, false AS "isExaminedEnd" FROM wanted
    UNION ALL
    SELECT *, true FROM last
    ORDER BY "isExaminedEnd", ${orderBy}`;
}
