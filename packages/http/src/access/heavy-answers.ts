import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { Clock } from "@procedo/engine";

/** Large answers under way, and their memory: each holds its values until its caller has taken it. */
export interface HeavyAnswers {
  /**
   * Takes a place, or waits for one, in the order of asking.
   *
   * @param key whose answer it is
   * @throws ProcedoError `rate_limited` when no place was free in time, or too many wait already
   */
  take(key: string, environment: Environment): Promise<HeavyAnswer>;
}

export interface HeavyAnswer {
  /**
   * Counts so much more memory for it.
   *
   * @throws ProcedoError `payload_too_large` when it alone takes more than its environment has, `rate_limited` when it does
   *   with the others
   */
  grow(bytes: number): void;
  /** Gives its place and its memory back; once, however often it is called. */
  leave(): void;
}

/** Of one key: a page that shows a run, and what is opened on it. */
export const heavyOfKey = 2;
/** Of all keys of an environment. */
export const heavyOfEnvironment = 4;
/**
 * Memory of all large answers of an environment, in bytes: a run's whole record of 32 MiB takes about 100 MiB. Both
 * environments together leave a heap of 1 GiB half.
 */
export const heavyBytesOfEnvironment = 256 * 1024 * 1024;
/** Requests of an environment that wait for a place. */
export const heavyWaiting = 32;
/** How long each waits; the work behind the answer has the rest of the request's time. */
export const heavyWaitMs = 1_500;
/** By then an answer of a few MiB has gone out. */
const retryAfterMs = 1_000;

interface Waiting {
  readonly key: string;
  readonly admit: () => void;
}

export function createHeavyAnswers(clock: Pick<Clock, "after">): HeavyAnswers {
  const ofKey = new Map<string, number>();
  const underWay: Record<Environment, number> = { sandbox: 0, live: 0 };
  const bytes: Record<Environment, number> = { sandbox: 0, live: 0 };
  const waiting: Record<Environment, Set<Waiting>> = { sandbox: new Set(), live: new Set() };

  const hasRoom = (key: string, environment: Environment): boolean =>
    underWay[environment] < heavyOfEnvironment && (ofKey.get(key) ?? 0) < heavyOfKey;

  const enter = (key: string, environment: Environment): HeavyAnswer => {
    underWay[environment] += 1;
    ofKey.set(key, (ofKey.get(key) ?? 0) + 1);
    let own = 0;
    let isHeld = true;
    const grow = (more: number): void => {
      if (!isHeld) return;
      if (own + more > heavyBytesOfEnvironment) throw tooLarge();
      if (bytes[environment] + more > heavyBytesOfEnvironment) throw busy();
      own += more;
      bytes[environment] += more;
    };
    const leave = (): void => {
      if (!isHeld) return;
      isHeld = false;
      bytes[environment] -= own;
      underWay[environment] -= 1;
      const left = (ofKey.get(key) ?? 1) - 1;
      if (left === 0) ofKey.delete(key);
      else ofKey.set(key, left);
      // A key that is for both environments may wait in the other one.
      for (const one of environments) {
        for (const next of waiting[one]) if (hasRoom(next.key, one)) next.admit();
      }
    };
    return { grow, leave };
  };

  return {
    take: async (key, environment) => {
      if (hasRoom(key, environment)) return enter(key, environment);
      const queue = waiting[environment];
      if (queue.size >= heavyWaiting) throw busy();
      return await new Promise((resolve, reject) => {
        const one: Waiting = {
          key,
          admit: () => {
            queue.delete(one);
            cancel();
            resolve(enter(key, environment));
          },
        };
        const cancel = clock.after(heavyWaitMs, () => {
          queue.delete(one);
          reject(busy());
        });
        queue.add(one);
      });
    },
  };
}

function busy(): ProcedoError {
  const message =
    `The limit on concurrent large answers was reached: ${heavyOfKey} per key and ${heavyOfEnvironment} per environment, ` +
    `with ${heavyBytesOfEnvironment} bytes of memory. Retry this request shortly.`;
  return new ProcedoError("rate_limited", message, { retryAfterMs });
}

function tooLarge(): ProcedoError {
  const message =
    `The answer needs more than ${heavyBytesOfEnvironment} bytes of memory. Request a smaller part of the run, or read the ` +
    "run with the procedo command on the service's machine.";
  return new ProcedoError("payload_too_large", message);
}
