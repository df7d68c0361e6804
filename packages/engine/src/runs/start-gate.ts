import { ProcedoError, type Environment } from "@procedo/contract";

/**
 * Lets starts pass a few at a time, in the order in which they came, and each environment by itself: a flood of one waits in
 * a row of its own while a start of the other is begun at once. The row is bounded, as each start in it holds its data in
 * memory.
 */
export interface StartGate {
  /**
   * Runs work that counts as a start.
   *
   * @throws ProcedoError `rate_limited` when this environment has as many under way as it may, `overloaded` when all of
   *   the process has; nothing was begun then
   */
  pass<T>(environment: Environment, start: () => Promise<T>): Promise<T>;
}

/** What a flush of the committer holds: more of them would gather sooner than they are written. */
const atOnce = 128;

/** Those that wait included. */
const maxOfEnvironment = 1_024;

/** An environment that floods leaves half as much to the other. */
const maxOfAll = 1_536;

/** Starts are durable within milliseconds; whoever comes again after so long finds room, or is told so again. */
const retryAfterMs = 1_000;

interface Side {
  working: number;
  readonly waiting: (() => void)[];
}

export function createStartGate(): StartGate {
  const sides: Record<Environment, Side> = {
    sandbox: { working: 0, waiting: [] },
    live: { working: 0, waiting: [] },
  };
  const underWay = ({ working, waiting }: Side): number => working + waiting.length;

  const refuseMore = (environment: Environment): void => {
    if (underWay(sides[environment]) >= maxOfEnvironment) {
      const message = `There are ${maxOfEnvironment} starts of ${environment} under way. Send this one again a little later.`;
      throw new ProcedoError("rate_limited", message, { retryAfterMs });
    }
    if (underWay(sides.sandbox) + underWay(sides.live) >= maxOfAll) {
      const message = `There are ${maxOfAll} starts under way. Send this one again a little later, or start another node.`;
      throw new ProcedoError("overloaded", message, { retryAfterMs });
    }
  };

  return {
    pass: async (environment, start) => {
      refuseMore(environment);
      const side = sides[environment];
      // Whoever leaves hands the place on, so that nobody who has just come takes it.
      if (side.working < atOnce) side.working += 1;
      else await new Promise<void>((resolve) => side.waiting.push(resolve));
      try {
        return await start();
      } finally {
        const next = side.waiting.shift();
        if (next === undefined) side.working -= 1;
        else next();
      }
    },
  };
}
