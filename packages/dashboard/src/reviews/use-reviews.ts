import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, ReviewSummary } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { dayMs } from "../values/time.ts";
import type { ReviewsSearch } from "./reviews-shown.ts";

/** Decided reviews of this time are listed. */
const decidedDays = 30;
/** Pages of `GET reviews` that are read at most before a page of the list is shown without entries. */
const pagesAtOnce = 10;

/** The query of `GET /api/v1/reviews` for a list. */
export function reviewsQuery(environment: Environment, { show = "mine", order }: ReviewsSearch, nowMs: number) {
  const all = { environment, limit: 50 } as const;
  const open = { ...all, status: "open", ...(order === "expires" && { order }) } as const;
  switch (show) {
    case "mine":
      return { ...open, decidable: "true" } as const;
    case "open":
      return open;
    case "decided":
      return { ...all, closedFrom: new Date(nowMs - decidedDays * dayMs).toISOString() } as const;
  }
}

export function reviewsPages(environment: Environment, search: ReviewsSearch) {
  return infiniteQueryOptions({
    queryKey: listKey("review", environment, search.show ?? "mine", search.order ?? "requested"),
    queryFn: async ({ pageParam }) => {
      const query = reviewsQuery(environment, search, Date.now());
      const read = (cursor: string | undefined) =>
        answerOf(
          api.GET("/api/v1/reviews", { params: { query: { ...query, ...(cursor !== undefined && { cursor }) } } }),
        );
      let page = await read(pageParam);
      // The service examines a bounded number of reviews a page, so that a page may have no entry although others do.
      for (let pages = 1; page.data.length === 0 && page.nextCursor !== undefined && pages < pagesAtOnce; pages++) {
        page = await read(page.nextCursor);
      }
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The review that a run waits for at present, if any. */
export function openReviewOfRun(environment: Environment, runId: string) {
  return queryOptions({
    queryKey: listKey("review", environment, "open of", runId),
    queryFn: async (): Promise<ReviewSummary | null> => {
      const query = { environment, q: runId, status: "open", limit: 1 } as const;
      const { data } = await answerOf(api.GET("/api/v1/reviews", { params: { query } }));
      return data[0] ?? null;
    },
  });
}
