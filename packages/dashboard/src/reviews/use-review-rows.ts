import { useInfiniteQuery, useQueries, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Environment, Review } from "../api/models.ts";
import { reviewById } from "../api/reviews.ts";
import { keepRows, type ReviewRow } from "./kept-rows.ts";
import type { ReviewsSearch } from "./reviews-shown.ts";
import { reviewsPages } from "./use-reviews.ts";

export interface ReviewRows {
  readonly rows: readonly ReviewRow[];
  /** The present state of the rows that have left the list, by id. */
  readonly left: ReadonlyMap<string, Review>;
  readonly pages: Pick<
    UseInfiniteQueryResult,
    "isPending" | "isSuccess" | "error" | "hasNextPage" | "isFetchingNextPage"
  > & { readonly readAgain: () => void; readonly readMore: () => void };
  /** Takes the rows out that have left the list. */
  readonly removeLeft: () => void;
}

const none: readonly ReviewRow[] = [];

/** The rows of a list of reviews. Open ones keep their place until the list is opened anew. */
export function useReviewRows(environment: Environment, search: ReviewsSearch): ReviewRows {
  const query = useInfiniteQuery(reviewsPages(environment, search));
  const present = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  const list = [environment, search.show, search.order].join();
  const [kept, setKept] = useState<{ readonly list: string; readonly rows: readonly ReviewRow[] }>({
    list,
    rows: none,
  });
  const isKept = search.show !== "decided";
  const before = isKept && kept.list === list ? kept.rows : none;
  const rows = useMemo(
    () => (query.isSuccess ? keepRows(before, present) : before),
    [query.isSuccess, before, present],
  );
  // A state that follows from the list is set while it is rendered, so that no frame shows the rows before.
  if (kept.list !== list || (isKept && kept.rows !== rows)) setKept({ list, rows });

  const idsLeft = rows.filter(({ hasLeft }) => hasLeft).map(({ review }) => review.reviewId);
  const left = useQueries({
    queries: idsLeft.map((reviewId) => reviewById(environment, reviewId)),
    combine: (found) => new Map(found.flatMap(({ data }) => (data === undefined ? [] : [[data.reviewId, data]]))),
  });
  const { isPending, isSuccess, error, hasNextPage, isFetchingNextPage } = query;
  return {
    rows,
    left,
    pages: {
      ...{ isPending, isSuccess, error, hasNextPage, isFetchingNextPage },
      readAgain: () => void query.refetch(),
      readMore: () => void query.fetchNextPage(),
    },
    removeLeft: () => setKept({ list, rows: rows.filter(({ hasLeft }) => !hasLeft) }),
  };
}
