import { ProcedoError } from "@procedo/contract";
import type { Clock } from "@procedo/engine";

/** A caller is answered within 5 s, whatever does not answer behind: the rest is for the answer's own way. */
const longestMs = 4_800;

/** Time for the work behind one request; a request that waits for its run gives notice that it takes longer. */
export interface InTime {
  /** @throws ProcedoError `storage_unavailable` when the work takes too long; it goes on nevertheless */
  wait<T>(work: Promise<T>): Promise<T>;
  /** From now on the work takes as long as its caller has asked for. */
  hold(): void;
}

export function createInTime(clock: Pick<Clock, "after" | "monotonic">): InTime {
  let leftMs = longestMs;
  let cancel = (): void => {};
  return {
    wait: (work) =>
      new Promise((resolve, reject) => {
        const sinceMs = clock.monotonic();
        const over = (): void => {
          cancel();
          leftMs -= clock.monotonic() - sinceMs;
        };
        cancel = clock.after(Math.max(0, leftMs), () => reject(tooLate()));
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
    hold: () => cancel(),
  };
}

function tooLate(): ProcedoError {
  const message =
    "No answer came within 5 seconds, most likely from storage. What was asked for may have been done or not: send it " +
    "again, a start with the same Idempotency-Key.";
  return new ProcedoError("storage_unavailable", message);
}
