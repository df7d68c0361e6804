import type { Environment } from "@procedo/contract";
import type { AnswerOwner } from "../request/http-request.ts";

/**
 * Bytes of answers that wait in this process because their callers do not read them. Bytes that the operating system
 * has accepted are not counted.
 */
export interface WaitingAnswers {
  /**
   * Counts a waiting answer.
   *
   * @param owner `undefined` when no key was recognized
   * @param bytes unsent bytes of the answer
   * @returns releases the bytes, idempotent; `undefined` when the limit is reached and the connection must be closed
   */
  take(owner: AnswerOwner | undefined, bytes: number): (() => void) | undefined;
}

const mebibyte = 1024 * 1024;

/** An answer's text and its copy for the socket take up to four times this memory. */
export const waitingBytesOfKey = 8 * mebibyte;
/** Separate per environment, so that neither can exhaust the other's share. */
export const waitingBytesOfEnvironment = 16 * mebibyte;
/** For errors, health checks and the OpenAPI document. Together with both environments, 36 MiB. */
export const waitingBytesWithoutKey = 4 * mebibyte;

/**
 * Minimum size counted for an answer, for its connection, parser and request. Limits such connections to 512 per key.
 */
export const leastWaitingBytes = 16 * 1024;

export function createWaitingAnswers(): WaitingAnswers {
  const ofKeys = new Map<string, number>();
  const taken: Record<Environment | "none", number> = { sandbox: 0, live: 0, none: 0 };
  return {
    take: (owner, bytes) => {
      const more = Math.max(bytes, leastWaitingBytes);
      const share = owner?.environment ?? "none";
      const ofShare = owner === undefined ? waitingBytesWithoutKey : waitingBytesOfEnvironment;
      const key = owner?.key;
      const ofKey = key === undefined ? 0 : (ofKeys.get(key) ?? 0);
      if (taken[share] + more > ofShare || ofKey + more > waitingBytesOfKey) return undefined;
      taken[share] += more;
      if (key !== undefined) ofKeys.set(key, ofKey + more);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        taken[share] -= more;
        if (key === undefined) return;
        const left = (ofKeys.get(key) ?? more) - more;
        if (left === 0) ofKeys.delete(key);
        else ofKeys.set(key, left);
      };
    },
  };
}
