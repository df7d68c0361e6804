import { QueryClient } from "@tanstack/react-query";
import { ApiError, isRetryable } from "./api-error.ts";

const attempts = 3;
const longestRetryMs = 10_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The stream of changes tells when something is outdated.
        staleTime: 60_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < attempts && isRetryable(error),
        retryDelay: (failures, error) =>
          (error instanceof ApiError ? error.retryAfterMs : undefined) ?? Math.min(longestRetryMs, 500 * 2 ** failures),
      },
      // A change is never sent twice on its own.
      mutations: { retry: false },
    },
  });
}
