import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { listKey, oneKey } from "../api/query-keys.ts";

export function proceduresPages(environment: Environment) {
  return infiniteQueryOptions({
    queryKey: listKey("procedure", environment, "pages"),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET("/api/v1/procedures", {
          params: { query: { environment, limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

export function procedureById(environment: Environment, procedureId: string) {
  return queryOptions({
    queryKey: oneKey("procedure", environment, procedureId),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/procedures/{procedureId}", { params: { path: { procedureId }, query: { environment } } }),
      ),
  });
}
