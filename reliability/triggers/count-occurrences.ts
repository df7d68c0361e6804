import type { Tally } from "../crash/tally.ts";
import type { StoredOccurrences } from "./read-occurrences.ts";

/** Counts the firings by their ends, the skipped ones by reason, and the events that arrived again. */
export function countOccurrences(total: Tally, { triggers, runs }: StoredOccurrences): void {
  total.add("runs", runs.length);
  for (const { firings } of triggers.values()) {
    for (const { status, reason, count, duplicates } of firings) {
      total.add(status === "skipped" ? `skipped.${reason}` : status, count);
      total.add("duplicates", duplicates);
    }
  }
}
