import type { ArchivedHead, RetentionStore, RunStub } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { postgresArchive } from "./postgres-archive.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

interface ArchivableRow {
  readonly run: number;
  readonly runId: string;
  readonly endedAtMs: number;
  readonly seq: number | null;
  readonly hash: string | null;
  readonly busy: boolean;
}

interface StubRow extends ArchivedHead {
  readonly run: number;
}

export function postgresRetention(context: PostgresContext): RetentionStore {
  const { database } = context;
  const { schema } = database;

  // Reads the runs of a page even if they are busy, so that the next page starts after them. The join is lateral: for
  // an EXISTS, the planner may hash all pending deliveries.
  const selectArchivable: Statement = {
    name: "retention-archivable",
    text: `SELECT run, run_id AS "runId", ended_at_ms AS "endedAtMs", head.seq, head.hash,
                  unread > 0 OR sending.pending IS NOT NULL AS busy
             FROM ${schema}.runs
             LEFT JOIN LATERAL (SELECT seq, hash FROM ${schema}.journal WHERE journal.run_id = runs.run_id
                                 ORDER BY seq DESC LIMIT 1) AS head ON true
             LEFT JOIN LATERAL (SELECT true AS pending FROM ${schema}.deliveries
                                 WHERE deliveries.run_id = runs.run_id AND deliveries.status = 'pending' LIMIT 1) AS sending
                    ON true
            WHERE workspace = $1 AND environment = $2 AND ended_at_ms IS NOT NULL AND archived_at_ms IS NULL
              AND (ended_at_ms, run) > ($3, $4) AND ended_at_ms < $5
            ORDER BY ended_at_ms, run LIMIT $6`,
  };
  const head = `run_id AS "runId", seq, hash, ended_at_ms AS "endedAtMs", audit_seq AS "auditSeq"`;
  const selectStub: Statement = {
    name: "retention-stub",
    text: `SELECT ${head}, output FROM ${schema}.archived_runs
            WHERE run_id = $1 AND ${matchesUnindexed("workspace, environment", "$2, $3")}`,
  };
  const selectStubs: Statement = {
    name: "retention-stubs",
    text: `SELECT run, ${head} FROM ${schema}.archived_runs
            WHERE workspace = $1 AND environment = $2 AND (ended_at_ms, run) > ($3, $4)
            ORDER BY ended_at_ms, run LIMIT $5`,
  };
  // Postgres checks rows again that changed after the start of the statement, when it locks them.
  const removeExpired: Statement = {
    name: "retention-remove-expired",
    text: `WITH keys AS (
             DELETE FROM ${schema}.idempotency
              WHERE key = ANY (ARRAY(SELECT key FROM ${schema}.idempotency WHERE expires_at_ms <= $1
                                      ORDER BY expires_at_ms LIMIT $2))
                AND expires_at_ms <= $1 RETURNING key
           ), tests AS (
             DELETE FROM ${schema}.deliveries
              WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM ${schema}.deliveries
                                              WHERE run_id IS NULL AND workspace = $3 AND environment = $4
                                                AND created_at_ms < $5 AND status <> 'pending'
                                              ORDER BY created_at_ms LIMIT $2))
                AND status <> 'pending' RETURNING delivery_id, payload
           ), attempts AS (
             DELETE FROM ${schema}.delivery_attempts WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM tests))
           ), payloads AS (
             DELETE FROM ${schema}.payloads WHERE payload = ANY (ARRAY(SELECT payload FROM tests))
           )
           , unused AS (
             DELETE FROM ${schema}.budgets
              WHERE workspace = $3 AND environment = $4 AND reservations = 0 AND reserved_at_ms < $6
                AND budget = ANY (ARRAY(SELECT budget FROM ${schema}.budgets
                                         WHERE workspace = $3 AND environment = $4 AND created_at_ms >= 0 AND created_at_ms < $6
                                           AND reservations = 0 AND reserved_at_ms < $6
                                         ORDER BY created_at_ms LIMIT $2
                                           -- A transaction that is reserving from the budget holds its row.
                                           FOR UPDATE SKIP LOCKED)) RETURNING budget
           )
           SELECT (SELECT count(*) FROM keys) + (SELECT count(*) FROM tests) + (SELECT count(*) FROM unused) AS removed`,
  };

  const beginning = [Number.MIN_SAFE_INTEGER, 0] as const;

  return {
    ...postgresArchive(context),

    async archivable(request) {
      const { workspace, environment } = request.scope;
      const { endedBeforeMs } = request;
      const page = await pageOf({
        ...request,
        query: ["archivable", workspace, environment, endedBeforeMs],
        shape: ["number", "number"],
        rowsAfter: (position = beginning, count) => {
          const values = [workspace, environment, ...position, endedBeforeMs, count];
          return database.query<ArchivableRow>(selectArchivable, values);
        },
        positionOf: (row) => [row.endedAtMs, row.run],
        itemOf: (row) => row,
      });
      const items = page.items.flatMap(({ runId, seq, hash, endedAtMs, busy }) =>
        busy || seq === null || hash === null ? [] : [{ runId, seq, hash, endedAtMs }],
      );
      return { ...page, items };
    },

    async stub({ scope, runId }) {
      const values = [runId, scope.workspace, scope.environment];
      const [found] = await database.query<Omit<RunStub, "output"> & { output: string | null }>(selectStub, values);
      return found === undefined ? undefined : { ...found, output: found.output ?? undefined };
    },

    stubs: (request) => {
      const { workspace, environment } = request.scope;
      return pageOf({
        ...request,
        query: ["stubs", workspace, environment],
        shape: ["number", "number"],
        rowsAfter: (position = beginning, count) =>
          database.query<StubRow>(selectStubs, [workspace, environment, ...position, count]),
        positionOf: (row) => [row.endedAtMs, row.run],
        itemOf: ({ run: _run, ...archived }): ArchivedHead => archived,
      });
    },

    removeExpired: ({ scope, beforeMs, budgetsBeforeMs, limit }) =>
      database.transaction(async (tx) => {
        const values = [tx.nowMs, limit, scope.workspace, scope.environment, beforeMs, budgetsBeforeMs];
        const [row] = await tx.query<{ removed: number }>(removeExpired, values);
        return row?.removed ?? 0;
      }),
  };
}
