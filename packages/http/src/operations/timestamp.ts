/** A point in time as answers tell it: ISO 8601 in UTC. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}
