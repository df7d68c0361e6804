/** Formats a point in time for answers: ISO 8601 in UTC. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}
