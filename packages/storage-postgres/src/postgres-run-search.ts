import { afterPrefix, wantedStatuses } from "@procedo/storage";
import type { RunQuery } from "@procedo/storage";
import type { Database } from "./database.ts";
import { filteredRowsSql } from "./filtered-rows.ts";
import { needsAttention, runColumns, type StoredRun, withTriggers } from "./postgres-run-pages.ts";
import type { FoundRows } from "./postgres-search.ts";
import type { SqlValue } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

/** Reads the run with an id, and the runs whose reference begins with a text. */
export function runSearch(
  database: Database,
  query: RunQuery,
  search: string,
): { readonly byId: FoundRows<StoredRun>; readonly byReference: FoundRows<StoredRun> } {
  const { scope, procedureId, startedBy, version, attention, triggerId, fromMs, toMs } = query;
  const { schema } = database;
  const statuses = wantedStatuses(query);
  const startedBySql = `(SELECT trigger_id FROM ${schema}.run_triggers WHERE run_triggers.run_id = examined.run_id)`;
  const filtersOf = (bind: (value: SqlValue) => string): readonly string[] => [
    ...(fromMs === undefined ? [] : [`created_at_ms >= ${bind(fromMs)}`]),
    ...(toMs === undefined ? [] : [`created_at_ms < ${bind(toMs)}`]),
    ...(procedureId === undefined ? [] : [`procedure_id = ${bind(procedureId)}`]),
    ...(startedBy === undefined ? [] : [`started_by = ${bind(startedBy)}`]),
    ...(version === undefined ? [] : [`procedure_version = ${bind(version)}`]),
    ...(attention === undefined ? [] : [needsAttention(attention, bind)]),
    ...(triggerId === undefined ? [] : [`${startedBySql} = ${bind(triggerId)}`]),
    ...(statuses === undefined ? [] : [`status = ANY (${bind(statuses)}::text[])`]),
  ];

  return {
    byId: async (after, count) => {
      if (after !== undefined) return [];
      const values: SqlValue[] = [scope.workspace, scope.environment, count, search];
      const filters = filtersOf((value) => `$${values.push(value)}`);
      const ordered = (limit: string): string => `
        SELECT ${runColumns} FROM ${schema}.runs
         WHERE run_id = $4 AND ${matchesUnindexed("workspace, environment", "$1, $2")} LIMIT ${limit}`;
      const rows = filteredRowsSql({ ordered, orderBy: "run", filters }, "$3");
      const text = withTriggers(schema, rows, filters.length === 0 ? "run" : `"isExaminedEnd", run`);
      return await database.query({ name: "runs-search-id", text }, values);
    },

    byReference: async (after, count) => {
      const values: SqlValue[] = [scope.workspace, scope.environment, count, search];
      const bind = (value: SqlValue): string => `$${values.push(value)}`;
      const end = afterPrefix(search);
      const [, ...position] = after ?? [1, end ?? "", Number.MIN_SAFE_INTEGER, 0];
      const isBounded = after !== undefined || end !== undefined;
      const bound = isBounded ? `AND (reference, created_at_ms, run) < (${position.map(bind).join(", ")})` : "";
      const orderBy = "reference DESC, created_at_ms DESC, run DESC";
      const ordered = (limit: string): string => `
        SELECT ${runColumns} FROM ${schema}.runs
         WHERE workspace = $1 AND environment = $2 AND reference IS NOT NULL AND reference >= $4 ${bound}
         ORDER BY ${orderBy} LIMIT ${limit}`;
      const filters = ["run_id <> $4", ...filtersOf(bind)];
      const text = withTriggers(
        schema,
        filteredRowsSql({ ordered, orderBy, filters }, "$3"),
        `"isExaminedEnd", ${orderBy}`,
      );
      return await database.query({ name: "runs-search-reference", text }, values);
    },
  };
}
