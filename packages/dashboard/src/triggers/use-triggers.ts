import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, Firing } from "../api/models.ts";
import { listKey, oneKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";
import { whileTyping } from "./while-typing.ts";

/** No change names a firing. */
const readEveryMs = 5_000;

/** The firings of a trigger, newest first. */
export function firingsPages(environment: Environment, triggerId: string, status: Firing["status"] | undefined) {
  return infiniteQueryOptions({
    queryKey: oneKey("trigger", environment, triggerId, "firings", status),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET("/api/v1/triggers/{triggerId}/firings", {
          params: {
            path: { triggerId },
            query: {
              environment,
              limit: 25,
              ...(status !== undefined && { status }),
              ...(pageParam !== undefined && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: readEveryMs,
  });
}

/** A firing with its event and the input of its run. */
export function firingById(environment: Environment, triggerId: string, firingId: string) {
  return queryOptions({
    queryKey: oneKey("trigger", environment, triggerId, "firing", firingId),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/triggers/{triggerId}/firings/{firingId}", {
          params: { path: { triggerId, firingId }, query: { environment, include: "event,input" } },
        }),
      ),
    refetchInterval: ({ state }) => (isOpen(state.data?.status) ? readEveryMs : false),
  });
}

function isOpen(status: Firing["status"] | undefined): boolean {
  return status === "pending" || status === "waiting";
}

/** The next five times of a schedule that is not stored. */
export function nextTimesOf(environment: Environment, source: components["schemas"]["GivenTriggerSource"]) {
  return queryOptions({
    queryKey: ["schedule", environment, source],
    queryFn: async ({ signal }) => {
      await whileTyping(signal);
      const answer = await answerOf(
        api.POST("/api/v1/triggers/preview", { signal, params: { query: { environment } }, body: { source } }),
      );
      return answer.next;
    },
    staleTime: 0,
    retry: false,
    placeholderData: (before) => before,
  });
}

/** The events that services send, by the ids of their integrations. */
export function integrationEvents(environment: Environment) {
  return queryOptions({
    queryKey: listKey("connection", environment, "integrations"),
    queryFn: async () => {
      const { data } = await answerOf(api.GET("/api/v1/integrations", { params: { query: { environment } } }));
      return new Map(data.map(({ id, events }) => [id, events]));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** All connections of the environment, by their names. */
export function connectionsByName(environment: Environment) {
  return queryOptions({
    queryKey: listKey("connection", environment, "by-name"),
    queryFn: async () => {
      const found = new Map<string, components["schemas"]["ListedConnection"]>();
      let cursor: string | undefined;
      do {
        const query = { environment, limit: 100, ...(cursor !== undefined && { cursor }) };
        const { data, nextCursor } = await answerOf(api.GET("/api/v1/connections", { params: { query } }));
        for (const connection of data) found.set(connection.name, connection);
        cursor = nextCursor;
      } while (cursor !== undefined);
      return found;
    },
  });
}
