/**
 * A condition on columns of a row that is found by its id, in a form that no index serves. Connections keep plans from
 * the time of empty tables; such a plan could use an index over these columns and read every row of the scope.
 */
export function matchesUnindexed(columns: string, values: string): string {
  return `(${columns}) IS NOT DISTINCT FROM (${values})`;
}
