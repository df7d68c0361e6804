import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { Clock } from "@procedo/engine";
import { createUsageLimiter } from "./usage-limiter.ts";

/** Limits the large answers in progress, and their memory. Each answer holds its values until the caller has received it. */
export interface HeavyAnswerLimiter {
  /**
   * Takes a place, or waits for one in first-come order.
   *
   * @param key the key or person that requested the answer
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

export function createHeavyAnswerLimiter(clock: Pick<Clock, "after">): HeavyAnswerLimiter {
  const beginPlace = createUsageLimiter({ perKey: heavyOfKey, perGroup: heavyOfEnvironment });
  const beginBytes = createUsageLimiter({ perKey: Infinity, perGroup: heavyBytesOfEnvironment });
  /** Each admits its request if a place is free. */
  const waiting: Record<Environment, Set<() => void>> = { sandbox: new Set(), live: new Set() };

  const enter = (key: string, environment: Environment): HeavyAnswer | undefined => {
    const place = beginPlace(key, environment);
    if (place.set(1) !== undefined) return undefined;
    const bytes = beginBytes(key, environment);
    let own = 0;
    return {
      grow: (more) => {
        if (own + more > heavyBytesOfEnvironment) throw tooLarge();
        if (bytes.set(own + more) !== undefined) throw busy();
        own += more;
      },
      leave: () => {
        bytes.release();
        place.release();
        // A key for both environments may also wait in the other environment.
        for (const one of environments) for (const admit of waiting[one]) admit();
      },
    };
  };

  return {
    take: async (key, environment) => {
      const entered = enter(key, environment);
      if (entered !== undefined) return entered;
      const queue = waiting[environment];
      if (queue.size >= heavyWaiting) throw busy();
      return await new Promise((resolve, reject) => {
        const admit = (): void => {
          const admitted = enter(key, environment);
          if (admitted === undefined) return;
          queue.delete(admit);
          cancel();
          resolve(admitted);
        };
        const cancel = clock.after(heavyWaitMs, () => {
          queue.delete(admit);
          reject(busy());
        });
        queue.add(admit);
      });
    },
  };
}

function busy(): ProcedoError {
  const message =
    `The limit on concurrent large answers was reached: ${heavyOfKey} per key or person and ${heavyOfEnvironment} per environment, ` +
    `with ${heavyBytesOfEnvironment} bytes of memory. Retry this request shortly.`;
  return new ProcedoError("rate_limited", message, { retryAfterMs });
}

function tooLarge(): ProcedoError {
  const message =
    `The answer needs more than ${heavyBytesOfEnvironment} bytes of memory. Request a smaller part of the run, or read the ` +
    "run with the procedo command on the service's machine.";
  return new ProcedoError("payload_too_large", message);
}
