import type { SqlValue } from "./statement.ts";

/** A column of the items of a statement. Each column is one array parameter. */
export interface ItemColumn<Item> {
  readonly name: string;
  readonly type: "text" | "integer" | "bigint" | "boolean";
  readonly valueOf: (item: Item, index: number) => string | number | boolean | null;
}

/** The order of the tables. Without this clause, a parameter would have the collation of the database. */
export const runOrder = `run_id COLLATE "C"`;

/**
 * The items of a statement whose first parameters are the arrays of these columns, as `item`, with the ordinal `ord`
 * from 1.
 *
 * @param order by the ids of their runs, or in the given order
 */
export function itemsSql<Item>(
  columns: readonly ItemColumn<Item>[],
  order: "by run" | "as given" = "as given",
): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const names = columns.map(({ name }) => name).join(", ");
  return `(SELECT * FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS item (${names}, ord)
           ${order === "by run" ? `ORDER BY ${runOrder}` : ""}) AS item`;
}

/** An array for each column. */
export function itemArrays<Item>(columns: readonly ItemColumn<Item>[], items: readonly Item[]): readonly SqlValue[] {
  return columns.map(({ valueOf }) => items.map((item, index) => valueOf(item, index)));
}
