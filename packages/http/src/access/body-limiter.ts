import { ProcedoError, type Environment } from "@procedo/contract";
import { createUsageLimiter } from "./usage-limiter.ts";

/** Limits the memory of the bodies of current requests, counted as they arrive. A declared length reserves no memory. */
export interface BodyLimiter {
  /**
   * Reserves a place for a body before any of it is read. A request that announces no body needs no room, so that a key
   * can still be deleted when its requests fill all of the memory.
   *
   * @param key the key, person or token that sends the body
   * @param environment `undefined` for a request that concerns the workspace as a whole
   * @param isAnnounced whether the request announces a body
   * @throws ProcedoError `rate_limited` when the bodies of this key or this environment fill their share, `overloaded`
   *   when the bodies of both environments fill the limit of the process
   */
  take(key: string, environment: Environment | undefined, isAnnounced: boolean): BodyUsage;
}

export interface BodyUsage {
  /** Sets the number of bytes that have arrived so far. @throws ProcedoError as {@link BodyLimiter.take} */
  coming(bytes: number): void;
  /** Sets the size of the complete body. @throws ProcedoError as {@link BodyLimiter.take} */
  came(bytes: number): void;
  /** Releases the place. Idempotent. */
  leave(): void;
}

/** The group of requests that concern no environment. */
const workspace = "the workspace";

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

export function createBodyLimiter(): BodyLimiter {
  const begin = createUsageLimiter({
    perKey: bodyBytesOfKey,
    perGroup: bodyBytesOfEnvironment,
    total: bytesOfAll,
    allowsOneLarge: true,
  });
  return {
    take: (key, environment, isAnnounced) => {
      const usage = begin(key, environment ?? workspace);
      const set = (bytes: number): void => {
        const exceeded = usage.set(bytes);
        if (exceeded !== undefined) throw refusal(exceeded, environment ?? workspace);
      };
      if (isAnnounced) set(leastComingBytes);
      return {
        coming: (bytes) => set(Math.max(bytes, leastComingBytes)),
        came: set,
        leave: usage.release,
      };
    },
  };
}

function refusal(exceeded: "key" | "group" | "total", group: string): ProcedoError {
  const [whose, bytes] = {
    key: ["this key", bodyBytesOfKey],
    group: [group, bodyBytesOfEnvironment],
    total: ["the whole service", bytesOfAll],
  }[exceeded];
  const message = `The request bodies of ${whose} fill their limit of ${bytes} bytes. Retry this request shortly.`;
  return new ProcedoError(exceeded === "total" ? "overloaded" : "rate_limited", message, { retryAfterMs });
}
