import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { environmentsOf, useSession } from "./session.ts";

const limit = 100;

/** The number of open reviews that the person may decide; `undefined` for none, and `100+` for more than a page. */
export function useWaitingReviews(environment: Environment): string | undefined {
  const isReached = environmentsOf(useSession()).includes(environment);
  const { data } = useQuery({
    enabled: isReached,
    queryKey: listKey("review", environment, "waiting"),
    queryFn: () =>
      answerOf(
        api.GET("/api/v1/reviews", { params: { query: { environment, status: "open", decidable: "true", limit } } }),
      ),
  });
  if (data === undefined || data.data.length === 0) return undefined;
  return data.nextCursor === undefined ? String(data.data.length) : `${data.data.length}+`;
}
