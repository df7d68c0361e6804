import { ProcedoError } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";

/**
 * Runs work that hashes a password, two at a time: each hash occupies 32 MiB and a thread. Further work waits in order.
 *
 * @throws ProcedoError `rate_limited` when the turn did not come within 5 seconds
 */
export type HashTurns = <T>(work: () => Promise<T>) => Promise<T>;

const most = 2;
const maxWaitMs = 5_000;

export function createHashTurns(clock: Pick<Clock, "after">): HashTurns {
  const waiting = new Set<() => void>();
  let busy = 0;

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        waiting.delete(begin);
        cancel();
        resolve();
      };
      const cancel = clock.after(maxWaitMs, () => {
        waiting.delete(begin);
        const message = "Too many people sign in at this moment. Try again shortly.";
        reject(new ProcedoError("rate_limited", message, { retryAfterMs: maxWaitMs }));
      });
      waiting.add(begin);
    });

  return async (work) => {
    // Work that begins takes over the place of the work that ended.
    if (busy >= most) await turn();
    else busy++;
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next === undefined) busy--;
      else next();
    }
  };
}
