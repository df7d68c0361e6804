import type { ExaminedEnd, RunAttention, RunQuery, RunStatus } from "@procedo/storage";
import { cancelledError, wantedStatuses } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { filteredRows, type FilteredList } from "./filtered-rows.ts";

/** A run, read from its row. */
export interface StoredRun {
  readonly run: number;
  readonly run_id: string;
  readonly procedure_id: string;
  readonly procedure_version: string;
  readonly status: RunStatus;
  readonly started_by: string;
  readonly reference: string | null;
  readonly created_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly error: string | null;
}

/** The columns of a {@link StoredRun}. */
export const runColumns =
  "run, run_id, procedure_id, procedure_version, status, started_by, reference, created_at_ms, ended_at_ms, error";

/** Reads up to `count` runs after a position, newest first. Must be called within a snapshot. */
export type RunPages = (
  scope: number,
  query: RunQuery,
  after: readonly [createdAtMs: number, run: number] | undefined,
  count: number,
) => readonly (StoredRun & ExaminedEnd)[];

export function runPages({ db }: SqliteContext): RunPages {
  const read = filteredRows<StoredRun>(db);

  return (scope, query, after, count) => {
    const statuses = wantedStatuses(query);
    if (statuses?.length === 0) return [];
    const { procedureId = null, fromMs = -Infinity, toMs = Infinity, startedBy = null, version = null } = query;
    // A position before every run that was created at `toMs`: run numbers are positive.
    const [beforeMs, beforeRun] = after ?? [toMs, 0];
    const { failedSinceMs = null, startedSinceMs = null } = query.attention ?? {};
    const place = [scope, procedureId, fromMs, beforeMs, beforeRun];
    const filters = [startedBy, version, failedSinceMs, startedSinceMs, query.triggerId ?? null];
    return read(listOf(query, statuses), [...place, ...filters], count);
  };
}

const newestFirst = "created_at_ms DESC, run DESC";

/**
 * Runs of open and failed statuses are found by the partial indexes of these statuses. All others are found by time:
 * most runs are completed.
 */
function listOf(query: RunQuery, statuses: readonly RunStatus[] | undefined): FilteredList {
  const filters = [
    ...(query.startedBy === undefined ? [] : ["started_by = ?6"]),
    ...(query.version === undefined ? [] : ["procedure_version = ?7"]),
    ...(query.attention === undefined ? [] : [needsAttention("?8", "?9")]),
  ];
  if (query.triggerId !== undefined) {
    if (query.procedureId !== undefined) filters.push("procedure_id = ?2");
    if (statuses !== undefined) filters.push(isOneOf(statuses));
    return { ordered: (limit) => `${startedByTrigger} LIMIT ${limit}`, filters };
  }
  if (statuses === undefined || statuses.includes("completed")) {
    if (statuses !== undefined) filters.push(isOneOf(statuses));
    const source =
      query.procedureId === undefined ? select("runs_by_time") : `${select("runs_by_procedure")} AND procedure_id = ?2`;
    return { ordered: (limit) => `${source} ORDER BY ${newestFirst} LIMIT ${limit}`, filters };
  }
  if (query.procedureId !== undefined) filters.push("procedure_id = ?2");
  const sources = statuses.map((status) => ofStatus(status, query.attention));
  return {
    ordered: (limit) => {
      const parts = sources.map((source) => `SELECT * FROM (${source} ORDER BY ${newestFirst} LIMIT ${limit})`);
      return `${parts.join(" UNION ALL ")} ORDER BY ${newestFirst} LIMIT ${limit}`;
    },
    parts: sources.length,
    filters,
  };
}

function isOneOf(statuses: readonly RunStatus[]): string {
  return `status IN (${statuses.map((status) => `'${status}'`).join(", ")})`;
}

/** CROSS JOIN: the rows are found by the trigger, not by an index of runs that SQLite may prefer. */
const startedByTrigger = `SELECT ${runColumns} FROM run_triggers INDEXED BY run_triggers_by_time CROSS JOIN runs USING (run)
  WHERE run_scope = ?1 AND trigger_id = ?10 AND started_at_ms >= ?3 AND (started_at_ms, run) < (?4, ?5)
  ORDER BY started_at_ms DESC, run DESC`;

/** Filters the runs of the statuses that may call for a person. The parameters are those of `RunAttention`. */
export function needsAttention(failedSince: string, startedSince: string): string {
  const isCancelled = `substr(coalesce(error, ''), 1, ${cancelledError.length}) = '${cancelledError}'`;
  const hasFailed = `ended_at_ms >= ${failedSince} AND created_at_ms >= ${startedSince} AND NOT ${isCancelled}`;
  return `(status = 'awaiting_review' OR (${hasFailed}))`;
}

/** Names the index, because SQLite does not know how rare a status or a procedure is. */
function select(index: string, from = "?3"): string {
  return `SELECT ${runColumns} FROM runs INDEXED BY ${index}
    WHERE scope = ?1 AND created_at_ms >= ${from} AND (created_at_ms, run) < (?4, ?5)`;
}

/** The status is a literal in the SQL, so that SQLite recognizes a partial index. */
function ofStatus(status: RunStatus, attention: RunAttention | undefined): string {
  if (status === "running") return `${select("runs_open")} AND status = 'running' AND ended_at_ms IS NULL`;
  if (status === "awaiting_review") return `${select("runs_awaiting_review")} AND status = 'awaiting_review'`;
  return `${select("runs_failed", attention === undefined ? "?3" : "max(?3, ?9)")} AND status = 'failed'`;
}
