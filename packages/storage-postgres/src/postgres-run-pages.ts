import type { ExaminedEnd, RunAttention, RunQuery, RunStatus } from "@procedo/storage";
import { cancelledError, wantedStatuses } from "@procedo/storage";
import type { Database } from "./database.ts";
import { filteredRowsSql, type FilteredList } from "./filtered-rows.ts";
import type { SqlValue } from "./statement.ts";

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
  /** What started the run, as its creator stated it. */
  readonly trigger: string | null;
}

/** The columns of a {@link StoredRun} in its table: all but its trigger. */
export const runColumns =
  "run, run_id, procedure_id, procedure_version, status, started_by, reference, created_at_ms, ended_at_ms, error";

/** Adds the triggers of listed runs to a query for their rows, in the same order. */
export function withTriggers(schema: string, rows: string, orderBy: string): string {
  return `SELECT page.*, ${triggerOf(schema, "page")} FROM (${rows}) AS page ORDER BY ${orderBy}`;
}

/** The column `trigger` of a table of runs. */
export function triggerOf(schema: string, runs: string): string {
  return `(SELECT body FROM ${schema}.run_triggers WHERE run_triggers.run_id = ${runs}.run_id LIMIT 1) AS trigger`;
}

/** Reads up to `count` runs after a position, newest first. */
export type RunPages = (
  query: RunQuery,
  after: readonly [createdAtMs: number, run: number] | undefined,
  count: number,
) => Promise<readonly (StoredRun & ExaminedEnd)[]>;

export function runPages(database: Database): RunPages {
  return async (query, after, count) => {
    const statuses = wantedStatuses(query);
    if (statuses?.length === 0) return [];
    const { scope, fromMs = Number.MIN_SAFE_INTEGER, toMs = Number.MAX_SAFE_INTEGER } = query;
    // A position before every run that was created at `toMs`: run numbers are positive.
    const values: SqlValue[] = [scope.workspace, scope.environment, fromMs, ...(after ?? [toMs, 0]), count];
    const list = listOf(database.schema, query, statuses, (value) => `$${values.push(value)}`);
    const orderBy = list.filters.length === 0 ? newestFirst : `"isExaminedEnd", ${newestFirst}`;
    const text = withTriggers(database.schema, filteredRowsSql(list, "$6"), orderBy);
    return database.query({ name: nameOf(query, statuses, list), text }, values);
  };
}

const newestFirst = "created_at_ms DESC, run DESC";

/**
 * Runs of open and failed statuses are found by the partial indexes of these statuses. All others are found by time:
 * most runs are completed.
 *
 * @param bind adds a value, and returns its parameter
 */
function listOf(
  schema: string,
  { procedureId, startedBy, version, triggerId, attention }: RunQuery,
  statuses: readonly RunStatus[] | undefined,
  bind: (value: SqlValue) => string,
): FilteredList {
  // The status is a literal in the SQL, so that Postgres recognizes a partial index.
  const select = (more: string, limit: string): string => `
    SELECT ${runColumns} FROM ${schema}.runs
     WHERE workspace = $1 AND environment = $2 AND created_at_ms >= $3 AND (created_at_ms, run) < ($4, $5) ${more}
     ORDER BY ${newestFirst} LIMIT ${limit}`;
  const list = { orderBy: newestFirst };
  const ofProcedure = procedureId === undefined ? undefined : `procedure_id = ${bind(procedureId)}`;
  const filters = [
    ...(startedBy === undefined ? [] : [`started_by = ${bind(startedBy)}`]),
    ...(version === undefined ? [] : [`procedure_version = ${bind(version)}`]),
    ...(attention === undefined ? [] : [needsAttention(attention, bind)]),
  ];
  if (triggerId !== undefined) {
    if (ofProcedure !== undefined) filters.push(ofProcedure);
    if (statuses !== undefined) filters.push(statusIn(statuses));
    const trigger = bind(triggerId);
    return { ...list, ordered: (limit) => selectOfTrigger(schema, trigger, limit), filters };
  }
  if (statuses === undefined || statuses.includes("completed")) {
    if (statuses !== undefined) filters.push(statusIn(statuses));
    const more = ofProcedure === undefined ? "" : `AND ${ofProcedure}`;
    return { ...list, ordered: (limit) => select(more, limit), filters };
  }
  if (ofProcedure !== undefined) filters.push(ofProcedure);
  const isBounded = attention !== undefined && statuses.includes("failed");
  const startedSince = isBounded ? ` AND created_at_ms >= ${bind(attention.startedSinceMs)}` : "";
  const conditionOf = (status: RunStatus): string =>
    `AND status = '${status}'${status === "failed" ? startedSince : ""}`;
  const [first = "running", ...others] = statuses;
  if (others.length === 0) return { ...list, ordered: (limit) => select(conditionOf(first), limit), filters };
  return {
    ...list,
    ordered: (limit) => {
      const parts = statuses.map((status) => `(${select(conditionOf(status), limit)})`);
      return `${parts.join(" UNION ALL ")} ORDER BY ${newestFirst} LIMIT ${limit}`;
    },
    parts: statuses.length,
    filters,
  };
}

function statusIn(statuses: readonly RunStatus[]): string {
  return `status IN (${statuses.map((status) => `'${status}'`).join(", ")})`;
}

function selectOfTrigger(schema: string, trigger: string, limit: string): string {
  return `
    SELECT ${runColumns}
      FROM (SELECT run_id AS started_run_id FROM ${schema}.run_triggers
             WHERE workspace = $1 AND environment = $2 AND trigger_id = ${trigger} AND created_at_ms >= $3
               AND (created_at_ms, run) < ($4, $5)
             ORDER BY ${newestFirst} LIMIT ${limit}) AS started
      CROSS JOIN LATERAL (SELECT * FROM ${schema}.runs WHERE run_id = started_run_id LIMIT 1) AS found
     ORDER BY ${newestFirst} LIMIT ${limit}`;
}

/** Filters the runs of the statuses that may call for a person. */
export function needsAttention(
  { failedSinceMs, startedSinceMs }: RunAttention,
  bind: (value: SqlValue) => string,
): string {
  const isCancelled = `starts_with(coalesce(error, ''), '${cancelledError}')`;
  const isRecent = `ended_at_ms >= ${bind(failedSinceMs)} AND created_at_ms >= ${bind(startedSinceMs)}`;
  return `(status = 'awaiting_review' OR (${isRecent} AND NOT ${isCancelled}))`;
}

function nameOf(
  { procedureId, triggerId }: RunQuery,
  statuses: readonly RunStatus[] | undefined,
  { filters }: FilteredList,
): string {
  const ofProcedure = procedureId === undefined ? "" : "-of-procedure";
  if (triggerId !== undefined) return `runs-list-of-trigger${filters.length === 0 ? "" : "-filtered"}`;
  return `runs-list-${statuses?.join("-") ?? "any"}${ofProcedure}${filters.length === 0 ? "" : "-filtered"}`;
}
