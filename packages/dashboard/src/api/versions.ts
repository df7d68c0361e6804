import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment } from "./models.ts";

/** A published version, which never changes. */
export function versionOf(environment: Environment, procedureId: string, version: string) {
  return queryOptions({
    queryKey: ["version", environment, procedureId, version],
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/procedures/{procedureId}/versions/{version}", {
          params: { path: { procedureId, version }, query: { environment } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
