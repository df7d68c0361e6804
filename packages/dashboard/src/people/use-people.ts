import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import { listKey } from "../api/query-keys.ts";

export const peoplePages = infiniteQueryOptions({
  queryKey: listKey("person", "workspace"),
  queryFn: ({ pageParam }) =>
    answerOf(
      api.GET("/api/v1/people", {
        params: { query: { limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export const openInvitations = queryOptions({
  queryKey: listKey("person", "workspace", "invitations"),
  queryFn: () => answerOf(api.GET("/api/v1/people/invitations", { params: { query: { limit: 100 } } })),
});
