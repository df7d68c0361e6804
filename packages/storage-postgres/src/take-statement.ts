import type { EventBatch, IncomingEvent } from "@procedo/storage";
import { eventKeyOf } from "./event-key.ts";
import { eventDedupeKeySql, storedFirings, takersSql } from "./firing-parts.ts";
import { itemsSql, type ItemColumn } from "./item-rows.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

/** An event of one of the batches that a statement takes. */
export interface BatchedEvent {
  /** Position of the batch, from 0. */
  readonly number: number;
  readonly batch: EventBatch;
  readonly event: IncomingEvent;
}

/** The row that the statement returns for each event, in order. */
export interface TakenEvent {
  /** Whether a trigger of its batch has too many firings. */
  readonly is_refused: boolean;
  /** Whether it was stored. */
  readonly is_taken: boolean;
  readonly is_known: boolean;
  /** Number of triggers that take it. */
  readonly takers: number;
}

/** The columns of the statement. The arrays of bodies and headers, and the time, follow them. */
export const eventColumns: readonly ItemColumn<BatchedEvent>[] = [
  { name: "batch", type: "integer", valueOf: ({ number }) => number },
  { name: "workspace", type: "text", valueOf: ({ batch }) => batch.scope.workspace },
  { name: "environment", type: "text", valueOf: ({ batch }) => batch.scope.environment },
  { name: "max_backlog", type: "integer", valueOf: ({ batch }) => batch.maxBacklog },
  {
    name: "key",
    type: "text",
    valueOf: ({ batch, event }) => eventKeyOf(batch.scope, batch.source, event.dedupeKey),
  },
  { name: "source", type: "text", valueOf: ({ batch }) => batch.source },
  { name: "dedupe_key", type: "text", valueOf: ({ event }) => event.dedupeKey },
  { name: "dedupe_for_ms", type: "bigint", valueOf: ({ event }) => event.dedupeForMs },
  { name: "keys", type: "text", valueOf: ({ event }) => JSON.stringify(event.keys) },
  { name: "id", type: "text", valueOf: ({ event }) => event.id },
  { name: "type", type: "text", valueOf: ({ event }) => event.type },
  { name: "digest", type: "text", valueOf: ({ event }) => event.digest },
  { name: "occurred_at_ms", type: "bigint", valueOf: ({ event }) => event.occurredAtMs ?? null },
  { name: "skip", type: "text", valueOf: ({ event }) => event.skip ?? null },
];

/**
 * Stores the events of several batches with their firings. A conflict over an event's key waits for the transaction that
 * stores the same event, and then finds it known: one of equal events is taken, however many arrive at the same time.
 * Every process writes keys in the same order, which prevents deadlocks.
 */
export function takeStatement(schema: string): Statement {
  const [bodies, headers, time] = [1, 2, 3].map((place) => `$${eventColumns.length + place}`);
  const now = "(SELECT now_ms FROM clock)";
  const isUnknown = `held.known_until_ms <= ${now}`;
  return {
    name: "triggers-take",
    text: `
WITH clock AS MATERIALIZED (SELECT ${sqlNow(time ?? "")} AS now_ms), item AS MATERIALIZED (
  SELECT item.*, takers.ids AS taker_ids, known.found IS NOT NULL AS is_known
    FROM ${itemsSql(eventColumns)}
    CROSS JOIN LATERAL ${takersSql(schema, "item.workspace, item.environment", "item.keys::json")} AS takers
    LEFT JOIN LATERAL (SELECT true AS found FROM ${schema}.event_keys AS held
                        WHERE held.key = item.key AND held.known_until_ms > ${now} LIMIT 1) AS known ON true
), refused AS MATERIALIZED (
  SELECT DISTINCT batch
    FROM (SELECT DISTINCT batch, workspace, environment, max_backlog, taker.id
            FROM item CROSS JOIN LATERAL unnest(taker_ids) AS taker (id)
           WHERE skip IS NULL AND NOT is_known) AS wanted
    CROSS JOIN LATERAL (SELECT true AS found FROM ${schema}.firing_queue
                         WHERE firing_queue.workspace = wanted.workspace
                           AND firing_queue.environment = wanted.environment
                           AND firing_queue.trigger_id = wanted.id
                        OFFSET max_backlog - 1 LIMIT 1) AS backlog
), wanted AS MATERIALIZED (
  SELECT *, nextval('${schema}.event_numbers') AS event
    FROM (SELECT DISTINCT ON (key) *, count(*) OVER (PARTITION BY key) - 1 AS repetitions
            FROM item
           WHERE (taker_ids IS NOT NULL OR is_known) AND batch NOT IN (SELECT batch FROM refused)
           ORDER BY key, ord) AS once
), keyed AS (
  INSERT INTO ${schema}.event_keys AS held (key, event, known_until_ms, duplicates)
  SELECT key, event, ${now} + dedupe_for_ms, repetitions FROM wanted ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE
         SET event = CASE WHEN ${isUnknown} THEN excluded.event ELSE held.event END,
             known_until_ms = CASE WHEN ${isUnknown} THEN excluded.known_until_ms ELSE held.known_until_ms END,
             duplicates = excluded.duplicates + CASE WHEN ${isUnknown} THEN 0 ELSE held.duplicates + 1 END
  RETURNING event
), taken AS MATERIALIZED (
  SELECT *, 0 AS place, ${eventDedupeKeySql("source", "dedupe_key", now)} AS firing_key
    FROM wanted WHERE (event IN (SELECT event FROM keyed)) IS TRUE
), replaced AS (
  -- The number of duplicates stays with the previous event of the key.
  UPDATE ${schema}.events SET duplicates = held.duplicates
    FROM taken CROSS JOIN LATERAL (SELECT event, duplicates FROM ${schema}.event_keys
                                    WHERE event_keys.key = taken.key LIMIT 1) AS held
   WHERE events.event = held.event
), stored AS (
  INSERT INTO ${schema}.events (event, workspace, environment, key, id, type, digest, occurred_at_ms, received_at_ms,
                                chain_depth, body, headers)
  SELECT event, workspace, environment, key, id, type, digest, occurred_at_ms, ${now}, 0,
         (${bodies}::text[])[ord], (${headers}::text[])[ord]
    FROM taken
), ${storedFirings(schema, "taken", now)}
SELECT batch IN (SELECT batch FROM refused) AS is_refused, ord IN (SELECT ord FROM taken) AS is_taken,
       is_known OR taker_ids IS NOT NULL AS is_known, coalesce(cardinality(taker_ids), 0) AS takers
  FROM item ORDER BY ord`,
  };
}
