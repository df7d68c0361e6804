import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { maxExamined, type ExaminedEnd } from "@procedo/storage";
import type { Statement } from "./statement.ts";
import { prepare } from "./statement.ts";

/** A list whose rows are found by an index, and then checked one by one. */
export interface FilteredList {
  /** Selects up to `limit` rows in the order of the list, by an index. */
  readonly ordered: (limit: string) => string;
  /** Number of indexes from which the rows are merged; each is read up to the limit. @defaultValue 1 */
  readonly parts?: number;
  /** Conditions that no index serves, on the rows `listed`. */
  readonly filters: readonly string[];
}

/**
 * Reads up to `count` rows of a list, which is the last parameter `?N`. If filters find fewer among the examined rows,
 * the last examined row follows, marked as such. Must be called within a snapshot.
 */
export type FilteredRows<Row> = (
  list: FilteredList,
  values: readonly SQLInputValue[],
  count: number,
) => readonly (Row & ExaminedEnd)[];

export function filteredRows<Row extends object>(db: DatabaseSync): FilteredRows<Row> {
  const statements = new Map<string, Statement<Row>>();

  function statement(sql: string): Statement<Row> {
    const known = statements.get(sql) ?? prepare<Row>(db, sql);
    statements.set(sql, known);
    return known;
  }

  return ({ ordered, parts = 1, filters }, values, count) => {
    const countAt = `+?${values.length + 1}`;
    if (filters.length === 0) return statement(ordered(countAt)).all(...values, count);
    // SQLite checks the rows of the inner query in their order, as it reads them, and reads none after the last that is
    // wanted. An ORDER BY of the outer query would make it read and sort all of them.
    const most = Math.floor(maxExamined / parts);
    const examined = `SELECT * FROM (${ordered(String(most))}) AS listed`;
    const found = statement(`${examined} WHERE ${filters.join(" AND ")} LIMIT ${countAt}`).all(...values, count);
    if (found.length >= count) return found;
    const last = statement(`${examined} LIMIT ${countAt} OFFSET ${most - 1}`).get(...values, 1);
    return last === undefined ? found : [...found, { ...last, isExaminedEnd: true }];
  };
}
