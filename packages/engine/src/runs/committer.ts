import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { CommitResult, LaterItems, RunCommit, RunStore } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";

/**
 * Group commit: gathers the rows of all runs that are ready in one turn of the event loop, and those that come while
 * flushes are under way, into one call to storage. Storage that gathers writes itself is offered what comes until it
 * begins. One durable write then serves many runs, and a flood of rows of one environment does not come before those of
 * the other.
 *
 * Where storage is somebody else's processor, a second flush keeps it busy while the runs of the first one go on here.
 */
export interface Committer {
  /** Rejects when storage failed: nothing is known of the row, or it was not even sent. */
  commit(item: RunCommit): Promise<CommitResult>;
}

interface Waiting {
  readonly item: RunCommit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A flush holds at most so many rows. A larger one would delay the first of them for the sake of the last, and all of its
 * runs go on in the same turn of the event loop, in which nobody else is served; a row of it would cost hardly less.
 */
const maxRowsPerFlush = 128;

/**
 * When nothing is under way and more rows wait, half of them go first, where storage takes two flushes at once: answered
 * together, all runs would go on together, too, and storage would wait for them as they have waited for it.
 */
const rowsWorthHalving = 32;

/**
 * While both environments have work, a flush holds fewer rows of each: so many that their runs go on for about as long as
 * the flush itself took, and a row of the other environment waits for hardly more than that. A slow disk lets more
 * rows into a flush, so that the number of rows a second does not depend on it.
 */
const sharedRowsPerMs = 16;
const leastSharedRows = 8;

/** An environment whose last row is no older has work. */
const recentMs = 1_000;

/** How fast flushes are held to have become slower: one that others held up says little of storage. */
const slowing = 1.05;

export function createCommitter(
  runs: Pick<RunStore, "commit" | "commitsAtOnce">,
  clock: Pick<Clock, "soon" | "monotonic">,
): Committer {
  const { commitsAtOnce = 1 } = runs;
  const waiting: Record<Environment, Waiting[]> = { sandbox: [], live: [] };
  const lastRowMs: Record<Environment, number> = { sandbox: -Infinity, live: -Infinity };
  let flushMs = Infinity;
  let underWay = 0;
  let scheduled = false;

  const rowsWaiting = (): number => waiting.sandbox.length + waiting.live.length;

  /** How many rows of each environment go next, beside those of the same flush that have gone before. */
  const nextCounts = (gone: readonly Waiting[]): Record<Environment, number> => {
    const nowMs = clock.monotonic();
    for (const environment of environments) if (waiting[environment].length > 0) lastRowMs[environment] = nowMs;
    const isShared = environments.every((environment) => lastRowMs[environment] > nowMs - recentMs);
    const ofEach = isShared
      ? Math.min(maxRowsPerFlush / 2, Math.max(leastSharedRows, Math.ceil(flushMs * sharedRowsPerMs)))
      : maxRowsPerFlush;
    const isHalved = underWay === 0 && commitsAtOnce > 1 && rowsWaiting() > rowsWorthHalving;
    let room = maxRowsPerFlush - gone.length;
    const countOf = (environment: Environment): number => {
      const rows = waiting[environment].length;
      const goneOfIt = gone.filter(({ item }) => item.scope.environment === environment).length;
      const count = Math.max(0, Math.min(isHalved ? Math.ceil(rows / 2) : rows, ofEach - goneOfIt, room));
      room -= count;
      return count;
    };
    return { sandbox: countOf("sandbox"), live: countOf("live") };
  };

  const nextBatch = (gone: readonly Waiting[] = []): readonly Waiting[] => {
    const counts = nextCounts(gone);
    return environments.flatMap((environment) => waiting[environment].splice(0, counts[environment]));
  };

  const flush = async (): Promise<void> => {
    const batch = [...nextBatch()];
    let sinceMs = clock.monotonic();
    let isSettled = false;
    const later: LaterItems = {
      count: () => {
        const { sandbox, live } = nextCounts(batch);
        return sandbox + live;
      },
      take: () => {
        // Nobody would hear what became of them.
        if (isSettled) return [];
        // Storage begins; until here it has waited for others, which says nothing of how fast it is.
        sinceMs = clock.monotonic();
        const more = nextBatch(batch);
        batch.push(...more);
        return more.map(({ item }) => item);
      },
    };
    underWay++;
    scheduleNext();
    try {
      const results = await runs.commit(
        batch.map(({ item }) => item),
        later,
      );
      isSettled = true;
      flushMs = Math.min(flushMs * slowing, clock.monotonic() - sinceMs);
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error("Storage answered fewer items than it was given."));
        else resolve(result);
      });
    } catch (error) {
      isSettled = true;
      for (const { reject } of batch) reject(error);
      // Whoever came meanwhile would only wait as long again to be told the same.
      if (ProcedoError.isError(error) && error.retryable) rejectWaiting(error);
    }
    underWay--;
    scheduleNext();
  };

  const rejectWaiting = (error: ProcedoError): void => {
    while (rowsWaiting() > 0) for (const { reject } of nextBatch()) reject(error);
  };

  const scheduleNext = (): void => {
    if (scheduled || underWay >= commitsAtOnce || rowsWaiting() === 0) return;
    scheduled = true;
    clock.soon(() => {
      scheduled = false;
      if (rowsWaiting() > 0) void flush();
    });
  };

  return {
    commit: (item) =>
      new Promise((resolve, reject) => {
        waiting[item.scope.environment].push({ item, resolve, reject });
        scheduleNext();
      }),
  };
}
