import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, hasCode, isRetryable } from "./api-error.ts";

const attempts = 3;
const longestRetryMs = 10_000;

export interface QueryClientOptions {
  /** A read was refused because the session has ended. */
  readonly onSignedOut: () => void;
}

/**
 * The earlier answer if the later one has the same text, so that nothing is drawn again. The library's own way merges
 * both answers, and loses members named `__proto__`, which a reviewer would not see.
 */
export function sameOrAfter(before: unknown, after: unknown): unknown {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

export function createQueryClient({ onSignedOut }: QueryClientOptions): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== "session" && hasCode(error, "unauthorized")) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        // Without a network a read fails, and the page says so.
        networkMode: "always",
        // The stream of changes tells when something is outdated.
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        structuralSharing: sameOrAfter,
        retry: (failures, error) => failures < attempts && isRetryable(error),
        retryDelay: (failures, error) =>
          (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(longestRetryMs, 500 * 2 ** failures),
      },
      // A change is sent when the person asks for it: never a second time on its own, and never later, with the network.
      // The closed form leaves no trace of its entries and of the answer, such as a password or a secret link.
      mutations: { retry: false, networkMode: "always", gcTime: 0 },
    },
  });
}
