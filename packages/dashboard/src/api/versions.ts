import type { ProcedureDocument } from "@procedo/contract";
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment, Version } from "./models.ts";
import { oneKey } from "./query-keys.ts";

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

/** The document of a version, in the contract's own type. The service publishes no other shape. */
export function documentOf({ document }: Pick<Version, "document">): ProcedureDocument {
  return document as unknown as ProcedureDocument;
}

/** The newest hundred versions of a procedure, to choose from. */
export function newestVersions(environment: Environment, procedureId: string) {
  return queryOptions({
    queryKey: oneKey("procedure", environment, procedureId, "versions", "newest"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/procedures/{procedureId}/versions", {
          params: { path: { procedureId }, query: { environment, limit: 100 } },
        }),
      ),
  });
}
