import { ProcedoError } from "@procedo/contract";
import type { Clock } from "@procedo/engine";
import type { Deadlines } from "./deadlines.ts";

/** A caller is answered within 5 s, whatever does not answer behind: half a second is for the ways, on a busy machine. */
const longestMs = 4_500;

/** Time for the work behind one request; a request that waits for its run gives notice that it takes longer. */
export interface InTime {
  /** @throws ProcedoError `storage_unavailable` when the work takes too long; it goes on nevertheless */
  wait<T>(work: Promise<T>): Promise<T>;
  /** Ends the waiting with an error; the work goes on nevertheless. */
  end(error: Error): void;
  /** From now on the work takes as long as its caller has asked for. */
  hold(): void;
  /** Whether the waiting was ended before the work was. */
  readonly isGivenUp: boolean;
  /** The work may take so much longer. */
  extend(ms: number): void;
  /** While something outside is waited for, which has a time limit of its own, this one's stands still. */
  outside(isOutside: boolean): void;
}

export function createInTime(clock: Pick<Clock, "monotonic">, deadlines: Deadlines): InTime {
  let leftMs = longestMs;
  let isHeld = false;
  let isGivenUp = false;
  /** Several things may be waited for at once. */
  let outside = 0;
  /** Of the work that is waited for. */
  let giveUp: ((error: Error) => void) | undefined;
  /** Stops the time that runs. */
  let stop = (): void => {};

  const run = (): void => {
    if (giveUp === undefined || isHeld || outside > 0) return;
    stop();
    const sinceMs = clock.monotonic();
    const cancel = deadlines.set(Math.max(0, leftMs), () => giveUp?.(tooLate()));
    stop = () => {
      cancel();
      leftMs -= clock.monotonic() - sinceMs;
      stop = () => {};
    };
  };
  const over = (): void => {
    stop();
    giveUp = undefined;
  };

  return {
    get isGivenUp() {
      return isGivenUp;
    },
    wait: (work) =>
      new Promise((resolve, reject) => {
        giveUp = (error) => {
          isGivenUp = true;
          over();
          reject(error);
        };
        run();
        work.then(
          (value) => {
            over();
            resolve(value);
          },
          (error: unknown) => {
            over();
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      }),
    end: (error) => giveUp?.(error),
    hold: () => {
      isHeld = true;
      stop();
    },
    extend: (ms) => {
      stop();
      leftMs += ms;
      run();
    },
    outside: (isOutside) => {
      outside += isOutside ? 1 : -1;
      if (isOutside) stop();
      else run();
    },
  };
}

function tooLate(): ProcedoError {
  const message =
    "The service did not answer within 5 seconds: it or its storage is slow. What was asked for may have been done or not: " +
    "send it again, a start with the same Idempotency-Key.";
  return new ProcedoError("storage_unavailable", message);
}
