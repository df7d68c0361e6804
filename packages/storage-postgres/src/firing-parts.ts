/*
 * Parts of the statements that store events with their firings: those of other services (`take-statement.ts`) and those
 * of runs (`commit-effects.ts`).
 */
import { matchesUnindexed } from "./unindexed.ts";

/**
 * The triggers of a scope that hold one of the keys, as an array `ids` in the order of their ids; `NULL` for none.
 *
 * @param scope an expression: workspace and environment
 * @param keys an expression: a JSON array of texts
 */
export function takersSql(schema: string, scope: string, keys: string): string {
  return `(SELECT array_agg(DISTINCT records.id ORDER BY records.id) AS ids
             FROM json_array_elements_text(${keys}) AS wanted (wanted_key)
             JOIN ${schema}.record_keys ON record_keys.kind = 'trigger' AND record_key = wanted_key
             JOIN ${schema}.records USING (record)
            WHERE ${matchesUnindexed("records.workspace, records.environment", scope)})`;
}

/** The same text as `eventDedupeKey` returns. All parameters are expressions. */
export function eventDedupeKeySql(source: string, dedupeKey: string, receivedAtMs: string): string {
  return `'["event",' || to_json(${source})::text || ',' || to_json(${dedupeKey})::text || ',' || ${receivedAtMs} || ']'`;
}

/**
 * Inserts a firing of each event for each of its takers, pending ones with a row in the queue.
 *
 * @param from a table of events: `ord` and `place` for their order, `workspace`, `environment`, `event`, `taker_ids`,
 *   `firing_key` for the dedupe key of its firings, and `skip` for the reason why they are skipped
 */
export function storedFirings(schema: string, from: string, now: string): string {
  return `fired AS (
  INSERT INTO ${schema}.firings (workspace, environment, firing_id, trigger_id, event, received_at_ms, status, reason)
  SELECT workspace, environment, ${firingIdSql("taker.id", "firing_key")}, taker.id, event, ${now},
         CASE WHEN skip IS NULL THEN 'pending' ELSE 'skipped' END, skip
    FROM ${from} CROSS JOIN LATERAL unnest(taker_ids) WITH ORDINALITY AS taker (id, number)
   ORDER BY ord, place, taker.number
  RETURNING firing, workspace, environment, trigger_id, requested_by, status
), ${queuedFirings(schema, now)}`;
}

/** Puts the pending firings of `fired` into the queue. */
export function queuedFirings(schema: string, now: string): string {
  return `queued_firings AS (
  INSERT INTO ${schema}.firing_queue (firing, workspace, environment, trigger_id, is_manual, due_at_ms)
  SELECT firing, workspace, environment, trigger_id, requested_by IS NOT NULL, ${now} FROM fired WHERE status = 'pending'
)`;
}

/** The same id as `firingIdOf` returns: Postgres and JavaScript write these JSON texts alike. */
function firingIdSql(triggerId: string, dedupeKey: string): string {
  const json = `'[' || to_json(${triggerId})::text || ',' || to_json(${dedupeKey})::text || ']'`;
  return `'fir_' || left(encode(sha256(convert_to(${json}, 'UTF8')), 'hex'), 32)`;
}
