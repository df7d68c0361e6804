import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { oneKey } from "../api/query-keys.ts";

/** One run with its timeline. */
export function runWithTimeline(environment: Environment, runId: string) {
  return queryOptions({
    queryKey: oneKey("run", environment, runId, "timeline"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/runs/{runId}", {
          params: { path: { runId }, query: { environment, include: "timeline" } },
        }),
      ),
  });
}

/** One visit of a node in full. */
export function runStep(
  environment: Environment,
  runId: string,
  { nodeId, visit }: { readonly nodeId: string; readonly visit: number },
) {
  return queryOptions({
    queryKey: oneKey("run", environment, runId, "step", nodeId, visit),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/runs/{runId}/steps/{nodeId}/{visit}", {
          params: { path: { runId, nodeId, visit: String(visit) }, query: { environment } },
        }),
      ),
  });
}
