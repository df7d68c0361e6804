import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import type { AttentionFound } from "./attention.ts";

const shownOfEach = 10;
const dayMs = 86_400_000;

/** The environment in numbers. */
export function summaryOf(environment: Environment) {
  return queryOptions({
    queryKey: ["summary", environment],
    queryFn: () => answerOf(api.GET("/api/v1/summary", { params: { query: { environment } } })),
  });
}

/** The reviews and runs that need a person, some of each kind. */
export function attentionOf(environment: Environment) {
  return queryOptions({
    queryKey: ["summary", environment, "attention"],
    queryFn: async (): Promise<Omit<AttentionFound, "attention">> => {
      const open = { environment, status: "open", limit: shownOfEach } as const;
      const from = new Date(Date.now() - dayMs).toISOString();
      const [unknown, mine, expiring, failed] = await Promise.all([
        answerOf(api.GET("/api/v1/reviews", { params: { query: { ...open, kind: "outcome_unknown" } } })),
        answerOf(api.GET("/api/v1/reviews", { params: { query: { ...open, decidable: "true" } } })),
        answerOf(api.GET("/api/v1/reviews", { params: { query: { ...open, order: "expires" } } })),
        answerOf(
          api.GET("/api/v1/runs", { params: { query: { environment, status: "failed", from, limit: shownOfEach } } }),
        ),
      ]);
      return { unknown: unknown.data, mine: mine.data, expiring: expiring.data, failed: failed.data };
    },
  });
}
