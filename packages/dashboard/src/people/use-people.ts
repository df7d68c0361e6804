import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { listKey, oneKey } from "../api/query-keys.ts";

type ApiKey = components["schemas"]["ApiKey"];

/** The people of the workspace, a page at a time. */
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

/** One person, who may be on no page that was read. */
export function personById(id: string) {
  return queryOptions({
    queryKey: oneKey("person", "workspace", id),
    queryFn: () => answerOf(api.GET("/api/v1/people/{id}", { params: { path: { id } } })),
  });
}

/** The invitations that were not accepted yet. */
export const openInvitations = infiniteQueryOptions({
  queryKey: listKey("person", "workspace", "invitations"),
  queryFn: ({ pageParam }) =>
    answerOf(
      api.GET("/api/v1/people/invitations", {
        params: { query: { limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** All API keys that act as a person, in both environments. */
export function keysOfPerson(email: string) {
  return queryOptions({
    queryKey: listKey("key", "workspace", "of", email),
    queryFn: async (): Promise<readonly ApiKey[]> => {
      const found: ApiKey[] = [];
      for (const environment of ["sandbox", "live"] as const) {
        let cursor: string | undefined;
        do {
          const query = { environment, limit: 100, ...(cursor !== undefined && { cursor }) };
          const { data, nextCursor } = await answerOf(api.GET("/api/v1/api-keys", { params: { query } }));
          found.push(...data.filter((key) => key.person === email));
          cursor = nextCursor;
        } while (cursor !== undefined);
      }
      // The service may answer with the keys of both environments.
      return [...new Map(found.map((key) => [key.id, key])).values()];
    },
    staleTime: 0,
  });
}
