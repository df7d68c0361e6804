import { ProcedoError, type Environment } from "@procedo/contract";
import { createUsageLimiter } from "./usage-limiter.ts";

/**
 * Limits the requests that wait longer than a storage operation: requests held open (synchronous starts and polls of
 * private connections' clients) and requests that wait for an external service. Each occupies a socket, and both
 * environments share the sockets.
 */
export interface WaitLimiter {
  /**
   * Counts one more waiting request.
   *
   * @param key the key or token of the request
   * @returns releases the place; idempotent
   * @throws ProcedoError `rate_limited` when the key or the environment is at its limit
   */
  take(key: string, environment: Environment): () => void;
}

export const longWaitsOfKey = 2_000;
/** Leaves one fifth of the default 10,000 sockets for requests that are answered at once. */
export const longWaitsOfEnvironment = 4_000;

/** Each such request may also hold an outgoing socket, or memory for a document. */
export const outsideWaitsOfKey = 128;
export const outsideWaitsOfEnvironment = 256;

/** Streams of changes: one per open page of a person. */
export const streamsOfKey = 20;
export const streamsOfEnvironment = 2_000;

const retryAfterMs = 1_000;

export function createWaitLimiter(): WaitLimiter {
  const message =
    `The limit on open waiting requests was reached: ${longWaitsOfKey} per key and ${longWaitsOfEnvironment} per ` +
    "environment. Start runs with executionMode async, or retry this request shortly.";
  return createLimiter(longWaitsOfKey, longWaitsOfEnvironment, message);
}

/**
 * Counts requests that wait for an external service: a name lookup, the server of a document, the test of a connection.
 */
export function createOutsideWaitLimiter(): WaitLimiter {
  const message =
    `The limit on requests that wait for name lookups, documents or connection tests was reached: ${outsideWaitsOfKey} ` +
    `per key and ${outsideWaitsOfEnvironment} per environment. Retry this request shortly.`;
  return createLimiter(outsideWaitsOfKey, outsideWaitsOfEnvironment, message);
}

/** Counts streams of changes. */
export function createStreamLimiter(): WaitLimiter {
  const message =
    `The limit on streams of changes was reached: ${streamsOfKey} per key or person and ${streamsOfEnvironment} per ` +
    "environment. Close one, or retry this request shortly.";
  return createLimiter(streamsOfKey, streamsOfEnvironment, message);
}

function createLimiter(perKey: number, perGroup: number, message: string): WaitLimiter {
  const begin = createUsageLimiter({ perKey, perGroup });
  return {
    take: (key, environment) => {
      const usage = begin(key, environment);
      if (usage.set(1) !== undefined) throw new ProcedoError("rate_limited", message, { retryAfterMs });
      return usage.release;
    },
  };
}
