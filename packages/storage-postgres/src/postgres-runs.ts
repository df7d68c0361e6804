import type { JournalRow, KeyHolder, RunRow, RunStore, Scope } from "@procedo/storage";
import { assertStorable, runCursorQuery } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { batchedLookup } from "./batched-lookups.ts";
import { postgresCommit } from "./postgres-commit.ts";
import { postgresHeads } from "./postgres-heads.ts";
import type { PostgresQueue } from "./postgres-queue.ts";
import { runColumns, runPages, type StoredRun, triggerOf } from "./postgres-run-pages.ts";
import { runSearch } from "./postgres-run-search.ts";
import { pageOfSearch } from "./postgres-search.ts";
import { postgresRunTally } from "./postgres-tallies.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

export function postgresRuns(context: PostgresContext, queue: PostgresQueue): RunStore {
  const { database, nowMs, announce } = context;
  const { schema } = database;
  const ofScope = `run_id = $1 AND ${matchesUnindexed("workspace, environment", "$2, $3")}`;
  const selectRuns: Statement = {
    name: "runs-get",
    text: `SELECT ${runColumns}, workspace, environment, ${triggerOf(schema, "runs")} FROM ${schema}.runs WHERE run_id = ANY ($1::text[])`,
  };
  const findRun = batchedLookup({
    find: (runIds) => database.query<StoredRun & Scope>(selectRuns, [runIds]),
    keysOf: ({ run_id }) => [run_id],
    timeLimit: database.timeLimit,
  });
  const rowsBehind = `${schema}.journal WHERE run_id = $1 AND seq > $4 AND EXISTS (SELECT FROM ${schema}.runs WHERE ${ofScope})`;
  const selectJournal: Statement = {
    name: "runs-journal",
    text: `SELECT seq, hash, body FROM ${rowsBehind} ORDER BY seq`,
  };
  // Sums the lengths first: Postgres knows the length of a long body without reading it.
  const selectJournalPage: Statement = {
    name: "runs-journal-page",
    text: `SELECT seq, hash, body FROM ${schema}.journal
            WHERE run_id = $1 AND seq > $4 AND seq <= (
              SELECT max(seq) FROM (SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq) AS bytes,
                                           row_number() OVER (ORDER BY seq) AS number
                                      FROM ${rowsBehind}) AS page
               WHERE bytes <= $5 OR number = 1)
            ORDER BY seq`,
  };
  const selectOutput: Statement = {
    name: "runs-output",
    text: `SELECT octet_length(output) AS bytes, CASE WHEN octet_length(output) <= $4 THEN output END AS text
             FROM ${schema}.runs WHERE ${ofScope} AND output IS NOT NULL`,
  };
  const selectHolder: Statement = {
    name: "runs-find-by-key",
    text: `SELECT run_id AS "runId", digest, procedure_version AS "procedureVersion", started_by AS "startedBy"
             FROM ${schema}.idempotency JOIN ${schema}.runs USING (run_id)
            WHERE key = $1 AND expires_at_ms > ${sqlNow("$2")}`,
  };
  // A run that another transaction has claimed meanwhile is checked again once its lock is free.
  const wakeWaiting: Statement = {
    name: "runs-wake",
    text: `WITH waiting AS MATERIALIZED (
             SELECT run_id FROM ${schema}.runs
              WHERE run_id = ANY (ARRAY(
                      SELECT run_id FROM ${schema}.connection_waits AS waits
                       WHERE workspace = $1 AND environment = $2 AND connection_id = $3
                         AND seq = (SELECT max(seq) FROM ${schema}.journal WHERE journal.run_id = waits.run_id)
                         AND EXISTS (SELECT FROM ${schema}.runs AS run
                                      WHERE run.run_id = waits.run_id AND worker_id IS NULL
                                        AND (wake_at_ms IS NULL OR wake_at_ms > ${sqlNow("$5")}))
                       ORDER BY run_id LIMIT $4))
                AND ended_at_ms IS NULL AND worker_id IS NULL AND ${matchesUnindexed("status", "'running'")}
                AND (wake_at_ms IS NULL OR wake_at_ms > ${sqlNow("$5")})
              ORDER BY run_id FOR UPDATE
           ), woken AS (
             UPDATE ${schema}.runs SET wake_at_ms = ${sqlNow("$5")}
              WHERE run_id = ANY (ARRAY(SELECT run_id FROM waiting)) RETURNING run_id
           ), over AS (
             DELETE FROM ${schema}.connection_waits WHERE run_id = ANY (ARRAY(SELECT run_id FROM waiting))
           )
           SELECT count(*) AS count FROM woken`,
  };
  const selectPage = runPages(database);

  return {
    commit: postgresCommit(context),

    claim: (request) => database.transaction((tx) => queue.claim(tx, request)),

    async wake({ scope, waitsFor, limit }) {
      const values = [scope.workspace, scope.environment, waitsFor, limit, nowMs()];
      const [answer] = await database.query<{ count: number }>(wakeWaiting, values);
      const count = answer?.count ?? 0;
      if (count > 0) announce([{ type: "claimable" }]);
      return count;
    },

    async get({ scope, runId }) {
      const [row] = await findRun(runId);
      return row?.workspace === scope.workspace && row.environment === scope.environment
        ? rowOf(scope, row)
        : undefined;
    },

    async findByKey({ scope, procedureId, idempotencyKey }) {
      assertStorable(idempotencyKey);
      const key = idempotencyKeyOf(scope, procedureId, idempotencyKey);
      const [holder] = await database.query<KeyHolder>(selectHolder, [key, nowMs()]);
      return holder;
    },

    journal: ({ scope, runId, afterSeq = 0, maxBytes }) => {
      const behind = [runId, scope.workspace, scope.environment, afterSeq];
      return maxBytes === undefined
        ? database.query<JournalRow>(selectJournal, behind)
        : database.query<JournalRow>(selectJournalPage, [...behind, maxBytes]);
    },

    async output({ scope, runId, maxBytes }) {
      const values = [runId, scope.workspace, scope.environment, maxBytes];
      const [found] = await database.query<{ bytes: number; text: string | null }>(selectOutput, values);
      return found === undefined ? undefined : { bytes: found.bytes, text: found.text ?? undefined };
    },

    list: async (request) => {
      const { scope, search } = request;
      const page = { ...request, query: runCursorQuery(request), itemOf: (row: StoredRun) => rowOf(scope, row) };
      if (search !== undefined) {
        return await pageOfSearch({
          ...{ ...page, search },
          ...runSearch(database, request, search),
          positionOf: (row) => [row.reference, row.created_at_ms, row.run],
        });
      }
      return await pageOf({
        ...page,
        shape: ["number", "number"],
        rowsAfter: (position, count) => selectPage(request, position, count),
        positionOf: (row) => [row.created_at_ms, row.run],
      });
    },

    tally: postgresRunTally(context),

    heads: postgresHeads(context),
  };
}

function rowOf(scope: Scope, row: StoredRun): RunRow {
  return {
    scope,
    runId: row.run_id,
    procedureId: row.procedure_id,
    procedureVersion: row.procedure_version,
    status: row.status,
    startedBy: row.started_by,
    reference: row.reference ?? undefined,
    trigger: row.trigger ?? undefined,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
    error: row.error ?? undefined,
  };
}
