import type { Clock } from "../ports/clock.ts";

/**
 * Long work on the one event loop, in pieces: of all that is under way one piece is done in each turn of the loop, so that
 * everything else is kept waiting for one piece at a time, however much long work there is.
 */
export interface Slices {
  /** Resolves when the next piece may be done, in the order of asking. */
  next(): Promise<void>;
}

/** How much of a journal a piece takes. A longer row is a piece of its own. */
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
