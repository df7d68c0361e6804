import { matchesUnindexed } from "./unindexed.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

/** A row that the dispatch statement returns. There is at least one. */
export interface LeaseRow {
  /** `null`: no invocation was dispatched. */
  readonly invocation_id: string | null;
  readonly run_id: string;
  readonly function_name: string;
  readonly idempotent: boolean;
  readonly payload: string | null;
  readonly lease_ends_at_ms: number;
  /** Whether rows that can no longer be dispatched were removed from the queue. */
  readonly cleared: boolean;
  /** Whether more rows were locked than dispatched. */
  readonly left_over: boolean;
}

/**
 * Locks invocations of each function that can be dispatched, up to the limit, and leases the first ones overall. Rows
 * that another transaction locks are skipped. Postgres checks the condition again for a row that changed before it was
 * locked. Runs are only read: a run that ends at the same time ends after this statement.
 *
 * If some rows can no longer be dispatched, the statement only removes them from the queue: rows behind them may come
 * first.
 *
 * Parameters: workspace, environment, connection, functions, limit, token, lease in milliseconds, the injected clock's
 * time or null, and the number of rows to read of each function.
 */
export function leaseStatement(schema: string): Statement {
  const due = (when: string, order: string): string => `
    SELECT due.* FROM unnest($4::text[]) AS wanted (name) CROSS JOIN LATERAL (
      SELECT invocation_id, invocation, run_id, function_name, idempotent, payload, deadline_ms, lease_ends_at_ms
        FROM ${schema}.invocations
       WHERE workspace = $1 AND environment = $2 AND connection_id = $3 AND function_name = wanted.name
         AND next = 'lease' AND ${when}
       ORDER BY ${order} LIMIT $9::bigint FOR UPDATE SKIP LOCKED) AS due`;
  return {
    name: "invocations-lease",
    text: `
WITH clock AS MATERIALIZED (
  SELECT ${sqlNow("$8")} AS now_ms
), lost AS MATERIALIZED (${due("lease_ends_at_ms <= (SELECT now_ms FROM clock)", "lease_ends_at_ms, invocation")}
), queued AS MATERIALIZED (${due("lease_ends_at_ms IS NULL", "lease_ends_at_ms, invocation")}
), found AS MATERIALIZED (
  SELECT offered.*,
         deadline_ms > (SELECT now_ms FROM clock)
           AND (SELECT ended_at_ms FROM ${schema}.runs WHERE runs.run_id = offered.run_id) IS NULL AS open
    FROM (SELECT * FROM lost UNION ALL SELECT * FROM queued) AS offered
), taken AS MATERIALIZED (
  SELECT * FROM found WHERE NOT EXISTS (SELECT FROM found WHERE NOT open) ORDER BY lease_ends_at_ms NULLS LAST, invocation LIMIT $5::bigint
), cleared AS (
  UPDATE ${schema}.invocations SET next = NULL
   WHERE invocation_id = ANY (ARRAY(SELECT invocation_id FROM found WHERE NOT open))
), handed_out AS (
  UPDATE ${schema}.invocations
     SET status = 'leased', lease_token = $6, lease_ends_at_ms = (SELECT now_ms FROM clock) + $7::bigint
   WHERE invocation_id = ANY (ARRAY(SELECT invocation_id FROM taken))
)
SELECT invocation_id, run_id, function_name, idempotent, payload, now_ms + $7::bigint AS lease_ends_at_ms,
       EXISTS (SELECT FROM found WHERE NOT open) AS cleared,
       (SELECT count(*) FROM found) > (SELECT count(*) FROM taken) AS left_over
  FROM clock LEFT JOIN taken ON true
 ORDER BY taken.lease_ends_at_ms NULLS LAST, invocation`,
  };
}

/**
 * Parameters: ids and tokens in two arrays, workspace, environment, connection, lease in milliseconds, and the injected
 * clock's time or null. Returns the positions of the extended invocations, and of those that have lapsed.
 */
export function extendStatement(schema: string): Statement {
  return {
    name: "invocations-extend",
    text: `
WITH clock AS MATERIALIZED (
  SELECT ${sqlNow("$7")} AS now_ms
), locked AS MATERIALIZED (
  SELECT invocation_id, run_id, status, lease_token, deadline_ms FROM ${schema}.invocations
   WHERE invocation_id = ANY ($1::text[]) AND ${matchesUnindexed("workspace, environment, connection_id", "$3, $4, $5")}
   ORDER BY invocation_id FOR UPDATE
), held AS MATERIALIZED (
  SELECT invocation_id, lease_token, status = 'lapsed' AS lapsed FROM locked
   WHERE (status IN ('acknowledged', 'lapsed') OR (status = 'leased' AND deadline_ms > (SELECT now_ms FROM clock)))
     AND (SELECT ended_at_ms FROM ${schema}.runs WHERE runs.run_id = locked.run_id) IS NULL
), asked AS MATERIALIZED (
  SELECT number, held.invocation_id, lapsed
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (id, token, number)
    JOIN held ON (held.invocation_id, held.lease_token) = (id, token)
), extended AS (
  UPDATE ${schema}.invocations
     SET status = 'acknowledged', lease_ends_at_ms = (SELECT now_ms FROM clock) + $6::bigint,
         next = CASE WHEN idempotent THEN 'lease' ELSE 'lapse' END
   WHERE invocation_id = ANY (ARRAY(SELECT invocation_id FROM asked WHERE NOT lapsed))
)
SELECT number, lapsed FROM asked`,
  };
}

