import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.ts";
import type { Environment, RunSummary } from "../../api/models.ts";
import { listKey } from "../../api/query-keys.ts";
import { statusWord } from "../../ui/status-word.ts";
import { formatMoment, type TimeZone } from "../../values/time.ts";

const mostRuns = 20;

/** The newest runs of a procedure. */
export function pastRuns(environment: Environment, procedureId: string) {
  return queryOptions({
    queryKey: listKey("run", environment, "newest", procedureId),
    queryFn: async () => {
      const query = { environment, procedureId, limit: mostRuns };
      return (await answerOf(api.GET("/api/v1/runs", { params: { query } }))).data;
    },
  });
}

/** A run as a choice: what it was about, when it began, and how it went. */
export function runLabel({ reference, createdAt, status }: RunSummary, zone: TimeZone): string {
  const words = [formatMoment(createdAt, zone), statusWord(status)];
  return (reference === undefined ? words : [reference, ...words]).join(" · ");
}
