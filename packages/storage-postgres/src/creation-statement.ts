import { commitColumns, type CommitPart } from "./commit-columns.ts";
import { committedItemsSql, type CommitStatement } from "./commit-statement.ts";
import { itemsSql, type ItemCount } from "./item-rows.ts";
import { sqlNow } from "./statement.ts";

/**
 * For the first rows of new runs, and nothing else. Nobody else knows of these runs, so there is nothing to lock. An
 * idempotency key that somebody holds, also one that has expired, keeps its item from being named: the whole statement
 * finds out more. What another transaction took since this one began, a key or a run, lets its primary key refuse the
 * statement; the items are judged anew then, and the key is seen.
 */
export function creationStatement(schema: string, parts: readonly CommitPart[], count: ItemCount): CommitStatement {
  const hasKeys = parts.includes("key");
  const columns = commitColumns.filter(
    ({ part }) => part === undefined || part === "create" || (hasKeys && part === "key"),
  );
  const bodies = `$${columns.length + 1}::text[]`;
  const isNew = hasKeys ? "WHERE held IS NULL" : "";
  const text = `
WITH created AS MATERIALIZED (
  SELECT item.*${hasKeys ? `, (SELECT true FROM ${schema}.idempotency AS held WHERE held.key = item.key) AS held` : ""}
    FROM ${itemsSql(columns, count, "as given")}
)${
    hasKeys
      ? `, keyed AS (
  INSERT INTO ${schema}.idempotency (key, run_id, digest, expires_at_ms)
  SELECT key, run_id, key_digest, key_expires_at_ms FROM created WHERE key IS NOT NULL AND held IS NULL
   ORDER BY key COLLATE "C"
)`
      : ""
  }, placed AS (
  INSERT INTO ${schema}.runs (run_id, workspace, environment, procedure_id, procedure_version, started_by, created_at_ms,
                              status, epoch, worker_id, wake_at_ms, ended_at_ms, error)
  SELECT run_id, workspace, environment, procedure_id, procedure_version, started_by, created_at_ms,
         status, epoch, worker_id, wake_at_ms, ended_at_ms, error
    FROM created ${isNew}
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body) SELECT run_id, seq, hash, (${bodies})[ord] FROM created ${isNew}
)
${committedItemsSql(`wake_at_ms <= ${sqlNow(`$${columns.length + 2}`)}`)} FROM created ${isNew}`;
  return {
    name: ["commit-new", ...(hasKeys ? ["key"] : []), ...(count === "one" ? [count] : [])].join("-"),
    text,
    columns,
    asksTime: true,
    isShort: true,
  };
}
