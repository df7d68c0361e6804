/**
 * Requests that are under way to each origin, by connections that are kept. A connection that is being opened belongs to no
 * request: undici goes on opening it when the request that it was begun for is aborted. With the last of them it is given up. A
 * request that comes in that moment is not sent over it: undici gives a client that has been given a request no other one
 * before it is connected.
 */
export interface WaitingRequests {
  /** One more is under way. @returns that it has ended; to be called once */
  begin(origin: string): () => void;
  /** Gives notice when none is under way to this origin any more. `undefined`: none is now. */
  none(origin: string): AbortSignal | undefined;
}

interface Origin {
  count: number;
  /** Made when a connection is opened: a signal for each request would cost as much as sending it. */
  none: AbortController | undefined;
}

export function createWaitingRequests(): WaitingRequests {
  const origins = new Map<string, Origin>();
  return {
    begin: (name) => {
      const origin = origins.get(name) ?? { count: 0, none: undefined };
      origins.set(name, origin);
      origin.count++;
      return () => {
        if (--origin.count > 0) return;
        origins.delete(name);
        origin.none?.abort();
      };
    },
    none: (name) => {
      const origin = origins.get(name);
      if (origin !== undefined) origin.none ??= new AbortController();
      return origin?.none?.signal;
    },
  };
}
