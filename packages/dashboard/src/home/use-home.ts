import { queryOptions, useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, RunSummary } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { allTriggers } from "../api/triggers.ts";
import type { components } from "../api/schema.d.ts";
import type { AttentionFound, Portion } from "./attention.ts";

export type Summary = components["schemas"]["Summary"];

interface ReadSummary {
  readonly summary: Summary;
  readonly readAtMs: number;
  /** Whether the numbers may be those from before the change that led to the read. */
  readonly mayBeOld: boolean;
}

/** The service counts once in this time. */
const countedEveryMs = 5_000;
const shownOfEach = 10;
const latestRuns = 20;

/** The environment in numbers. A read after a change may answer older numbers, and leads to one more read. */
function summaryOf(environment: Environment) {
  const queryKey = ["summary", environment, "numbers"];
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<ReadSummary> => {
      const before = client.getQueryData<ReadSummary>(queryKey);
      const summary = await answerOf(api.GET("/api/v1/summary", { params: { query: { environment } } }));
      const isSecond = before?.mayBeOld === true && Date.now() - before.readAtMs >= countedEveryMs;
      return { summary, readAtMs: Date.now(), mayBeOld: !isSecond };
    },
    refetchInterval: ({ state }) => (state.data?.mayBeOld === true ? countedEveryMs + 500 : false),
  });
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
}

const portionOf = <T>({ data, nextCursor }: Page<T>): Portion<T> => ({
  items: data,
  hasMore: nextCursor !== undefined,
});

function reviewsOf(environment: Environment) {
  const open = { environment, status: "open", limit: shownOfEach } as const;
  return queryOptions({
    queryKey: listKey("review", environment, "attention"),
    queryFn: async () => {
      const [unknown, mine, expiring] = await Promise.all([
        answerOf(api.GET("/api/v1/reviews", { params: { query: { ...open, kind: "outcome_unknown" } } })),
        answerOf(api.GET("/api/v1/reviews", { params: { query: { ...open, decidable: "true" } } })),
        answerOf(api.GET("/api/v1/reviews", { params: { query: { ...open, order: "expires" } } })),
      ]);
      return { unknown: portionOf(unknown), mine: portionOf(mine), expiring: portionOf(expiring) };
    },
  });
}

function runsOf(environment: Environment) {
  const failing = { environment, attention: "true", status: "failed", limit: shownOfEach } as const;
  return queryOptions({
    queryKey: listKey("run", environment, "attention"),
    queryFn: async () => {
      const [failed, latest] = await Promise.all([
        answerOf(api.GET("/api/v1/runs", { params: { query: failing } })),
        answerOf(api.GET("/api/v1/runs", { params: { query: { environment, limit: latestRuns } } })),
      ]);
      return { failed: portionOf(failed), latest: latest.data };
    },
  });
}

function connectionsOf(environment: Environment) {
  return queryOptions({
    queryKey: listKey("connection", environment, "attention"),
    queryFn: async () =>
      portionOf(await answerOf(api.GET("/api/v1/connections", { params: { query: { environment, limit: 100 } } }))),
  });
}

function webhooksOf(environment: Environment) {
  return queryOptions({
    queryKey: listKey("webhook", environment, "attention"),
    queryFn: async () =>
      portionOf(await answerOf(api.GET("/api/v1/webhooks", { params: { query: { environment, limit: 100 } } }))),
  });
}

export interface HomeRead {
  readonly summary: Summary;
  readonly attention: AttentionFound;
  /** The newest runs, newest first. */
  readonly latest: readonly RunSummary[];
}

/** Everything that the page shows, each part read again when something of its kind changes. */
export function useHome(environment: Environment): {
  readonly data: HomeRead | undefined;
  readonly error: unknown;
  readonly retry: () => void;
} {
  const summary = useQuery(summaryOf(environment));
  const reviews = useQuery(reviewsOf(environment));
  const runs = useQuery(runsOf(environment));
  const connections = useQuery(connectionsOf(environment));
  const webhooks = useQuery(webhooksOf(environment));
  const triggers = useQuery(allTriggers(environment));
  const all = [summary, reviews, runs, connections, webhooks, triggers];
  const isRead = summary.data && reviews.data && runs.data && connections.data && webhooks.data && triggers.data;
  return {
    data: isRead && {
      summary: summary.data.summary,
      attention: {
        counts: summary.data.summary.attention,
        ...reviews.data,
        failed: runs.data.failed,
        connections: connections.data,
        webhooks: webhooks.data,
        triggers: triggers.data,
      },
      latest: runs.data.latest,
    },
    error: all.find(({ error }) => error !== null)?.error,
    retry: () => void Promise.all(all.map((query) => query.refetch())),
  };
}

/** Whether the environment has a connection, and the first procedure with a default version in it. */
export function beginningOf(environment: Environment) {
  const query = { environment, limit: 50 } as const;
  return {
    connections: queryOptions({
      queryKey: listKey("connection", environment, "beginning"),
      queryFn: () => answerOf(api.GET("/api/v1/connections", { params: { query: { ...query, limit: 1 } } })),
    }),
    procedures: queryOptions({
      queryKey: listKey("procedure", environment, "beginning"),
      queryFn: () => answerOf(api.GET("/api/v1/procedures", { params: { query } })),
    }),
  };
}
