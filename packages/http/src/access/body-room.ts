import { ProcedoError, type Environment } from "@procedo/contract";

/** Memory for the bodies of requests under way, counted as they arrive. A declared length reserves nothing. */
export interface BodyRoom {
  /**
   * Gives a body a place before any of it is read. A request that announces none takes no room: the deletion of a key has
   * to succeed when requests of that key fill all of it.
   *
   * @param key the key or token that sends it
   * @param isAnnounced whether the request says that it has a body
   * @throws ProcedoError `rate_limited` when the bodies of this key or this environment fill their share, `overloaded`
   *   when those of both environments fill the process's
   */
  take(key: string, environment: Environment, isAnnounced: boolean): BodyPlace;
}

export interface BodyPlace {
  /** Counts the bytes that have arrived so far. @throws ProcedoError as {@link BodyRoom.take} */
  coming(bytes: number): void;
  /** Counts the body, which has arrived whole. @throws ProcedoError as {@link BodyRoom.take} */
  came(bytes: number): void;
  /** Gives the place back; once, however often it is called. */
  leave(): void;
}

const mebibyte = 1024 * 1024;

/** A body takes several times its size once it is parsed. */
export const bodyBytesOfEnvironment = 32 * mebibyte;
const bytesOfAll = 48 * mebibyte;
/** A single body may be larger, such as a document of 25 MiB, while its key sends no other. */
export const bodyBytesOfKey = bodyBytesOfEnvironment / 2;

/**
 * Least that a body counts until it has arrived whole: its socket, parser and headers. It bounds the bodies that never
 * come, to 2,048 of a key and 4,096 of an environment.
 */
export const leastComingBytes = 8 * 1024;

/** A request whose body is small is over within milliseconds. */
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
