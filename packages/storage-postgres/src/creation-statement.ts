import { commitColumns, type CommitPart } from "./commit-columns.ts";
import type { CommitStatement } from "./commit-statement.ts";
import { itemsSql, type ItemCount } from "./item-rows.ts";
import { sqlNow } from "./statement.ts";

/**
 * For the first rows of new runs, and nothing else. Nobody else knows of these runs, so there is nothing to lock and
 * nothing to look up; what is there already says so itself. An idempotency key that somebody holds, also one that has
 * expired, keeps its item from being answered, and a run that is there lets the primary key refuse the statement: the
 * whole statement finds out more.
 */
export function creationStatement(schema: string, parts: readonly CommitPart[], count: ItemCount): CommitStatement {
  const hasKeys = parts.includes("key");
  const columns = commitColumns.filter(
    ({ part }) => part === undefined || part === "create" || (hasKeys && part === "key"),
  );
  const bodies = `$${columns.length + 1}::text[]`;
  const text = `
WITH created AS MATERIALIZED (
  SELECT * FROM ${itemsSql(columns, count)}
)${
    hasKeys
      ? `, keyed AS (
  INSERT INTO ${schema}.idempotency (key, run_id, digest, expires_at_ms)
  SELECT key, run_id, key_digest, key_expires_at_ms FROM created WHERE key IS NOT NULL ORDER BY key
      ON CONFLICT (key) DO NOTHING
  RETURNING run_id
), fit AS MATERIALIZED (
  SELECT * FROM created WHERE key IS NULL OR (run_id IN (SELECT run_id FROM keyed)) IS TRUE
)`
      : ", fit AS (SELECT * FROM created)"
  }, placed AS (
  INSERT INTO ${schema}.runs (run_id, workspace, environment, procedure_id, procedure_version, started_by, created_at_ms,
                              status, epoch, worker_id, wake_at_ms, ended_at_ms, error)
  SELECT run_id, workspace, environment, procedure_id, procedure_version, started_by, created_at_ms,
         status, epoch, worker_id, wake_at_ms, ended_at_ms, error
    FROM fit ORDER BY ord
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body) SELECT run_id, seq, hash, (${bodies})[ord] FROM fit
)
SELECT ord, 'commit' AS outcome, coalesce(wake_at_ms <= ${sqlNow(`$${columns.length + 2}`)}, false) AS claimable FROM fit`;
  return {
    name: ["commit-new", ...(hasKeys ? ["key"] : []), ...(count === "one" ? [count] : [])].join("-"),
    text,
    columns,
    asksTime: true,
  };
}
