/**
 * A condition on columns of a row that is found by its id, in a form that no index serves. Connections keep plans that were
 * made while tables were empty, and such a plan could use an index over these columns and read everything in the scope.
 */
export function matchesUnindexed(columns: string, values: string): string {
  return `(${columns}) IS NOT DISTINCT FROM (${values})`;
}
