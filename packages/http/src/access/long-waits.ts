import { ProcedoError, type Environment } from "@procedo/contract";

/**
 * Requests that wait for longer than storage takes: those that are held open (synchronous starts, and polls of private
 * connections' clients), or those that wait for something outside. Each keeps a socket, and sockets are shared by both
 * environments.
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

/** Each of them may have a socket of its own open outside, or memory for a document. */
export const outsideWaitsOfKey = 128;
export const outsideWaitsOfEnvironment = 256;

const retryAfterMs = 1_000;

export function createLongWaits(): LongWaits {
  const message =
    `The limit on open waiting requests was reached: ${longWaitsOfKey} per key and ${longWaitsOfEnvironment} per ` +
    "environment. Start runs with executionMode async, or retry this request shortly.";
  return createWaits(longWaitsOfKey, longWaitsOfEnvironment, message);
}

/** Requests that wait for something outside: a name's addresses, a document's server, the test of a connection. */
export function createOutsideWaits(): LongWaits {
  const message =
    `The limit on requests that wait for name lookups, documents or connection tests was reached: ${outsideWaitsOfKey} ` +
    `per key and ${outsideWaitsOfEnvironment} per environment. Retry this request shortly.`;
  return createWaits(outsideWaitsOfKey, outsideWaitsOfEnvironment, message);
}

function createWaits(mostOfKey: number, mostOfEnvironment: number, message: string): LongWaits {
  const ofKeys = new Map<string, number>();
  const taken: Record<Environment, number> = { sandbox: 0, live: 0 };
  return {
    take: (key, environment) => {
      const ofKey = ofKeys.get(key) ?? 0;
      if (ofKey >= mostOfKey || taken[environment] >= mostOfEnvironment) {
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
