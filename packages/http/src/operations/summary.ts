import { scopeQuerySchema, summarySchema } from "@procedo/contract";
import { defineOperation, reply } from "../operation.ts";
import { timestamp } from "./timestamp.ts";

export const getSummary = defineOperation({
  id: "getSummary",
  method: "GET",
  path: "/api/v1/summary",
  tag: "Service",
  summary: "Get an environment in numbers",
  description:
    "The number of things that call for a person, the runs of the last seven days, and the busiest procedures. " +
    "`GET runs?attention=true` lists the runs of `reviewsOpen` and `failedLast24h`.",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The numbers.", schema: summarySchema } },
  errors: [],
  handle: async ({ engine, environment, principal }) => {
    const { atMs, days, attention, runs, procedures } = await engine.summary.read({ environment, by: principal });
    return reply(200, {
      at: timestamp(atMs),
      attention,
      runs,
      days: days.map(({ startMs, completed, failed }) => ({ day: timestamp(startMs).slice(0, 10), completed, failed })),
      procedures: procedures.map((procedure) => ({ ...procedure })),
    });
  },
});
