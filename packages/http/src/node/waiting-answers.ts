import type { Environment } from "@procedo/contract";
import type { AnswerOwner } from "../request/http-request.ts";

/**
 * Bytes of answers that wait in this process because their callers do not take them. Bytes that the operating system has
 * taken are its own and are not counted.
 */
export interface WaitingAnswers {
  /**
   * Counts an answer that waits.
   *
   * @param owner `undefined`: no key has been recognized
   * @param bytes bytes of it that are held
   * @returns gives the room back, once, however often it is called; `undefined` when there is no room, and the
   *   connection is to be closed
   */
  take(owner: AnswerOwner | undefined, bytes: number): (() => void) | undefined;
}

const mebibyte = 1024 * 1024;

/** A text and its copy for the socket take up to four times as much. */
export const waitingBytesOfKey = 8 * mebibyte;
/** Each environment has its own, so that neither can take the other's. */
export const waitingBytesOfEnvironment = 16 * mebibyte;
/** Errors, health and the OpenAPI document. With both environments 36 MiB in all. */
export const waitingBytesWithoutKey = 4 * mebibyte;

/** Least that an answer counts: its connection with parser and request. It bounds the connections, to 512 of a key. */
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
