import type { JsonObject, JsonValue } from "@procedo/contract";
import type { NodeResult, RunFacts } from "@procedo/procedure";
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.ts";
import type { Environment, RunSummary } from "../../api/models.ts";
import { oneKey } from "../../api/query-keys.ts";
import type { Sample } from "./taken-branch.ts";

/** The input and the facts of a run, and the results of some of its steps at their latest visits. */
export function runSample(environment: Environment, run: RunSummary, label: string, stepIds: readonly string[]) {
  const { runId } = run;
  return queryOptions({
    queryKey: oneKey("run", environment, runId, "sample", ...stepIds),
    queryFn: async (): Promise<Sample> => {
      const { timeline = [] } = await answerOf(
        api.GET("/api/v1/runs/{runId}", { params: { path: { runId }, query: { environment, include: "timeline" } } }),
      );
      const visits = timeline.filter(({ nodeId, kind }) => kind === "start" || stepIds.includes(nodeId));
      const latest = new Map(visits.map((step) => [step.nodeId, step]));
      const steps = await Promise.all(
        [...latest.values()].map(async ({ nodeId, visit, kind }) => {
          const path = { runId, nodeId, visit: String(visit) };
          const { output, status } = await answerOf(
            api.GET("/api/v1/runs/{runId}/steps/{nodeId}/{visit}", { params: { path, query: { environment } } }),
          );
          return { nodeId, kind, output: output as JsonValue | undefined, hasFailed: status === "failed" };
        }),
      );
      const results = steps
        .filter(({ kind }) => kind !== "start")
        .map(({ nodeId, output, hasFailed }): [string, NodeResult] => [nodeId, resultOf(output, hasFailed)]);
      return {
        key: runId,
        label,
        input: steps.find(({ kind }) => kind === "start")?.output ?? {},
        results: Object.fromEntries(results),
        run: factsOf(run),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function factsOf(run: RunSummary): RunFacts {
  const { runId, procedureId, procedureVersion, environment, createdAt, startedBy } = run;
  return { runId, procedureId, procedureVersion, environment, createdAt, startedBy };
}

/** A step without an output has not ended. A failed one has its message as `error`, too. */
function resultOf(output: JsonValue | undefined, hasFailed: boolean): NodeResult {
  if (output === undefined) return {};
  const message = typeof output === "object" && output !== null ? (output as JsonObject)["error"] : undefined;
  return hasFailed && typeof message === "string" ? { output, error: message } : { output };
}
