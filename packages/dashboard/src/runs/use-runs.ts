import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { listKey, oneKey } from "../api/query-keys.ts";
import type { RunFilters } from "./run-filters.ts";

const pageSize = 50;

/** The query of `GET /api/v1/runs` for filters. */
export function runsQuery(environment: Environment, { status, procedure, ...filters }: RunFilters) {
  return {
    environment,
    limit: pageSize,
    ...(status !== undefined && { status: status.join(",") }),
    ...(procedure !== undefined && { procedureId: procedure }),
    ...filters,
  };
}

/** The runs of an environment, newest first, by pages. */
export function runsPages(environment: Environment, filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: listKey("run", environment, filters),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET("/api/v1/runs", {
          params: {
            query: { ...runsQuery(environment, filters), ...(pageParam !== undefined && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

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

/** The input with which a run was started. */
export function inputOfRun(environment: Environment, runId: string) {
  return queryOptions({
    queryKey: oneKey("run", environment, runId, "input"),
    queryFn: async () => {
      const query = { environment, include: "timeline" } as const;
      const run = await answerOf(api.GET("/api/v1/runs/{runId}", { params: { path: { runId }, query } }));
      const start = run.timeline?.find(({ kind }) => kind === "start");
      if (start === undefined) return null;
      const path = { runId, nodeId: start.nodeId, visit: String(start.visit) };
      const step = await answerOf(
        api.GET("/api/v1/runs/{runId}/steps/{nodeId}/{visit}", { params: { path, query: { environment } } }),
      );
      return step.output ?? null;
    },
  });
}
