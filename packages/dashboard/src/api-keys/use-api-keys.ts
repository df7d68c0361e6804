import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";

export type ApiKey = components["schemas"]["ApiKey"];

/** No event names the use of a key. */
const usedAgainMs = 30_000;

/** The API keys of an environment, a page at a time. */
export function apiKeyPages(environment: Environment) {
  return infiniteQueryOptions({
    queryKey: listKey("key", environment, "pages"),
    queryFn: ({ pageParam }) => {
      const query = { environment, limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) };
      return answerOf(api.GET("/api/v1/api-keys", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: usedAgainMs,
  });
}
