/** How many items of each group go into one flush, so that a flood of one group does not delay the others. */
export interface FairShare {
  /** The most items of one group for the next flush, given the groups that have items waiting. */
  itemsOfEach(groups: Iterable<string>): number;
  /** Reports how long a flush took, in milliseconds. */
  flushed(durationMs: number): void;
}

/**
 * While several groups have work, a flush holds as many items of each as their callers process in about the time that the
 * flush takes. An item of another group then waits little longer than one flush. A slow disk allows more items per flush, so
 * that the throughput does not depend on it. docs/performance/runs.md#constants
 */
const sharedItemsPerMs = 16;
const minSharedItems = 8;

/** A group has work while its last item is no older than this. */
const recentMs = 1_000;

/** How fast the expected duration of a flush grows again. A single slow flush says little about storage. */
const growth = 1.05;

/** @param maxItems the most items of one flush, all groups together */
export function createFairShare(maxItems: number, monotonic: () => number): FairShare {
  const lastItemMs = new Map<string, number>();
  let expectedMs = Infinity;

  return {
    itemsOfEach(groups) {
      const nowMs = monotonic();
      for (const group of groups) lastItemMs.set(group, nowMs);
      for (const [group, atMs] of lastItemMs) if (atMs <= nowMs - recentMs) lastItemMs.delete(group);
      if (lastItemMs.size < 2) return maxItems;
      const inOneFlush = Math.max(minSharedItems, Math.ceil(expectedMs * sharedItemsPerMs));
      return Math.min(Math.floor(maxItems / lastItemMs.size), inOneFlush);
    },
    flushed(durationMs) {
      expectedMs = Math.min(expectedMs * growth, durationMs);
    },
  };
}
