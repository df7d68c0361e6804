import { ProcedoError, type Environment } from "@procedo/contract";

/**
 * Requests that are held open: synchronous starts, and polls of private connections' clients. Each keeps a socket, and
 * sockets are shared by both environments.
 */
export interface LongWaits {
  /**
   * Counts one more.
   *
   * @param key the key or token that waits
   * @returns gives the place back; once, however often it is called
   * @throws ProcedoError `rate_limited` when the key or the environment has as many as it may have
   */
  take(key: string, environment: Environment): () => void;
}

export const longWaitsOfKey = 2_000;
/** Both environments together leave a fifth of the default 10,000 sockets to requests that are answered at once. */
export const longWaitsOfEnvironment = 4_000;

const retryAfterMs = 1_000;

export function createLongWaits(): LongWaits {
  const ofKeys = new Map<string, number>();
  const taken: Record<Environment, number> = { sandbox: 0, live: 0 };
  return {
    take: (key, environment) => {
      const ofKey = ofKeys.get(key) ?? 0;
      if (ofKey >= longWaitsOfKey || taken[environment] >= longWaitsOfEnvironment) {
        const message =
          `Requests are being held open: ${longWaitsOfKey} of a key and ${longWaitsOfEnvironment} of an environment at ` +
          "most. Start runs with executionMode async, or send this request a little later.";
        throw new ProcedoError("rate_limited", message, { retryAfterMs });
      }
      ofKeys.set(key, ofKey + 1);
      taken[environment] += 1;
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        taken[environment] -= 1;
        const left = (ofKeys.get(key) ?? 1) - 1;
        if (left === 0) ofKeys.delete(key);
        else ofKeys.set(key, left);
      };
    },
  };
}
