import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";

/** The number of open reviews that the person may decide, as far as the first page tells. */
export function useWaitingReviews(environment: Environment): number | undefined {
  const { data } = useQuery({
    queryKey: listKey("review", environment, "waiting"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/reviews", {
          params: { query: { environment, status: "open", decidable: "true", limit: 100 } },
        }),
      ),
  });
  return data?.data.length;
}
