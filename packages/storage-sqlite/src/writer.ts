import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "@procedo/contract";
import { groupCommit, type ChangeFeed } from "@procedo/storage";
import { groupClock } from "./group-clock.ts";
import { procedoErrorOf } from "./sqlite-error.ts";
import type { PartResult, Transactor, WriteTurn } from "./transaction.ts";

/** Combines the writes of one event-loop turn in one transaction, with one write to disk. */
export interface Writer {
  /**
   * Runs the work in a transaction and resolves when it is durable. The work may run more than once, so it must change
   * only the database.
   *
   * @param environment the environment to whose share of the writes this one counts, if any
   * @throws ProcedoError `storage_unavailable`, after which it is unknown whether the write was committed
   */
  write<T>(work: (turn: WriteTurn) => T, environment?: Environment): Promise<T>;

  /** Rejects further writes and waits for pending ones. */
  close(): Promise<void>;
}

export interface WriterOptions {
  readonly transactor: Transactor;
  readonly feed: ChangeFeed;
  /** The longest wait for a lock of another process. */
  readonly lockWaitMs: number;
}

interface Job {
  readonly work: (turn: WriteTurn) => unknown;
  readonly environment: Environment | undefined;
}

const maxPauseMs = 25;

export function createWriter({ transactor, feed, lockWaitMs }: WriterOptions): Writer {
  /** Repeats the transaction while another process holds the lock. */
  async function transact(jobs: readonly Job[]): Promise<readonly PartResult<unknown>[]> {
    const works = jobs.map(({ work }) => work);
    let endsAtMs: number | undefined;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const result = transactor.run(works);
      if (result.committed) {
        for (const change of result.changes) feed.emit(change);
        return result.results;
      }
      endsAtMs ??= performance.now() + lockWaitMs;
      if (result.failure !== "busy" || performance.now() >= endsAtMs) throw procedoErrorOf(result.error);
      await pause(pauseMs);
    }
  }

  const group = groupCommit<Job, PartResult<unknown>>({
    flush: transact,
    fairBy: ({ environment }) => environment,
    clock: groupClock,
  });

  return {
    async write<T>(work: (turn: WriteTurn) => T, environment?: Environment) {
      const result = await group.add({ work, environment });
      if (!result.done) throw procedoErrorOf(result.error);
      return result.value as T;
    },
    close: () => group.close(),
  };
}
