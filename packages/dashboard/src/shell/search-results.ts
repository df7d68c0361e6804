/* Finding runs, reviews, procedures and pages by what people know of them. */
import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, ProcedureSummary, ReviewSummary, RunSummary } from "../api/models.ts";
import { searchedText } from "./searched-text.ts";

export interface Found {
  readonly runs: readonly RunSummary[];
  readonly reviews: readonly ReviewSummary[];
  readonly procedures: readonly ProcedureSummary[];
}

const limit = 5;
const typingMs = 150;

/** What a text finds: in the environment of the page, and in the others that the person reaches. */
export function searchFor(text: string, present: Environment, reached: readonly Environment[]) {
  const environments = [...reached].toSorted((one, other) => Number(other === present) - Number(one === present));
  const q = searchedText(text);
  return queryOptions({
    queryKey: ["search", present, q],
    enabled: q !== "" && environments.length > 0,
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Found> => {
      await pause(typingMs, signal);
      const [runs, reviews, procedures] = await Promise.all([
        Promise.all(
          environments.map((environment) =>
            answerOf(api.GET("/api/v1/runs", { signal, params: { query: { environment, q, limit } } })),
          ),
        ),
        Promise.all(
          environments.map((environment) =>
            answerOf(api.GET("/api/v1/reviews", { signal, params: { query: { environment, q, limit } } })),
          ),
        ),
        answerOf(
          api.GET("/api/v1/procedures", { signal, params: { query: { environment: present, search: q, limit } } }),
        ),
      ]);
      return {
        runs: runs.flatMap(({ data }) => data),
        reviews: reviews.flatMap(({ data }) => data),
        procedures: procedures.data,
      };
    },
  });
}

/** Waits until the person has typed on, which aborts the search. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal.throwIfAborted();
}
