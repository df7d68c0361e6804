import { ProcedoError, type Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";

/**
 * Limits the reading of documents to one at a time across both environments, because reading a large document takes a
 * second of the process and a hundred megabytes. Each environment has its own mutex.
 */
export interface Mutex {
  /**
   * Waits until the lock is free.
   *
   * @param maxWaiting the caller is refused when this many callers of its environment wait @defaultValue unlimited
   * @throws ProcedoError `overloaded`
   */
  acquire(maxWaiting?: number): Promise<Lock>;
}

export interface Lock {
  release(): void;
  /** Waits for the lock again after a release, behind those that wait already. */
  reacquire(): Promise<void>;
}

const retryAfterMs = 5_000;

/**
 * The mutexes of both environments, over one lock. When both environments wait, the lock alternates between them, so that
 * documents of one delay the other by one document at a time.
 */
export function createMutexes(clock: Pick<Clock, "soon">): Readonly<Record<Environment, Mutex>> {
  const waiting: Readonly<Record<Environment, (() => void)[]>> = { sandbox: [], live: [] };
  let isHeld = false;
  let last: Environment = "sandbox";

  const enter = async (environment: Environment): Promise<void> => {
    if (isHeld) await new Promise<void>((resolve) => void waiting[environment].push(resolve));
    isHeld = true;
    last = environment;
  };
  const leave = (): void => {
    // Work that became ready while the lock was held runs first.
    clock.soon(() => {
      const other = last === "sandbox" ? "live" : "sandbox";
      const next = waiting[other].shift() ?? waiting[last].shift();
      if (next === undefined) isHeld = false;
      else next();
    });
  };

  const mutexOf = (environment: Environment): Mutex => ({
    acquire: async (maxWaiting = Infinity) => {
      if (waiting[environment].length >= maxWaiting) {
        const message = `${maxWaiting} documents are waiting to be read. Send the request again in ${retryAfterMs / 1_000} seconds.`;
        throw new ProcedoError("overloaded", message, { retryAfterMs });
      }
      await enter(environment);
      return { release: leave, reacquire: () => enter(environment) };
    },
  });
  return { sandbox: mutexOf("sandbox"), live: mutexOf("live") };
}
