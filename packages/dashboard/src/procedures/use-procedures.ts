import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, Version } from "../api/models.ts";
import { listKey, oneKey } from "../api/query-keys.ts";

export function proceduresPages(environment: Environment, search = "") {
  return infiniteQueryOptions({
    queryKey: listKey("procedure", environment, "pages", search),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET("/api/v1/procedures", {
          params: {
            query: {
              environment,
              limit: 50,
              ...(search !== "" && { search }),
              ...(pageParam !== undefined && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
    // The service counts runs and reviews anew every 5 s, so that a read after a change may answer older numbers.
    refetchInterval: 10_000,
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

/** All versions of a procedure, newest first. */
export function versionsPages(environment: Environment, procedureId: string) {
  return infiniteQueryOptions({
    queryKey: oneKey("procedure", environment, procedureId, "version-pages"),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET("/api/v1/procedures/{procedureId}/versions", {
          params: {
            path: { procedureId },
            query: { environment, limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The newest runs of a procedure. */
export function newestRuns(environment: Environment, procedureId: string) {
  return queryOptions({
    queryKey: listKey("run", environment, "of-procedure", procedureId),
    queryFn: () => answerOf(api.GET("/api/v1/runs", { params: { query: { environment, procedureId, limit: 8 } } })),
  });
}

/** The problems that a version has in live, where its connections may be others. */
export function problemsInLive(version: Version) {
  const { procedureId, document } = version;
  return queryOptions({
    queryKey: listKey("connection", "live", "problems-of-version", procedureId, version.version),
    queryFn: async () => {
      const { problems } = await answerOf(
        api.POST("/api/v1/procedures/{procedureId}/validate", {
          params: { path: { procedureId }, query: { environment: "live" } },
          body: { document },
        }),
      );
      return problems;
    },
    staleTime: 0,
  });
}

/** The first hundred connections of an environment, which are enough to find those that a version names. */
export function firstConnections(environment: Environment) {
  return queryOptions({
    queryKey: listKey("connection", environment, "health"),
    queryFn: async () => {
      const query = { environment, limit: 100 };
      return (await answerOf(api.GET("/api/v1/connections", { params: { query } }))).data;
    },
    staleTime: 0,
  });
}
