/**
 * Condition: the row has these values in these columns. Said so that no index serves it, for rows that are found by their id:
 * connections keep plans that were made when tables were empty, and such a plan may as well look through everything that
 * the scope has.
 */
export function having(columns: string, values: string): string {
  return `(${columns}) IS NOT DISTINCT FROM (${values})`;
}
