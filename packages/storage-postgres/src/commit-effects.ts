import type { CommitEffect } from "./commit-columns.ts";
import { eventDedupeKeySql, storedFirings, takersSql } from "./firing-parts.ts";
import { openReviewsSql } from "./review-rows.ts";
import { reservationParts } from "./reservation-parts.ts";
import { matchesUnindexed } from "./unindexed.ts";

/**
 * The effects of rows on other tables: consumed notifications, reviews, events with their deliveries, invocations,
 * settled reservations, firings, connections that runs wait for. Each effect is a part of the statement and reads the items from `fit`.
 *
 * Lookups are lateral or scalar subqueries and arrays. A connection keeps its plan, which it often made while tables
 * were empty; such a plan must not read whole tables later.
 */
export function effectsSql(schema: string, effects: readonly CommitEffect[], now: string): string {
  return effects.map((effect) => partOf[effect](schema, now)).join("");
}

const partOf: Readonly<Record<CommitEffect, (schema: string, now: string) => string>> = {
  consume: consumeSql,
  reviews: reviewsSql,
  events: deliveriesSql,
  fires: firesSql,
  invocation: invocationsSql,
  settle: reservationParts,
  waits: waitsSql,
  trigger: triggersSql,
  firing: startedSql,
};

function consumeSql(schema: string): string {
  return `, consumed AS (
  UPDATE ${schema}.inbox SET consumed = true
   WHERE run_id = ANY (ARRAY(SELECT run_id FROM fit WHERE consumed_keys IS NOT NULL))
     AND effect_key = ANY (ARRAY(SELECT unnest(consumed_keys) FROM fit))
     AND ((run_id, effect_key) IN (SELECT run_id, unnest(consumed_keys) FROM fit)) IS TRUE
)`;
}

/** A run has at most one open review: the previous one is closed before another is opened. */
function reviewsSql(schema: string, now: string): string {
  return `, closed AS (
  UPDATE ${schema}.reviews
     SET status = (SELECT close_status FROM fit WHERE fit.run_id = reviews.run_id), closed_at_ms = ${now}
   WHERE run_id = ANY (ARRAY(SELECT run_id FROM fit WHERE close_status IS NOT NULL))
     AND ${matchesUnindexed("reviews.status", "'open'")}
  RETURNING 1
), opened AS (${openReviewsSql(schema, "fit")}
     AND (SELECT count(*) FROM closed) >= 0
   ORDER BY ord
)`;
}

/** Stores an event once, with a delivery for each subscribed webhook. Stores nothing without a subscribed webhook. */
function deliveriesSql(schema: string, now: string): string {
  return `, emitted AS MATERIALIZED (
  SELECT fit.run_id, workspace, environment, ord, event.number, event."eventId" AS event_id, event.event,
         event."createdAtMs" AS created_at_ms, event.data, hooks.ids, nextval('${schema}.payload_numbers') AS payload
    FROM fit
    CROSS JOIN LATERAL ROWS FROM (json_to_recordset(fit.events::json) AS
                                   ("eventId" text, event text, "createdAtMs" bigint, data text)) WITH ORDINALITY
            AS event ("eventId", event, "createdAtMs", data, number)
    CROSS JOIN LATERAL (SELECT array_agg(records.id ORDER BY record) AS ids
                          FROM ${schema}.record_keys JOIN ${schema}.records USING (record)
                         WHERE record_keys.kind = 'webhook'
                           AND record_key = fit.workspace || '/' || fit.environment || '/' || event.event) AS hooks
   WHERE fit.events IS NOT NULL AND hooks.ids IS NOT NULL
), payload AS (
  INSERT INTO ${schema}.payloads (payload, data) SELECT payload, data FROM emitted
), stored AS (
  INSERT INTO ${schema}.deliveries (delivery_id, workspace, environment, run_id, webhook_id, event_id, event,
                                    created_at_ms, payload)
  SELECT ${deliveryIdSql("event_id", "hook.id")}, workspace, environment, run_id, hook.id, event_id, event,
         created_at_ms, payload
    FROM emitted CROSS JOIN LATERAL unnest(ids) WITH ORDINALITY AS hook (id, number)
   ORDER BY ord, emitted.number, hook.number
  RETURNING delivery_id, delivery, workspace, environment, webhook_id
), queued AS (
  INSERT INTO ${schema}.delivery_queue (delivery_id, delivery, workspace, environment, webhook_id, due_at_ms)
  SELECT *, ${now} FROM stored
)`;
}

/** The same id as `deliveryIdOf` returns: Postgres and JavaScript write these JSON texts alike. */
function deliveryIdSql(eventId: string, webhookId: string): string {
  const json = `'[' || to_json(${eventId})::text || ',' || to_json(${webhookId})::text || ']'`;
  return `'dlv_' || left(encode(sha256(convert_to(${json}, 'UTF8')), 'hex'), 32)`;
}

