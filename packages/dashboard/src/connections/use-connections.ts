import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, Integration, ListedConnection } from "../api/models.ts";
import { listKey, oneKey } from "../api/query-keys.ts";

/** All connections of an environment with the number of procedures that use them: the order by health needs them all. */
export function allConnections(environment: Environment) {
  return queryOptions({
    queryKey: listKey("connection", environment, "all"),
    queryFn: async (): Promise<readonly ListedConnection[]> => {
      const all: ListedConnection[] = [];
      let cursor: string | undefined;
      do {
        const query = { environment, limit: 100, include: "uses", ...(cursor !== undefined && { cursor }) } as const;
        const { data, nextCursor } = await answerOf(api.GET("/api/v1/connections", { params: { query } }));
        all.push(...data);
        cursor = nextCursor;
      } while (cursor !== undefined);
      return all;
    },
  });
}

/** The integrations for which connections can be created. They change with the service's program only. */
export function allIntegrations(environment: Environment) {
  return queryOptions({
    queryKey: ["integrations", environment],
    queryFn: async (): Promise<readonly Integration[]> =>
      (await answerOf(api.GET("/api/v1/integrations", { params: { query: { environment } } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The actions of a connection, a page at a time, in the order of its document. */
export function actionPages(environment: Environment, connectionId: string, search: string) {
  return infiniteQueryOptions({
    queryKey: oneKey("connection", environment, connectionId, "actions", search),
    queryFn: ({ pageParam }) => {
      const query = {
        environment,
        limit: 50,
        ...(search !== "" && { search }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      return answerOf(
        api.GET("/api/v1/connections/{connectionId}/actions", { params: { path: { connectionId }, query } }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** An action, by its name or a former name. */
export function actionByName(environment: Environment, connectionId: string, name: string) {
  return queryOptions({
    queryKey: oneKey("connection", environment, connectionId, "action", name),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/connections/{connectionId}/actions/{name}", {
          params: { path: { connectionId, name }, query: { environment } },
        }),
      ),
  });
}
