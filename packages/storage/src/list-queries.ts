import type { CursorQuery } from "./cursor.ts";
import type { DeliveryQuery } from "./deliveries.ts";
import type { ReviewQuery } from "./reviews.ts";
import type { RunQuery, RunStatus } from "./run-query.ts";
import type { FiringQuery } from "./firings.ts";

const runStatuses: readonly RunStatus[] = ["running", "awaiting_review", "completed", "failed"];

const attentionStatuses: readonly RunStatus[] = ["awaiting_review", "failed"];

/** The statuses that a query names, in one order and without repetitions; `undefined` for all. For adapters. */
export function wantedStatuses({
  statuses,
  attention,
}: Pick<RunQuery, "statuses" | "attention">): readonly RunStatus[] | undefined {
  const possible = attention === undefined ? runStatuses : attentionStatuses;
  const wanted = possible.filter((status) => statuses?.includes(status) ?? true);
  return wanted.length === runStatuses.length ? undefined : wanted;
}

/**
 * The query to which a cursor of `runs.list` belongs, for adapters. The times of `attention` do not belong to it: they
 * advance from one page to the next.
 */
export function runCursorQuery(query: RunQuery): CursorQuery {
  const { scope, procedureId, fromMs, toMs, startedBy, version, search, triggerId } = query;
  const attention = query.attention === undefined ? undefined : "attention";
  const filters = [
    wantedStatuses(query)?.join(),
    procedureId,
    fromMs,
    toMs,
    startedBy,
    version,
    attention,
    search,
    triggerId,
  ];
  return ["runs", scope.workspace, scope.environment, ...filters];
}

/** The query to which a cursor of `reviews.list` belongs, for adapters. */
export function reviewCursorQuery(query: ReviewQuery): CursorQuery {
  const { scope, status, procedureId, kind, order = "requested", closedFromMs, search } = query;
  return ["reviews", scope.workspace, scope.environment, status, procedureId, kind, order, closedFromMs, search];
}

/** The query to which a cursor of `deliveries.list` belongs, for adapters. */
export function deliveryCursorQuery(query: DeliveryQuery): CursorQuery {
  const { scope, webhookId, status, event, runId, fromMs, toMs } = query;
  return ["deliveries", scope.workspace, scope.environment, webhookId, status, event, runId, fromMs, toMs];
}

/** The query to which a cursor of `triggers.list` belongs, for adapters. */
export function firingCursorQuery(query: FiringQuery): CursorQuery {
  const { scope, triggerId, status, fromMs, toMs } = query;
  return ["firings", scope.workspace, scope.environment, triggerId, status, fromMs, toMs];
}