/**
 * Settles an invocation, in a transaction that holds the run's row. Parameters: id, token, body, whether the run has
 * ended, and the time. Returns the answer to the result.
 */
export function settleStatement(schema: string): Statement {
  return {
    name: "invocations-settle",
    text: `
WITH locked AS MATERIALIZED (
  SELECT invocation_id, run_id, effect_key, status, lease_token IS NOT DISTINCT FROM $2 AS same
    FROM ${schema}.invocations WHERE invocation_id = $1 FOR UPDATE
), judged AS MATERIALIZED (
  SELECT *, CASE WHEN status = 'settled' THEN CASE WHEN same THEN 'repeated' ELSE 'stale' END
                 WHEN status = 'withdrawn' OR $4::boolean THEN 'ended'
                 WHEN NOT same THEN 'stale'
                 WHEN (SELECT true FROM ${schema}.inbox
                        WHERE inbox.run_id = locked.run_id AND inbox.effect_key = locked.effect_key) THEN 'ended'
                 ELSE 'accepted' END AS answer
    FROM locked
), accepted AS MATERIALIZED (
  SELECT * FROM judged WHERE answer = 'accepted'
), settled AS (
  UPDATE ${schema}.invocations SET status = 'settled', next = NULL, payload = NULL
   WHERE invocation_id = (SELECT invocation_id FROM accepted)
), notified AS (
  INSERT INTO ${schema}.inbox (run_id, effect_key, body) SELECT run_id, effect_key, $3 FROM accepted
), closed AS (
  UPDATE ${schema}.reviews SET status = 'settled', closed_at_ms = $5::bigint
   WHERE run_id = (SELECT run_id FROM accepted) AND ${matchesUnindexed("status", "'open'")}
     AND effect_key = (SELECT effect_key FROM accepted)
)
SELECT answer FROM judged`,
  };
}

/**
 * Marks invocations whose leases have expired as lapsed, and removes those of ended runs from the queue, in a transaction that holds the
 * rows of these runs. Parameters: ids of invocations, and the time. Returns both kinds.
 */
export function expireLeasesStatement(schema: string): Statement {
  return {
    name: "invocations-expire-leases",
    text: `
WITH locked AS MATERIALIZED (
  SELECT invocation_id, run_id, effect_key FROM ${schema}.invocations
   WHERE invocation_id = ANY ($1::text[]) AND ${matchesUnindexed("next", "'lapse'")} AND lease_ends_at_ms <= $2::bigint
   ORDER BY invocation_id FOR UPDATE
), found AS MATERIALIZED (
  SELECT *, (SELECT ended_at_ms FROM ${schema}.runs WHERE runs.run_id = locked.run_id) IS NOT NULL AS ended FROM locked
), left_queue AS (
  UPDATE ${schema}.invocations SET next = NULL
   WHERE invocation_id = ANY (ARRAY(SELECT invocation_id FROM found WHERE ended))
), lapsed AS (
  UPDATE ${schema}.invocations SET status = 'lapsed', next = NULL, payload = NULL
   WHERE invocation_id = ANY (ARRAY(SELECT invocation_id FROM found WHERE NOT ended))
)
SELECT invocation_id, effect_key, ended FROM found`,
  };
}

/**
 * Parameters: run, effect key, workspace, environment. Returns the current state of the invocation; no row without one.
 */
export function withdrawStatement(schema: string): Statement {
  return {
    name: "invocations-withdraw",
    text: `
WITH locked AS MATERIALIZED (
  SELECT invocation_id, status, status = 'queued' OR (status = 'leased' AND NOT idempotent) AS unbegun
    FROM ${schema}.invocations
   WHERE run_id = $1 AND effect_key = $2 AND ${matchesUnindexed("workspace, environment", "$3, $4")}
     FOR UPDATE
), withdrawn AS (
  UPDATE ${schema}.invocations SET status = 'withdrawn', next = NULL, payload = NULL
   WHERE invocation_id = (SELECT invocation_id FROM locked WHERE unbegun)
)
SELECT CASE WHEN unbegun THEN 'withdrawn' WHEN status = 'leased' THEN 'acknowledged' ELSE status END AS answer
  FROM locked`,
  };
}
