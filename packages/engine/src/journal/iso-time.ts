let lastMs = NaN;
let lastText = "";

/** `atMs` as ISO 8601 in UTC. Runs begin many to a millisecond, and a date is not cheap to write. */
export function isoTime(atMs: number): string {
  if (atMs !== lastMs) {
    lastText = new Date(atMs).toISOString();
    lastMs = atMs;
  }
  return lastText;
}
