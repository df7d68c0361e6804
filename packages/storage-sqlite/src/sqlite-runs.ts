import type { CommitResult, KeyHolder, RunQuery, RunRow, RunStatus, RunStore, Scope } from "@procedo/storage";
import { assertStorable, assertStorableCommit } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { procedoErrorOf } from "./sqlite-error.ts";
import type { Commits } from "./sqlite-commit.ts";
import { sqliteHeads } from "./sqlite-heads.ts";
import type { SqliteQueue } from "./sqlite-queue.ts";
import type { Statement } from "./statement.ts";
import { prepare } from "./statement.ts";

interface StoredRun {
  readonly run: number;
  readonly run_id: string;
  readonly procedure_id: string;
  readonly procedure_version: string;
  readonly status: RunStatus;
  readonly started_by: string;
  readonly created_at_ms: number;
  readonly ended_at_ms: number | null;
  readonly error: string | null;
}

const columns = "run, run_id, procedure_id, procedure_version, status, started_by, created_at_ms, ended_at_ms, error";

export function sqliteRuns(context: SqliteContext, queue: SqliteQueue, { commitOne }: Commits): RunStore {
  const { db, now, reader, writer, scopes } = context;
  const selectRun = prepare<StoredRun>(db, `SELECT ${columns} FROM runs WHERE run_id = ? AND scope = ?`);
  const selectNumber = prepare<{ run: number }>(db, "SELECT run FROM runs WHERE run_id = ? AND scope = ?");
  const selectHolder = prepare<KeyHolder>(
    db,
    `SELECT run_id AS "runId", digest, procedure_version AS "procedureVersion", started_by AS "startedBy"
       FROM idempotency JOIN runs USING (run)
      WHERE idempotency.scope = ? AND idempotency.procedure_id = ? AND idempotency_key = ? AND expires_at_ms > ?`,
  );
  // The length is stored before the text. The text is read only on request.
  const selectOutput = prepare<{ bytes: number; text: string | null }>(
    db,
    `SELECT octet_length(output) AS bytes, CASE WHEN octet_length(output) <= ? THEN output END AS text
       FROM runs WHERE run_id = ? AND scope = ? AND output IS NOT NULL`,
  );
  const selectPage = runPages(context);

  return {
    async commit(commit) {
      try {
        assertStorableCommit(commit);
      } catch (error) {
        return { status: "refused", error };
      }
      return writer.write((turn): CommitResult => {
        const result = turn.part(() => commitOne(turn, commit));
        return result.done ? result.value : { status: "refused", error: procedoErrorOf(result.error) };
      }, commit.scope.environment);
    },

    claim: (request) => writer.write(() => queue.claim(request)),

    get: ({ scope, runId }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const row = number === undefined ? undefined : selectRun.get(runId, number);
        return row === undefined ? undefined : rowOf(scope, row);
      }),

    async findByKey({ scope, procedureId, idempotencyKey }) {
      assertStorable(idempotencyKey);
      return reader.read(() => {
        const number = scopes.find(scope);
        const holder = number === undefined ? undefined : selectHolder.get(number, procedureId, idempotencyKey, now());
        return holder === undefined ? undefined : { ...holder };
      });
    },

    journal: ({ scope, runId, afterSeq, maxBytes }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectNumber.get(runId, number);
        return found === undefined ? [] : queue.journal(found.run, afterSeq, maxBytes);
      }),

    output: ({ scope, runId, maxBytes }) =>
      reader.read(() => {
        const number = scopes.find(scope);
        const found = number === undefined ? undefined : selectOutput.get(maxBytes, runId, number);
        return found === undefined ? undefined : { bytes: found.bytes, text: found.text ?? undefined };
      }),

    list: (request) =>
      reader.read(() => {
        const { scope, status, procedureId, fromMs, toMs } = request;
        const number = scopes.find(scope);
        return pageOf({
          ...request,
          query: ["runs", scope.workspace, scope.environment, status, procedureId, fromMs, toMs],
          shape: ["number", "number"],
          rowsAfter: (position, count) => (number === undefined ? [] : selectPage(number, request, position, count)),
          positionOf: (row) => [row.created_at_ms, row.run],
          itemOf: (row) => rowOf(scope, row),
        });
      }),

    heads: sqliteHeads(context),
  };
}

type RunPages = (
  scope: number,
  query: RunQuery,
  after: readonly [createdAtMs: number, run: number] | undefined,
  count: number,
) => readonly StoredRun[];

function runPages({ db }: SqliteContext): RunPages {
  const statements = new Map<string, Statement<StoredRun>>();

  return (scope, { status, procedureId, fromMs, toMs }, after, count) => {
    const sql = pageSql(status, procedureId !== undefined);
    const statement = statements.get(sql) ?? prepare<StoredRun>(db, sql);
    statements.set(sql, statement);
    // A position before every run that was created at `toMs`: run numbers are positive.
    const [beforeMs, beforeRun] = after ?? [toMs ?? Infinity, 0];
    return statement.all(scope, procedureId ?? null, fromMs ?? -Infinity, beforeMs, beforeRun, count);
  };
}

/** The status is a literal in the SQL, so that SQLite recognizes a partial index. */
function pageSql(status: RunStatus | undefined, byProcedure: boolean): string {
  return `SELECT ${columns} FROM runs INDEXED BY ${indexFor(status, byProcedure)}
    WHERE scope = ?1 AND created_at_ms >= ?3 AND (created_at_ms, run) < (?4, ?5)
      ${status === undefined ? "" : `AND status = '${status}'`}
      ${status === "running" ? "AND ended_at_ms IS NULL" : ""}
      AND ${byProcedure ? "procedure_id = ?2" : "?2 IS NULL"}
    ORDER BY created_at_ms DESC, run DESC LIMIT +?6`;
}

/** Names the index, because SQLite does not know how rare a status or a procedure is. Most runs have ended. */
function indexFor(status: RunStatus | undefined, byProcedure: boolean): string {
  if (status === "running") return "runs_open";
  if (status === "awaiting_review") return "runs_awaiting_review";
  if (status === "failed") return "runs_failed";
  return byProcedure ? "runs_by_procedure" : "runs_by_time";
}

function rowOf(scope: Scope, row: StoredRun): RunRow {
  return {
    scope,
    runId: row.run_id,
    procedureId: row.procedure_id,
    procedureVersion: row.procedure_version,
    status: row.status,
    startedBy: row.started_by,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
    error: row.error ?? undefined,
  };
}
