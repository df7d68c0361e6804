import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment, Trigger } from "./models.ts";
import { listKey, oneKey } from "./query-keys.ts";

/** No change names a firing, whose run starts by itself. */
const readEveryMs = 10_000;

/** One trigger. */
export function triggerById(environment: Environment, triggerId: string) {
  return queryOptions({
    queryKey: oneKey("trigger", environment, triggerId),
    queryFn: () =>
      answerOf(api.GET("/api/v1/triggers/{triggerId}", { params: { path: { triggerId }, query: { environment } } })),
    refetchInterval: readEveryMs,
  });
}

/** All triggers of an environment, at most 1,000, by requests of 100. */
export function allTriggers(environment: Environment) {
  return queryOptions({
    queryKey: listKey("trigger", environment, "all"),
    queryFn: async (): Promise<readonly Trigger[]> => {
      const all: Trigger[] = [];
      let cursor: string | undefined;
      do {
        const query = { environment, limit: 100, ...(cursor !== undefined && { cursor }) };
        const { data, nextCursor } = await answerOf(api.GET("/api/v1/triggers", { params: { query } }));
        all.push(...data);
        cursor = nextCursor;
      } while (cursor !== undefined);
      return all;
    },
    refetchInterval: readEveryMs,
  });
}
