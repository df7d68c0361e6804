import { ProcedoError, type Environment } from "@procedo/contract";

/**
 * Bounds the starts in progress, per environment: some run at once, the others queue in the order of their arrival. A
 * flood of one environment does not delay a start of the other. The queue is bounded, because a queued start holds its
 * data in memory.
 */
export interface StartLimiter {
  /**
   * Runs `start` when its turn comes.
   *
   * @throws ProcedoError `rate_limited` when this environment has its maximum of starts in progress, `overloaded` when
   *   the process has; `start` was not called
   */
  run<T>(environment: Environment, start: () => Promise<T>): Promise<T>;
}

/**
 * Starts of one environment that run at once: docs/performance/runs.md#constants. Storage commits no more rows
 * together.
 */
const maxRunning = 128;

/** Starts of one environment, running and queued. */
const maxOfEnvironment = 1_024;

/** Starts of both environments. A flooded environment leaves half as many to the other one. */
const maxOfAll = 1_536;

/** Starts are durable within milliseconds, so a second makes room. */
const retryAfterMs = 1_000;

interface Side {
  running: number;
  readonly queue: (() => void)[];
}

export function createStartLimiter(): StartLimiter {
  const sides: Record<Environment, Side> = {
    sandbox: { running: 0, queue: [] },
    live: { running: 0, queue: [] },
  };
  const underWay = ({ running, queue }: Side): number => running + queue.length;

  const refuseMore = (environment: Environment): void => {
    if (underWay(sides[environment]) >= maxOfEnvironment) {
      const message = `There are ${maxOfEnvironment} starts of ${environment} in progress. Retry this start a little later.`;
      throw new ProcedoError("rate_limited", message, { retryAfterMs });
    }
    if (underWay(sides.sandbox) + underWay(sides.live) >= maxOfAll) {
      const message = `There are ${maxOfAll} starts in progress. Retry this start a little later, or start another node.`;
      throw new ProcedoError("overloaded", message, { retryAfterMs });
    }
  };

  return {
    run: async (environment, start) => {
      refuseMore(environment);
      const side = sides[environment];
      if (side.running < maxRunning) side.running += 1;
      else await new Promise<void>((resolve) => side.queue.push(resolve));
      try {
        return await start();
      } finally {
        // The slot passes straight to the next in the queue, so that a newcomer cannot jump it.
        const next = side.queue.shift();
        if (next === undefined) side.running -= 1;
        else next();
      }
    },
  };
}
