import { ProcedoError, type Environment } from "@procedo/contract";

/** Memory for the bodies of requests that are under way: what does not fit is refused before it is read. */
export interface BodyRoom {
  /**
   * Sets memory aside for a body.
   *
   * @param declared its `Content-Length`; without one a guess counts until more has come
   * @param maxBytes what is larger is refused without being read
   * @throws ProcedoError `rate_limited` when this environment's bodies fill its share, `overloaded` when all is full
   */
  take(environment: Environment, declared: string | undefined, maxBytes: number): BodyPlace;
}

export interface BodyPlace {
  /** So much of the body has come, perhaps not all of it. @throws ProcedoError as {@link BodyRoom.take} */
  coming(bytes: number): void;
  /** The body has come, and is so large. @throws ProcedoError as {@link BodyRoom.take} */
  came(bytes: number): void;
  /** Nothing of the body is needed any more. */
  leave(): void;
}

const mebibyte = 1024 * 1024;

/** A body takes several times its size once it is parsed. A run that is waited for keeps its body until it is answered. */
const bytesOfEnvironment = 32 * mebibyte;
const bytesOfAll = 48 * mebibyte;

/** Most bodies are far smaller; what is larger than guessed is weighed as it comes. */
const guessedBytes = mebibyte / 16;

/** A request whose body is small is over within milliseconds. */
const retryAfterMs = 1_000;

export function createBodyRoom(): BodyRoom {
  const taken: Record<Environment, number> = { sandbox: 0, live: 0 };

  const grow = (environment: Environment, bytes: number): void => {
    if (bytes > 0 && taken[environment] + bytes > bytesOfEnvironment) {
      const message = `Requests of ${environment} with ${bytesOfEnvironment} bytes are under way. Send this one a little later.`;
      throw new ProcedoError("rate_limited", message, { retryAfterMs });
    }
    if (bytes > 0 && taken.sandbox + taken.live + bytes > bytesOfAll) {
      const message = `Requests with ${bytesOfAll} bytes are under way. Send this one a little later.`;
      throw new ProcedoError("overloaded", message, { retryAfterMs });
    }
    taken[environment] += bytes;
  };

  return {
    take: (environment, declared, maxBytes) => {
      let bytes = Math.min(declaredBytes(declared) ?? guessedBytes, maxBytes);
      grow(environment, bytes);
      const change = (now: number): void => {
        grow(environment, now - bytes);
        bytes = now;
      };
      return {
        coming: (now) => {
          if (now > bytes) change(now);
        },
        came: change,
        leave: () => change(0),
      };
    },
  };
}

function declaredBytes(declared: string | undefined): number | undefined {
  return declared !== undefined && /^\d+$/.test(declared) ? Number(declared) : undefined;
}
