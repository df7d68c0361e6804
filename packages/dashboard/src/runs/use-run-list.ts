import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment, RunSummary } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import { nextDay, startOfDay, type TimeZone } from "../values/time.ts";
import type { RunFilters } from "./run-filters.ts";

/** One page of the list. */
export const pageSize = 50;
/** Most runs that one request answers. */
const mostRuns = 100;
/** A request examines a bounded number of runs. So many requests are made for the first runs that fit. */
const mostEmptyPages = 20;

/** What the list shows. */
export interface RunList {
  readonly environment: Environment;
  readonly filters: RunFilters;
  /** The zone of the days in the filters. */
  readonly zone: TimeZone;
}

type RunsQuery = ReturnType<typeof runsQuery>;

/** The query of `GET /api/v1/runs`. */
export function runsQuery({ environment, filters, zone }: RunList, limit = pageSize) {
  const { status, procedure, trigger, from, to, ...others } = filters;
  return {
    environment,
    limit,
    ...(status !== undefined && { status: status.join(",") }),
    ...(procedure !== undefined && { procedureId: procedure }),
    ...(trigger !== undefined && { triggerId: trigger }),
    ...others,
    ...(from !== undefined && { from: startOfDay(from, zone) }),
    ...(to !== undefined && { to: startOfDay(nextDay(to), zone) }),
  };
}

/** One page, with the end of the window in which the list was read. */
export interface RunsPage {
  readonly data: readonly RunSummary[];
  readonly next: RunsPosition | undefined;
}

interface RunsPosition {
  readonly cursor: string | undefined;
  /** Only runs that were created before. */
  readonly before: string | undefined;
}

/**
 * The runs of a list, newest first, by pages.
 *
 * @param before - runs that were created later are left out, so that rows do not move while a person reads them
 * @param turn - another number reads the list anew
 */
export function runsPages(list: RunList, turn: number, before: string | undefined) {
  const { environment, filters, zone } = list;
  return infiniteQueryOptions({
    queryKey: listKey("run", environment, "pages", filters, zone, turn),
    queryFn: ({ pageParam }) => pageOf(list, pageParam ?? { cursor: undefined, before }),
    initialPageParam: undefined as RunsPosition | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: (shown, query) => (query?.queryKey[1] === environment ? shown : undefined),
  });
}

async function pageOf(list: RunList, { cursor, before }: RunsPosition): Promise<RunsPage> {
  const query = { ...runsQuery(list), ...(before !== undefined && { to: earlier(runsQuery(list), before) }) };
  let at = cursor;
  for (let requests = 1; ; requests++) {
    const { data, nextCursor } = await readRuns({ ...query, ...(at !== undefined && { cursor: at }) });
    const next = nextCursor === undefined ? undefined : { cursor: nextCursor, before };
    if (data.length > 0 || next === undefined || requests === mostEmptyPages) return { data, next };
    at = nextCursor;
  }
}

function earlier({ to }: RunsQuery, before: string): string {
  return to !== undefined && to < before ? to : before;
}

/** The number of runs that fit the list and were created since a moment, up to 100. */
export function newRuns(list: RunList, since: string | undefined) {
  const { environment, filters, zone } = list;
  const query = runsQuery(list, mostRuns);
  return queryOptions({
    queryKey: listKey("run", environment, "new", filters, zone, since),
    queryFn: async () => (await readRuns({ ...query, ...(since !== undefined && { from: since }) })).data.length,
    // Nothing new can come into a window that has an end.
    enabled: since !== undefined && (query.to === undefined || query.to > since),
  });
}

/** All runs of a list, by requests of 100. */
export async function allRuns(
  list: RunList,
  { client, signal, onCount }: { client: QueryClient; signal: AbortSignal; onCount: (count: number) => void },
): Promise<readonly RunSummary[]> {
  const query = runsQuery(list, mostRuns);
  const runs: RunSummary[] = [];
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    // Through the client, which repeats a request that was refused for a time.
    const page = await client.fetchQuery({
      queryKey: listKey("run", list.environment, "export", query, cursor),
      queryFn: () => readRuns({ ...query, ...(cursor !== undefined && { cursor }) }),
      staleTime: 0,
      gcTime: 0,
    });
    runs.push(...page.data);
    onCount(runs.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return runs;
}

function readRuns(query: RunsQuery & { readonly cursor?: string }) {
  return answerOf(api.GET("/api/v1/runs", { params: { query } }));
}
