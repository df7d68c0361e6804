import { ProcedoError, type Environment } from "@procedo/contract";

/** Memory for the bodies of current requests, counted as they arrive. A declared length reserves no memory. */
export interface BodyRoom {
  /**
   * Reserves a place for a body before any of it is read. A request that announces no body needs no room, so that a key
   * can still be deleted when its requests fill all of the memory.
   *
   * @param key the key or token that sends the body
   * @param isAnnounced whether the request announces a body
   * @throws ProcedoError `rate_limited` when the bodies of this key or this environment fill their share, `overloaded`
   *   when the bodies of both environments fill the limit of the process
   */
  take(key: string, environment: Environment, isAnnounced: boolean): BodyPlace;
}

export interface BodyPlace {
  /** Sets the number of bytes that have arrived so far. @throws ProcedoError as {@link BodyRoom.take} */
  coming(bytes: number): void;
  /** Sets the size of the complete body. @throws ProcedoError as {@link BodyRoom.take} */
  came(bytes: number): void;
  /** Releases the place. Idempotent. */
  leave(): void;
}

const mebibyte = 1024 * 1024;

/** A parsed body occupies several times its size in memory. */
export const bodyBytesOfEnvironment = 32 * mebibyte;
const bytesOfAll = 48 * mebibyte;
/** A key's only body may be larger, such as a document of 25 MiB. */
export const bodyBytesOfKey = bodyBytesOfEnvironment / 2;

/**
 * Minimum size counted for an incomplete body, for its socket, parser and headers. Limits bodies that never arrive to
 * 2,048 per key and 4,096 per environment.
 */
export const leastComingBytes = 8 * 1024;

/** A request with a small body ends within milliseconds. */
const retryAfterMs = 1_000;

export function createBodyRoom(): BodyRoom {
  const taken: Record<Environment, number> = { sandbox: 0, live: 0 };
  const ofKeys = new Map<string, number>();

  const check = (key: string, environment: Environment, own: number, more: number): void => {
    const ofKey = ofKeys.get(key) ?? 0;
    if (ofKey > own && ofKey + more > bodyBytesOfKey) {
      throw full("rate_limited", `The request bodies of this key fill their limit of ${bodyBytesOfKey} bytes.`);
    }
    if (taken[environment] + more > bodyBytesOfEnvironment) {
      throw full(
        "rate_limited",
        `The request bodies of ${environment} fill their limit of ${bodyBytesOfEnvironment} bytes.`,
      );
    }
    if (taken.sandbox + taken.live + more > bytesOfAll) {
      throw full("overloaded", `The request bodies of both environments fill their limit of ${bytesOfAll} bytes.`);
    }
  };

  return {
    take: (key, environment, isAnnounced) => {
      let own = 0;
      let isLeft = false;
      const change = (bytes: number): void => {
        const more = bytes - own;
        if (isLeft || more === 0) return;
        if (more > 0) check(key, environment, own, more);
        own = bytes;
        taken[environment] += more;
        const ofKey = (ofKeys.get(key) ?? 0) + more;
        if (ofKey === 0) ofKeys.delete(key);
        else ofKeys.set(key, ofKey);
      };
      if (isAnnounced) change(leastComingBytes);
      return {
        coming: (bytes) => change(Math.max(bytes, leastComingBytes)),
        came: change,
        leave: () => {
          change(0);
          isLeft = true;
        },
      };
    },
  };
}

function full(code: "rate_limited" | "overloaded", message: string): ProcedoError {
  return new ProcedoError(code, `${message} Retry this request shortly.`, { retryAfterMs });
}
