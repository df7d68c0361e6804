import { ProcedoError } from "@procedo/contract";
import type { ChangeFeed } from "@procedo/storage";
import { procedoErrorOf } from "./sqlite-error.ts";
import type { PartResult, Transactor, WriteTurn } from "./transaction.ts";

/**
 * Group commit: everything that is asked for within one turn of the event loop becomes one transaction and one fsync, with
 * what the next few turns bring as long as each brings more, be it other writes or items of one that waits: requests come
 * off their sockets a few at a time. A single write waits for nothing but the end of its turn.
 */
export interface Writer {
  /**
   * Runs the work in a transaction and resolves when it is durable. The work may run more than once: it changes nothing
   * but the database.
   *
   * @param count how many items it would write now, of which more may come until it runs; 1 unless given
   * @throws ProcedoError `storage_unavailable`, after which nothing is known of the write
   */
  write<T>(work: (turn: WriteTurn) => T, count?: () => number): Promise<T>;

  /** Refuses further writes and waits for those that are under way. */
  close(): Promise<void>;
}

export interface WriterOptions {
  readonly transactor: Transactor;
  readonly feed: ChangeFeed;
  /** How long a write waits for a lock that another process holds. */
  readonly lockWaitMs: number;
}

interface Job {
  readonly count: () => number;
  /** Answers with what settles the caller's promise, once the transaction is durable. */
  readonly work: (turn: WriteTurn) => () => void;
  readonly reject: (error: ProcedoError) => void;
  /** Set when it has met a lock. */
  waitsUntil: number | undefined;
}

const longestPauseMs = 25;

/** What comes one by one without end does not keep the first waiting. */
const mostTurns = 4;

export function createWriter({ transactor, feed, lockWaitMs }: WriterOptions): Writer {
  let pending: Job[] = [];
  let scheduled = false;
  let pauseMs = 0;
  let closed = false;
  let onIdle: (() => void) | undefined;

  const itemCount = (): number => pending.reduce((sum, { count }) => sum + count(), 0);

  function gather(before: number, turnsLeft: number): void {
    setImmediate(() => {
      const count = itemCount();
      if (count > before && turnsLeft > 1) gather(count, turnsLeft - 1);
      else flush();
    });
  }

  function flush(): void {
    scheduled = false;
    const jobs = pending;
    pending = [];
    const result = transactor.run(jobs.map(({ work }) => work));
    if (!result.committed && result.failure === "busy") {
      waitForLock(jobs, result.error);
    } else {
      pauseMs = 0;
      jobs.forEach((job, index) => {
        settle(job, result.committed ? result.results[index] : { done: false, error: result.error });
      });
      if (result.committed) for (const change of result.changes) feed.emit(change);
    }
    if (!scheduled) onIdle?.();
  }

  function waitForLock(jobs: readonly Job[], error: unknown): void {
    const now = performance.now();
    const waiting = jobs.filter((job) => {
      job.waitsUntil ??= now + lockWaitMs;
      if (job.waitsUntil <= now) job.reject(procedoErrorOf(error));
      return job.waitsUntil > now;
    });
    pending = [...waiting, ...pending];
    if (pending.length === 0) return;
    pauseMs = Math.min(pauseMs === 0 ? 1 : pauseMs * 2, longestPauseMs);
    scheduled = true;
    setTimeout(flush, pauseMs);
  }

  return {
    write(work, count = one) {
      if (closed) return Promise.reject(new ProcedoError("storage_unavailable", "The storage has been closed."));
      return new Promise((resolve, reject) => {
        pending.push({
          count,
          work: (turn) => {
            const value = work(turn);
            return () => resolve(value);
          },
          reject,
          waitsUntil: undefined,
        });
        if (scheduled) return;
        scheduled = true;
        gather(count(), mostTurns);
      });
    },

    close() {
      closed = true;
      return new Promise((resolve) => {
        if (scheduled) onIdle = resolve;
        else resolve();
      });
    },
  };
}

const one = (): number => 1;

function settle(job: Job, result: PartResult<() => void> | undefined): void {
  if (result?.done === true) result.value();
  else job.reject(procedoErrorOf(result?.error));
}
