import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "@procedo/contract";
import { groupCommit, type ChangeFeed } from "@procedo/storage";
import { groupClock } from "./group-clock.ts";
import { procedoErrorOf } from "./sqlite-error.ts";
import type { PartResult, Transactor, WriteTurn } from "./transaction.ts";

/** Makes the writes of one turn of the event loop one transaction, with one write to disk. */
export interface Writer {
  /**
   * Runs the work in a transaction and resolves when it is durable. The work may run more than once: it changes nothing
   * but the database.
   *
   * @param environment the environment whose share of the writes this one counts to, if it counts to one
   * @throws ProcedoError `storage_unavailable`, after which nothing is known of the write
   */
  write<T>(work: (turn: WriteTurn) => T, environment?: Environment): Promise<T>;

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
