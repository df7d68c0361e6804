import type { ColumnType } from "./array-parameters.ts";

/** Of the items of a statement. Most flushes of a quiet system hold one. */
export type ItemCount = "one" | "many";

export type ItemOrder = "by run" | "as given";

export interface ItemColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** As the tables order them. What a statement was given has the database's collation unless it says otherwise. */
export const runOrder = `run_id COLLATE "C"`;

/**
 * The items of a statement whose first parameters are these columns' arrays, as `item` with its place `ord`, from 1.
 *
 * By run they come in the order of their runs' ids: so are the runs locked, whoever locks, and nobody waits in a circle.
 * As given they come where nobody else knows of the runs: nobody waits for them.
 *
 * One item is named in place: Postgres unpacks each array into a table of its own, and sorts what it puts together.
 */
export function itemsSql(columns: readonly ItemColumn[], count: ItemCount, order: ItemOrder = "by run"): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  if (count === "one") {
    const values = columns.map(({ name }, index) => `(${arrays[index]})[1] AS ${name}`);
    return `(SELECT ${values.join(", ")}, 1 AS ord) AS item`;
  }
  const names = columns.map(({ name }) => name).join(", ");
  return `(SELECT * FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS item (${names}, ord)
           ${order === "by run" ? `ORDER BY ${runOrder}` : ""}) AS item`;
}

export function itemCount(items: readonly unknown[]): ItemCount {
  return items.length === 1 ? "one" : "many";
}
