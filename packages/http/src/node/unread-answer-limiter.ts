import { createUsageLimiter } from "../access/usage-limiter.ts";
import type { AnswerOwner } from "../request/http-request.ts";

/**
 * Limits the bytes of answers that wait in this process because their callers do not read them. Bytes that the operating
 * system has accepted are not counted.
 */
export interface UnreadAnswerLimiter {
  /**
   * Counts a waiting answer.
   *
   * @param owner `undefined` when no key or session was recognized
   * @param bytes unsent bytes of the answer
   * @returns releases the bytes, idempotent; `undefined` when the limit is reached and the connection must be closed
   */
  take(owner: AnswerOwner | undefined, bytes: number): (() => void) | undefined;
}

const mebibyte = 1024 * 1024;

/** An answer's text and its copy for the socket take up to four times this memory. */
export const waitingBytesOfKey = 8 * mebibyte;
/**
 * Separate per environment, so that neither can exhaust the other's share; and for requests that concern no environment.
 */
export const waitingBytesOfEnvironment = 16 * mebibyte;
/** For errors, health checks, sign-ins and the OpenAPI document. Together with all others, 52 MiB. */
export const waitingBytesWithoutKey = 4 * mebibyte;

/**
 * Minimum size counted for an answer, for its connection, parser and request. Limits such connections to 512 per key.
 */
export const leastWaitingBytes = 16 * 1024;

export function createUnreadAnswerLimiter(): UnreadAnswerLimiter {
  const begin = createUsageLimiter({ perKey: waitingBytesOfKey, perGroup: waitingBytesOfEnvironment });
  const beginOwnerless = createUsageLimiter({ perKey: waitingBytesWithoutKey, perGroup: waitingBytesWithoutKey });
  return {
    take: (owner, bytes) => {
      const usage = owner === undefined ? beginOwnerless("", "") : begin(owner.key, owner.environment ?? "workspace");
      return usage.set(Math.max(bytes, leastWaitingBytes)) === undefined ? usage.release : undefined;
    },
  };
}
