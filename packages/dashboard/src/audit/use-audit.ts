import { infiniteQueryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client.ts";
import type { Environment } from "../api/models.ts";
import type { TimeZone } from "../values/time.ts";
import { auditQuery, type AuditFilters } from "./audit-filters.ts";
import type { AuditEntry } from "./change-facts.ts";

const pageRows = 50;
const exportRows = 100;
const unnamedChangesMs = 10_000;

/** The changes that match the filters, newest first. */
export function auditPages(environment: Environment, filters: AuditFilters, timeZone: TimeZone) {
  return infiniteQueryOptions({
    queryKey: ["audit", environment, filters, timeZone],
    queryFn: ({ pageParam }) => {
      const more = pageParam === undefined ? {} : { cursor: pageParam };
      const query = { environment, limit: pageRows, ...auditQuery(filters, timeZone), ...more };
      return answerOf(api.GET("/api/v1/audit", { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // No event names some of the changes, such as deliveries that are sent again.
    staleTime: 0,
    refetchInterval: unnamedChangesMs,
  });
}

/** Reads all changes that match the filters. */
export async function allChanges(
  environment: Environment,
  filters: AuditFilters,
  timeZone: TimeZone,
  onRead: (count: number) => void,
): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? {} : { cursor };
    const query = { environment, limit: exportRows, ...auditQuery(filters, timeZone), ...more };
    const page = await answerOf(api.GET("/api/v1/audit", { params: { query } }));
    entries.push(...page.data);
    onRead(entries.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return entries;
}
