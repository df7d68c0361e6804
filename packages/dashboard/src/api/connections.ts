import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment } from "./models.ts";
import { oneKey } from "./query-keys.ts";

/** A connection with its settings, its uses and its inbound address. */
export function connectionById(environment: Environment, connectionId: string) {
  return queryOptions({
    queryKey: oneKey("connection", environment, connectionId),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/connections/{connectionId}", { params: { path: { connectionId }, query: { environment } } }),
      ),
  });
}
