import { ProcedoError } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";

/** Lets one work at a time: reading a large document takes a second of the process and a hundred megabytes. */
export interface Turns {
  /**
   * Waits for its turn.
   *
   * @param maxWaiting whoever comes when so many wait is refused @defaultValue nobody is
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

export function createTurns(clock: Pick<Clock, "soon">): Turns {
  const waiting: (() => void)[] = [];
  let taken = false;

  const enter = async (): Promise<void> => {
    if (taken) await new Promise<void>((resolve) => void waiting.push(resolve));
    taken = true;
  };
  const leave = (): void => {
    // Whatever else became ready meanwhile goes first.
    clock.soon(() => {
      const next = waiting.shift();
      if (next === undefined) taken = false;
      else next();
    });
  };

  return {
    take: async (maxWaiting = Infinity) => {
      if (waiting.length >= maxWaiting) {
        const message = `${maxWaiting} documents are waiting to be read. Send this one a little later.`;
        throw new ProcedoError("overloaded", message, { retryAfterMs });
      }
      await enter();
      return {
        lend: async (wait) => {
          leave();
          try {
            return await wait();
          } finally {
            await enter();
          }
        },
        end: leave,
      };
    },
  };
}
