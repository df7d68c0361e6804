import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";

/** The newest event of a trigger whose content is kept; `null` without one. */
export function newestEvent(environment: Environment, triggerId: string) {
  return queryOptions({
    queryKey: oneKey("trigger", environment, triggerId, "newest-event"),
    queryFn: async (): Promise<unknown> => {
      const { data } = await answerOf(
        api.GET("/api/v1/triggers/{triggerId}/firings", {
          params: { path: { triggerId }, query: { environment, limit: 10 } },
        }),
      );
      const firingId = data.find(({ event, requestedBy }) => event !== undefined && requestedBy === undefined)?.id;
      if (firingId === undefined) return null;
      const { content } = await answerOf(
        api.GET("/api/v1/triggers/{triggerId}/firings/{firingId}", {
          params: { path: { triggerId, firingId }, query: { environment, include: "event" } },
        }),
      );
      return content?.event ?? null;
    },
  });
}
