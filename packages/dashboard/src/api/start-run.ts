import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment } from "./models.ts";
import { oneKey } from "./query-keys.ts";

/** What is sent to start a run. */
export interface StartRequest {
  readonly procedureId: string;
  readonly version: string;
  /** JSON text of the input, whose digits stay as they were typed. */
  readonly data: string;
  /** A start whose answer was lost is repeated with the same key, and starts no second run. */
  readonly idempotencyKey: string;
}

/** The body of the request. */
export function startBody({ version, data }: Pick<StartRequest, "version" | "data">): string {
  return `{"data":${data},"metadata":{"procedureVersion":${JSON.stringify(version)}}}`;
}

/** Sends the start of a run. */
export function startRun(environment: Environment, request: StartRequest) {
  return answerOf(
    api.POST("/api/v1/procedures/{procedureId}/runs", {
      params: {
        path: { procedureId: request.procedureId },
        query: { environment },
        header: { "Idempotency-Key": request.idempotencyKey },
      },
      body: { data: {} },
      bodySerializer: () => startBody(request),
    }),
  );
}

/** A run whose input another one takes over. */
export interface EarlierRun {
  readonly runId: string;
  readonly procedureId: string;
  readonly version: string;
  readonly input: unknown;
}

/** Reads the procedure and the input of a run. */
export function earlierRun(environment: Environment, runId: string) {
  return queryOptions({
    queryKey: oneKey("run", environment, runId, "input"),
    queryFn: async (): Promise<EarlierRun> => {
      const run = await answerOf(
        api.GET("/api/v1/runs/{runId}", {
          params: { path: { runId }, query: { environment, include: "timeline" } },
        }),
      );
      const start = run.timeline?.find(({ kind }) => kind === "start");
      const facts = { runId, procedureId: run.procedureId, version: run.procedureVersion };
      if (start === undefined) return { ...facts, input: {} };
      const path = { runId, nodeId: start.nodeId, visit: String(start.visit) };
      const step = await answerOf(
        api.GET("/api/v1/runs/{runId}/steps/{nodeId}/{visit}", { params: { path, query: { environment } } }),
      );
      return { ...facts, input: step.output ?? {} };
    },
    // The input of a run never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}
