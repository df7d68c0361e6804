import type { CursorQuery } from "./cursor.ts";
import type { DeliveryQuery } from "./deliveries.ts";
import type { ReviewQuery } from "./reviews.ts";
import type { RunQuery, RunStatus } from "./run-query.ts";

const runStatuses: readonly RunStatus[] = ["running", "awaiting_review", "completed", "failed"];

/** The statuses that a query names, in one order and without repetitions; `undefined` for all. For adapters. */
export function wantedStatuses({ statuses }: Pick<RunQuery, "statuses">): readonly RunStatus[] | undefined {
  if (statuses === undefined) return undefined;
  const wanted = runStatuses.filter((status) => statuses.includes(status));
  return wanted.length === runStatuses.length ? undefined : wanted;
}

/** The query to which a cursor of `runs.list` belongs, for adapters. */
export function runCursorQuery(query: RunQuery): CursorQuery {
  const { scope, procedureId, fromMs, toMs, startedBy, version, search } = query;
  const statuses = wantedStatuses(query)?.join();
  return ["runs", scope.workspace, scope.environment, statuses, procedureId, fromMs, toMs, startedBy, version, search];
}

/** The query to which a cursor of `reviews.list` belongs, for adapters. */
export function reviewCursorQuery(query: ReviewQuery): CursorQuery {
  const { scope, status, procedureId, kind, order = "requested", closedFromMs, search } = query;
  return ["reviews", scope.workspace, scope.environment, status, procedureId, kind, order, closedFromMs, search];
}

/** The query to which a cursor of `deliveries.list` belongs, for adapters. */
export function deliveryCursorQuery(query: DeliveryQuery): CursorQuery {
  const { scope, webhookId, status, event, fromMs, toMs } = query;
  return ["deliveries", scope.workspace, scope.environment, webhookId, status, event, fromMs, toMs];
}
