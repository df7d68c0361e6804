/**
 * Counts the requests in progress to each origin over kept connections. A connection that is being opened belongs to no
 * request: undici continues to open it after the abort of the request that it was begun for. When the last request to
 * the origin ends, the attempt is given up. No new request can be lost with it, because undici assigns a client only
 * one request before it has connected.
 */
export interface WaitingRequests {
  /** Counts one more request. @returns the function that ends it, to be called once */
  begin(origin: string): () => void;
  /** A signal that aborts when no request to this origin is in progress any more; `undefined` when none is now. */
  none(origin: string): AbortSignal | undefined;
}

interface Origin {
  count: number;
  /** Created when a connection is opened. A signal for each request would cost as much as sending the request. */
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
