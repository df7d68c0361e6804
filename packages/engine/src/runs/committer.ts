import type { CommitResult, RunCommit, RunStore } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";

/**
 * Group commit: gathers the rows of all runs that are ready in one turn of the event loop, and those that come while a
 * flush is under way, into one call to storage. One durable write then serves many runs.
 */
export interface Committer {
  /** Rejects when storage failed and nothing is known of the row. */
  commit(item: RunCommit): Promise<CommitResult>;
}

interface Waiting {
  readonly item: RunCommit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A flush holds at most so many rows: a larger one would delay the first of them for the sake of the last. */
const maxRowsPerFlush = 512;

export function createCommitter(runs: Pick<RunStore, "commit">, clock: Pick<Clock, "soon">): Committer {
  let waiting: Waiting[] = [];
  let flushing = false;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.length <= maxRowsPerFlush ? waiting : waiting.slice(0, maxRowsPerFlush);
      waiting = batch === waiting ? [] : waiting.slice(maxRowsPerFlush);
      try {
        const results = await runs.commit(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, index) => {
          const result = results[index];
          if (result === undefined) reject(new Error("Storage answered fewer items than it was given."));
          else resolve(result);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      // The runs that were answered go on first; what they commit at once joins the next batch.
      if (waiting.length === 0) break;
    }
    flushing = false;
    if (waiting.length > 0) schedule();
  };

  const schedule = (): void => {
    flushing = true;
    clock.soon(() => void flush());
  };

  return {
    commit: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!flushing) schedule();
      }),
  };
}
