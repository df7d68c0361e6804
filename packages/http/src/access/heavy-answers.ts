import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { Clock } from "@procedo/engine";

/** Large answers in progress, and their memory. Each answer holds its values until the caller has received it. */
export interface HeavyAnswers {
  /**
   * Takes a place, or waits for one in first-come order.
   *
   * @param key the key that requested the answer
   * @throws ProcedoError `rate_limited` when no place became free in time, or too many requests wait already
   */
  take(key: string, environment: Environment): Promise<HeavyAnswer>;
}

export interface HeavyAnswer {
  /**
   * Adds `bytes` to the memory of the answer.
   *
   * @throws ProcedoError `payload_too_large` when the answer alone exceeds the environment's memory, `rate_limited`
   *   when it does so together with other answers
   */
  grow(bytes: number): void;
  /** Releases the place and the memory. Idempotent. */
  leave(): void;
}

/** Per key: one for a page that shows a run, one for a detail opened on that page. */
export const heavyOfKey = 2;
/** Per environment, for all of its keys. */
export const heavyOfEnvironment = 4;
/**
 * Memory for all large answers of an environment, in bytes. The complete record of a run, 32 MiB, needs about 100 MiB.
 * Both environments together use at most half of a heap of 1 GiB.
 */
export const heavyBytesOfEnvironment = 256 * 1024 * 1024;
/** Maximum number of requests per environment that wait for a place. */
export const heavyWaiting = 32;
/** Longest wait for a place. The remaining time of the request is left for its work. */
export const heavyWaitMs = 1_500;
/** Long enough to send an answer of a few MiB. */
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
      // A key for both environments may also wait in the other environment.
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
