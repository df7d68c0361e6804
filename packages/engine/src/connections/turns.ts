import { ProcedoError, type Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";

/**
 * The turns of one environment. One works at a time, of both environments: reading a large document takes a second of the
 * process and a hundred megabytes.
 */
export interface Turns {
  /**
   * Waits for its turn.
   *
   * @param maxWaiting a caller is refused when so many of its environment wait @defaultValue none is
   * @throws ProcedoError `overloaded`
   */
  take(maxWaiting?: number): Promise<Turn>;
}

export interface Turn {
  /** Lets others work while this one waits for somebody else, and takes the turn again. */
  lend<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}

const retryAfterMs = 5_000;

/** Where both environments wait they take turns, so that documents of one hold up the other for one turn at a time. */
export function createTurns(clock: Pick<Clock, "soon">): Readonly<Record<Environment, Turns>> {
  const waiting: Readonly<Record<Environment, (() => void)[]>> = { sandbox: [], live: [] };
  let taken = false;
  let last: Environment = "sandbox";

  const enter = async (environment: Environment): Promise<void> => {
    if (taken) await new Promise<void>((resolve) => void waiting[environment].push(resolve));
    taken = true;
    last = environment;
  };
  const leave = (): void => {
    // Whatever else became ready meanwhile goes first.
    clock.soon(() => {
      const other = last === "sandbox" ? "live" : "sandbox";
      const next = waiting[other].shift() ?? waiting[last].shift();
      if (next === undefined) taken = false;
      else next();
    });
  };

  const turnsOf = (environment: Environment): Turns => ({
    take: async (maxWaiting = Infinity) => {
      if (waiting[environment].length >= maxWaiting) {
        const message = `${maxWaiting} documents are waiting to be read. Send this one a little later.`;
        throw new ProcedoError("overloaded", message, { retryAfterMs });
      }
      await enter(environment);
      return {
        lend: async (wait) => {
          leave();
          try {
            return await wait();
          } finally {
            await enter(environment);
          }
        },
        end: leave,
      };
    },
  });
  return { sandbox: turnsOf("sandbox"), live: turnsOf("live") };
}
