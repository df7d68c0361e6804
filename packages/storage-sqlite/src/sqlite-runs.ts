import type { CommitResult, KeyHolder, RunRow, RunStore, Scope } from "@procedo/storage";
import { assertStorable, assertStorableCommit, runCursorQuery } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { procedoErrorOf } from "./sqlite-error.ts";
import type { Commits } from "./sqlite-commit.ts";
import { sqliteHeads } from "./sqlite-heads.ts";
import type { SqliteQueue } from "./sqlite-queue.ts";
import { sqliteRunTally } from "./sqlite-run-tally.ts";
import { runColumns, runPages, type StoredRun } from "./sqlite-run-pages.ts";
import { runSearch } from "./sqlite-run-search.ts";
import type { SqliteRunTriggers } from "./sqlite-run-triggers.ts";
import { nothingFound, pageOfSearch } from "./sqlite-search.ts";
import { prepare } from "./statement.ts";

export function sqliteRuns(
  context: SqliteContext,
  queue: SqliteQueue,
  { commitOne }: Commits,
  triggers: SqliteRunTriggers,
): RunStore {
  const { db, now, reader, writer, scopes } = context;
  const selectRun = prepare<StoredRun>(db, `SELECT ${runColumns} FROM runs WHERE run_id = ? AND scope = ?`);
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
  const find = runSearch(context);
  const rowOf = (scope: Scope, row: StoredRun): RunRow => runRow(scope, row, triggers.bodyOf(row.run));

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

    wake: (request) => writer.write((turn) => queue.wakeWaiting(turn, request), request.scope.environment),

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
      reader.snapshot(() => {
        const { scope, search } = request;
        const number = scopes.find(scope);
        const page = { ...request, query: runCursorQuery(request), itemOf: (row: StoredRun) => rowOf(scope, row) };
        if (search !== undefined) {
          return pageOfSearch({
            ...{ ...page, search },
            ...(number === undefined ? nothingFound : find(number, request, search)),
            positionOf: (row) => [row.reference, row.created_at_ms, row.run],
          });
        }
        return pageOf({
          ...page,
          shape: ["number", "number"],
          rowsAfter: (position, count) => (number === undefined ? [] : selectPage(number, request, position, count)),
          positionOf: (row) => [row.created_at_ms, row.run],
        });
      }),

    tally: sqliteRunTally(context),

    heads: sqliteHeads(context),
  };
}

function runRow(scope: Scope, row: StoredRun, trigger: string | undefined): RunRow {
  return {
    scope,
    runId: row.run_id,
    procedureId: row.procedure_id,
    procedureVersion: row.procedure_version,
    status: row.status,
    startedBy: row.started_by,
    reference: row.reference ?? undefined,
    trigger,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
    error: row.error ?? undefined,
  };
}
