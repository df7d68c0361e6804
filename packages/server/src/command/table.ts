import { printable } from "./printable.ts";

/**
 * Rows under a heading, in aligned columns. Empty when there are no rows.
 *
 * @param optional columns that are left out if they are empty in all rows
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  optional: readonly string[] = [],
): readonly string[] {
  if (rows.length === 0) return [];
  const isShown = (_cell: string, column: number): boolean =>
    !optional.includes(heading[column] ?? "") || rows.some((row) => row[column] !== "");
  const all = [heading, ...rows].map((row) => row.filter(isShown).map(printable));
  const widths = (all[0] ?? []).map((_name, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** A time in ISO 8601; empty for `undefined`. */
export function moment(ms: number | undefined): string {
  return ms === undefined ? "" : new Date(ms).toISOString();
}
