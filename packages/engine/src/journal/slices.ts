import type { Clock } from "../ports/clock.ts";

/**
 * Long work on the event loop, in pieces. Each turn of the event loop does one piece of all long work under way, so
 * that other work waits for one piece at a time, regardless of the amount of long work.
 */
export interface Slices {
  /** Resolves when the next piece may be done, in the order of the calls. */
  next(): Promise<void>;
}

/** Size of a piece of a journal. A longer row is a piece of its own. */
export const sliceBytes = 128 * 1024;

/** Makes slices of long work: each waits for its own turn of the event loop, in the order of the calls. */
export function createSlices(clock: Pick<Clock, "soon">): Slices {
  const waiting: (() => void)[] = [];

  const turn = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) clock.soon(turn);
  };

  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) clock.soon(turn);
      }),
  };
}
