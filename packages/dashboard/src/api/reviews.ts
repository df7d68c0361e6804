import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "./client.ts";
import type { Environment } from "./models.ts";
import { oneKey } from "./query-keys.ts";

/** One review. Pages of runs and of reviews show it. */
export function reviewById(environment: Environment, reviewId: string) {
  return queryOptions({
    queryKey: oneKey("review", environment, reviewId),
    queryFn: () =>
      answerOf(api.GET("/api/v1/reviews/{reviewId}", { params: { path: { reviewId }, query: { environment } } })),
  });
}