/** Stores a custom event once, with a firing for each trigger that takes it. No other event has its id. */
function firesSql(schema: string, now: string): string {
  return `, custom_events AS MATERIALIZED (
  SELECT workspace, environment, ord, emitted.*, takers.ids AS taker_ids, NULL::text AS skip,
         nextval('${schema}.event_numbers') AS event,
         ${eventDedupeKeySql("'procedures'::text", `emitted.id`, now)} AS firing_key
    FROM fit
    CROSS JOIN LATERAL ROWS FROM (json_to_recordset(fit.fires::json) AS
                                   ("eventId" text, event text, "createdAtMs" bigint, keys json, body text, digest text,
                                    "chainDepth" integer)) WITH ORDINALITY
            AS emitted (id, type, occurred_at_ms, keys, body, digest, chain_depth, place)
    CROSS JOIN LATERAL ${takersSql(schema, "fit.workspace, fit.environment", "emitted.keys")} AS takers
   WHERE fit.fires IS NOT NULL AND takers.ids IS NOT NULL
), stored_events AS (
  INSERT INTO ${schema}.events (event, workspace, environment, id, type, digest, occurred_at_ms, received_at_ms,
                                chain_depth, body)
  SELECT event, workspace, environment, id, type, digest, occurred_at_ms, ${now}, chain_depth, body FROM custom_events
), ${storedFirings(schema, "custom_events", now)}`;
}

/** The connection that a parked run waits for. */
function waitsSql(schema: string): string {
  return `, waiting AS (
  INSERT INTO ${schema}.connection_waits (run_id, workspace, environment, connection_id, seq)
  SELECT run_id, workspace, environment, waits_for, seq FROM fit WHERE waits_for IS NOT NULL ORDER BY ord
      ON CONFLICT (run_id) DO UPDATE SET connection_id = excluded.connection_id, seq = excluded.seq
)`;
}

/** The run's trigger in a table of its own: most runs have none. */
function triggersSql(schema: string): string {
  return `, triggered AS (
  INSERT INTO ${schema}.run_triggers (run_id, run, created_at_ms, workspace, environment, trigger_id, body)
  SELECT run_id, run, created_at_ms, workspace, environment, trigger_id, trigger
    FROM fit CROSS JOIN LATERAL (SELECT run FROM placed WHERE placed.run_id = fit.run_id) AS stored
   WHERE trigger IS NOT NULL
)`;
}

/** Settles the firings that `claimedFirings` found. */
function startedSql(schema: string): string {
  return `, left_queue AS (
  DELETE FROM ${schema}.firing_queue WHERE firing = ANY (ARRAY(SELECT firing FROM fit WHERE firing IS NOT NULL))
), started AS (
  UPDATE ${schema}.firings SET status = 'started', run_id = fit.run_id, is_open = fit.ended_at_ms IS NULL
    FROM fit WHERE firings.firing = fit.firing
)`;
}

/**
 * The firings that start a run and are claimed under the epoch of their item. They are locked before the check, which
 * waits for a concurrent claim and then reads the current epoch. Locks them in the order of every transaction.
 */
export function claimedFirings(schema: string): string {
  const given = matchesUnindexed(
    "firings.workspace, firings.environment, firings.trigger_id",
    "item.workspace, item.environment, item.firing_trigger_id",
  );
  return `claimed AS MATERIALIZED (
  SELECT run_id, named.firing
    FROM (SELECT run_id, firing_epoch, found.firing
            FROM item
            CROSS JOIN LATERAL (SELECT firing FROM ${schema}.firings
                                 WHERE firings.firing_id = item.firing_id AND ${given} LIMIT 1) AS found
           WHERE firing_id IS NOT NULL ORDER BY found.firing) AS named
    CROSS JOIN LATERAL (SELECT state, epoch FROM ${schema}.firing_queue
                         WHERE firing_queue.firing = named.firing FOR UPDATE) AS held
   WHERE held.state = 'leased' AND held.epoch = named.firing_epoch
), `;
}

function invocationsSql(schema: string, now: string): string {
  return `, invoked AS (
  INSERT INTO ${schema}.invocations (invocation_id, run_id, workspace, environment, connection_id, function_name, idempotent,
                                     effect_key, payload, created_at_ms, deadline_ms, status, lease_token, lease_ends_at_ms)
  SELECT call."invocationId", run_id, workspace, environment, call."connectionId", call."functionName", call.idempotent,
         call."effectKey", call.payload, ${now}, call."deadlineMs",
         CASE WHEN leased THEN 'leased' ELSE 'queued' END,
         CASE WHEN leased THEN call."lease"->>'leaseToken' END,
         CASE WHEN leased THEN ${now} + (call."lease"->>'leaseMs')::bigint END
    FROM fit CROSS JOIN LATERAL json_to_record(fit.invocation::json) AS call
           ("invocationId" text, "connectionId" text, "functionName" text, idempotent boolean, "effectKey" text,
            payload text, "deadlineMs" bigint, "lease" json)
         CROSS JOIN LATERAL (SELECT call."lease" IS NOT NULL AND call."deadlineMs" > ${now} AS leased) AS dispatch
   WHERE fit.invocation IS NOT NULL
   ORDER BY ord
)`;
}
