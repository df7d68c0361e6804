import type { ExaminedEnd, FiringRow, RunStatus, Scope, TriggerStore } from "@procedo/storage";
import { firingCursorQuery } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { filteredRowsSql } from "./filtered-rows.ts";
import { contentOf } from "./postgres-firing-queue.ts";
import { pageOf } from "./sql-page.ts";
import type { SqlValue, Statement } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

interface StoredFiring {
  readonly firing: number;
  readonly trigger_id: string;
  readonly firing_id: string;
  readonly status: FiringRow["status"];
  readonly requested_by: string | null;
  readonly reason: string | null;
  readonly error: string | null;
  readonly count: number;
  readonly scheduled_at_ms: number | null;
  readonly received_at_ms: number;
  readonly refire_of: string | null;
  readonly event: number | null;
  readonly id: string;
  readonly type: string;
  readonly digest: string;
  readonly occurred_at_ms: number | null;
  readonly duplicates: number | null;
  readonly run_id: string | null;
  readonly procedure_version: string;
  readonly run_status: RunStatus;
  readonly run_created_at_ms: number;
}

interface StoredContent {
  readonly body: string | null;
  readonly headers: string | null;
}

/** Reads firings with their events and runs. */
export function firingRows({ database }: PostgresContext): Pick<TriggerStore, "list" | "get"> {
  const { schema } = database;
  const columns = `firing.firing, firing.trigger_id, firing.firing_id, firing.status, firing.requested_by, firing.reason,
           firing.error, firing.count, firing.scheduled_at_ms, firing.received_at_ms, firing.refire_of, event.*,
           run.run_id, run.procedure_version, run.status AS run_status, run.created_at_ms AS run_created_at_ms`;
  /** The event and the run of a row `firing`. The limits let no plan read others. */
  const withEventAndRun = (content: string): string => `
      LEFT JOIN LATERAL (
        SELECT event, id, type, digest, occurred_at_ms${content},
               events.duplicates + coalesce((SELECT held.duplicates FROM ${schema}.event_keys AS held
                                              WHERE held.key = events.key AND ${matchesUnindexed("held.event", "events.event")}
                                              LIMIT 1), 0) AS duplicates
          FROM ${schema}.events WHERE events.event = firing.event LIMIT 1) AS event ON true
      LEFT JOIN LATERAL (SELECT run_id, procedure_version, status, created_at_ms
                           FROM ${schema}.runs WHERE runs.run_id = firing.run_id LIMIT 1) AS run ON true`;
  const selectOne: Statement = {
    name: "firings-get",
    text: `SELECT ${columns}
             FROM (SELECT * FROM ${schema}.firings
                    WHERE firing_id = $4 AND ${matchesUnindexed("workspace, environment, trigger_id", "$1, $2, $3")}
                    LIMIT 1) AS firing ${withEventAndRun(", body, headers")}`,
  };
  const newestFirst = "received_at_ms DESC, firing DESC";
  const ordered = (limit: string): string => `
    SELECT * FROM ${schema}.firings
     WHERE workspace = $1 AND environment = $2 AND trigger_id = $3 AND received_at_ms >= $4
       AND (received_at_ms, firing) < ($5, $6)
     ORDER BY ${newestFirst} LIMIT ${limit}`;
  const pageStatement = (name: string, filters: readonly string[]): Statement => ({
    name,
    text: `SELECT ${columns}${filters.length === 0 ? "" : `, firing."isExaminedEnd"`}
             FROM (${filteredRowsSql({ ordered, orderBy: newestFirst, filters }, "$7")}) AS firing ${withEventAndRun("")}
            ORDER BY ${filters.length === 0 ? "" : `firing."isExaminedEnd", `}firing.received_at_ms DESC, firing.firing DESC`,
  });
  const selectPage = pageStatement("firings-list", []);
  const selectPageOfStatus = pageStatement("firings-list-filtered", ["status = $8"]);

  return {
    list: (request) => {
      const { scope, triggerId, status, fromMs, toMs } = request;
      return pageOf({
        ...request,
        query: firingCursorQuery(request),
        shape: ["number", "number"],
        rowsAfter: (position, count) => {
          // A position before every firing that was created at `toMs`: their numbers are positive.
          const after = position ?? [toMs ?? Number.MAX_SAFE_INTEGER, 0];
          const from = fromMs ?? Number.MIN_SAFE_INTEGER;
          const values: SqlValue[] = [scope.workspace, scope.environment, triggerId, from, ...after, count];
          return status === undefined
            ? database.query<StoredFiring & ExaminedEnd>(selectPage, values)
            : database.query<StoredFiring & ExaminedEnd>(selectPageOfStatus, [...values, status]);
        },
        positionOf: (row) => [row.received_at_ms, row.firing],
        itemOf: (row) => rowOf(scope, row),
      });
    },

    async get({ scope, triggerId, firingId }) {
      const values = [scope.workspace, scope.environment, triggerId, firingId];
      const [found] = await database.query<StoredFiring & StoredContent>(selectOne, values);
      return found === undefined ? undefined : { ...rowOf(scope, found), content: contentOf(found) };
    },
  };
}

function rowOf(scope: Scope, row: StoredFiring): FiringRow {
  return {
    scope,
    triggerId: row.trigger_id,
    firingId: row.firing_id,
    status: row.status,
    requestedBy: row.requested_by ?? undefined,
    reason: row.reason ?? undefined,
    error: row.error ?? undefined,
    count: row.count,
    scheduledAtMs: row.scheduled_at_ms ?? undefined,
    occurredAtMs: row.occurred_at_ms ?? undefined,
    receivedAtMs: row.received_at_ms,
    startedAtMs: row.run_id === null ? undefined : row.run_created_at_ms,
    event: row.event === null ? undefined : { id: row.id, type: row.type, digest: row.digest },
    duplicates: row.duplicates ?? 0,
    refireOf: row.refire_of ?? undefined,
    run:
      row.run_id === null
        ? undefined
        : { runId: row.run_id, procedureVersion: row.procedure_version, status: row.run_status },
  };
}
