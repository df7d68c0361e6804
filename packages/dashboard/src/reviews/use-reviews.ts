import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import type { ReviewsShown } from "./reviews-shown.ts";

const dayMs = 86_400_000;
/** Decided reviews of this time are listed. */
const decidedDays = 30;

/** The query of `GET /api/v1/reviews` for a list. */
export function reviewsQuery(environment: Environment, show: ReviewsShown, nowMs: number) {
  const all = { environment, limit: 50 } as const;
  switch (show) {
    case "mine":
      return { ...all, status: "open", decidable: "true" } as const;
    case "open":
      return { ...all, status: "open" } as const;
    case "decided":
      return { ...all, closedFrom: new Date(nowMs - decidedDays * dayMs).toISOString() } as const;
  }
}

export function reviewsPages(environment: Environment, show: ReviewsShown) {
  return infiniteQueryOptions({
    queryKey: listKey("review", environment, show),
    queryFn: ({ pageParam }) => {
      const query = reviewsQuery(environment, show, Date.now());
      return answerOf(
        api.GET("/api/v1/reviews", {
          params: { query: { ...query, ...(pageParam !== undefined && { cursor: pageParam }) } },
        }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
