import type { Statement } from "./statement.ts";
import { endDeletedStatement } from "./trigger-gates.ts";

/** The statements of a claim of firings, in their order. Each sees what the holders of the locked gates have changed. */
export interface FiringQueueStatements {
  /** Locks the gates of triggers with due firings. */
  readonly lockGates: Statement;
  /** Ends the firings of a trigger that was removed while they were stored. */
  readonly endDeleted: Statement;
  /** Reads how many firings are under way, and the first that are due. */
  readonly read: Statement;
  /** Ends firings that overlap, or that newer ones supersede. */
  readonly end: Statement;
  /** Makes firings wait that their gates hold back. */
  readonly holdBack: Statement;
  /** Leases firings, and reads them with their events. */
  readonly lease: Statement;
  /** Finds firings whose runs have ended. */
  readonly checkOpen: Statement;
}

export function firingQueueStatements(schema: string): FiringQueueStatements {
  const queue = `${schema}.firing_queue`;
  const ofTrigger = `workspace = $1 AND environment = one.environment AND trigger_id = one.trigger_id`;
  const isLeased = "state = 'leased' AND due_at_ms > $2";
  const lapsed = `${ofTrigger} AND NOT is_manual AND state = 'leased' AND due_at_ms <= $2`;
  const others = `${ofTrigger} AND NOT is_manual AND NOT (${isLeased})`;

  // A loose index scan finds the triggers: there are few with many firings. The gates of the others stay unlocked.
  const lockGates: Statement = {
    name: "firings-lock-gates",
    text: `
      WITH RECURSIVE one (environment, trigger_id) AS (
        (SELECT environment, trigger_id FROM ${queue} WHERE workspace = $1 ORDER BY environment, trigger_id LIMIT 1)
        UNION ALL
        SELECT following.environment, following.trigger_id
          FROM one CROSS JOIN LATERAL (
            SELECT environment, trigger_id FROM ${queue}
             WHERE workspace = $1 AND (environment, trigger_id) > (one.environment, one.trigger_id)
             ORDER BY environment, trigger_id LIMIT 1) AS following
      ), due AS MATERIALIZED (
        SELECT one.* FROM one CROSS JOIN LATERAL (
          SELECT true AS found FROM ${queue} WHERE ${ofTrigger} AND due_at_ms <= $2 LIMIT 1) AS first
      ), locked AS MATERIALIZED (
        SELECT one.*, gate.overlap, gate.max_open_runs, gate.is_held, known.found IS NULL AS is_removed
          FROM due AS one
          LEFT JOIN LATERAL (SELECT true AS found FROM ${schema}.trigger_gates WHERE ${ofTrigger} LIMIT 1) AS known ON true
          LEFT JOIN LATERAL (SELECT overlap, max_open_runs, is_held FROM ${schema}.trigger_gates WHERE ${ofTrigger}
                                FOR NO KEY UPDATE SKIP LOCKED) AS gate ON true
      )
      SELECT locked.*, next_due_at_ms
        FROM (SELECT (SELECT due_at_ms FROM ${queue} WHERE workspace = $1 AND due_at_ms > $2
                       ORDER BY due_at_ms LIMIT 1) AS next_due_at_ms) AS next
        LEFT JOIN locked ON true
       ORDER BY environment DESC, trigger_id`,
  };

  const numbers = (rows: string): string => `array_to_json(ARRAY(${rows} ORDER BY firing LIMIT $3))`;
  const read: Statement = {
    name: "firings-read-queued",
    text: `
      SELECT (SELECT count(*) FROM ${queue} WHERE ${ofTrigger} AND ${isLeased}) AS leased,
             (SELECT count(*) FROM (
                SELECT 1 FROM ${schema}.firings CROSS JOIN LATERAL (
                         SELECT true AS found FROM ${schema}.runs
                          WHERE runs.run_id = firings.run_id AND ended_at_ms IS NULL LIMIT 1) AS run
                 WHERE firings.workspace = $1 AND firings.environment = one.environment
                   AND firings.trigger_id = one.trigger_id AND is_open
                 ORDER BY firing DESC LIMIT most_open) AS open) AS open,
             ${numbers(`SELECT firing FROM ${queue} WHERE ${ofTrigger} AND is_manual AND due_at_ms <= $2`)} AS manual,
             ${numbers(`SELECT firing FROM ${queue} WHERE ${ofTrigger} AND NOT is_manual AND due_at_ms <= $2`)} AS due,
             (SELECT firing FROM ${queue} WHERE ${others} ORDER BY firing LIMIT 1) AS oldest,
             newest.firing AS newest, newest.is_due AS newest_is_due,
             (SELECT count(*) FROM ${queue} WHERE ${lapsed} AND firing < newest.firing) AS lapsed
        FROM unnest($4::text[], $5::text[], $6::integer[]) WITH ORDINALITY AS one (environment, trigger_id, most_open, number)
        LEFT JOIN LATERAL (SELECT firing, due_at_ms <= $2 AS is_due FROM ${queue} WHERE ${others}
                            ORDER BY firing DESC LIMIT 1) AS newest ON true
       ORDER BY number`,
  };

  const end: Statement = {
    name: "firings-end",
    text: `
      WITH ending AS MATERIALIZED (
        SELECT one.number, one.reason, queued.*
          FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY
                 AS one (environment, trigger_id, reason, before, number)
          CROSS JOIN LATERAL (SELECT firing, state FROM ${queue} WHERE ${others} AND firing < one.before
                               ORDER BY firing FOR UPDATE SKIP LOCKED) AS queued
      ), removed AS (
        DELETE FROM ${queue} WHERE firing = ANY (ARRAY(SELECT firing FROM ending))
      ), ended AS (
        UPDATE ${schema}.firings SET status = 'skipped', reason = ending.reason
          FROM ending WHERE firings.firing = ending.firing
      )
      SELECT number, count(*) AS count, count(*) FILTER (WHERE state = 'leased') AS lapsed
        FROM ending GROUP BY number ORDER BY number`,
  };

  // All but the first that are due. A worker whose lease has ended loses the firing.
  const held = (state: string): string => `
            (SELECT firing FROM ${queue}
              WHERE ${ofTrigger} AND NOT is_manual AND ${state} AND NOT (due_at_ms <= $2 AND firing <= bound.firing)
                FOR UPDATE SKIP LOCKED)`;
  const holdBack: Statement = {
    name: "firings-hold-back",
    text: `
      WITH bound AS MATERIALIZED (
        SELECT one.*, CASE WHEN passing = 0 THEN 0 ELSE coalesce(last.firing, ${Number.MAX_SAFE_INTEGER}) END AS firing
          FROM unnest($3::text[], $4::text[], $5::integer[]) WITH ORDINALITY AS one (environment, trigger_id, passing, number)
          LEFT JOIN LATERAL (SELECT firing FROM ${queue} WHERE ${ofTrigger} AND NOT is_manual AND due_at_ms <= $2
                              ORDER BY firing OFFSET greatest(passing - 1, 0) LIMIT 1) AS last ON true
      ), pending AS MATERIALIZED (
        SELECT queued.firing FROM bound AS one CROSS JOIN LATERAL (SELECT one.firing) AS bound (firing)
          CROSS JOIN LATERAL ${held("state = 'pending'")} AS queued
      ), lapsed AS MATERIALIZED (
        SELECT queued.firing FROM bound AS one CROSS JOIN LATERAL (SELECT one.firing) AS bound (firing)
          CROSS JOIN LATERAL ${held("state = 'leased' AND due_at_ms <= $2")} AS queued
      ), waiting AS (
        UPDATE ${queue} SET state = 'waiting'
         WHERE firing = ANY (ARRAY(SELECT firing FROM pending UNION ALL SELECT firing FROM lapsed))
        RETURNING firing
      )
      UPDATE ${schema}.firings SET status = 'waiting' WHERE firing = ANY (ARRAY(SELECT firing FROM waiting))`,
  };

  const lease: Statement = {
    name: "firings-lease",
    text: `
      WITH locked AS MATERIALIZED (
        SELECT chosen.firing, turn
          FROM unnest($1::bigint[]) WITH ORDINALITY AS chosen (firing, turn)
          CROSS JOIN LATERAL (SELECT true AS found FROM ${queue}
                               WHERE firing_queue.firing = chosen.firing AND due_at_ms <= $2
                                 FOR UPDATE SKIP LOCKED) AS free
      ), leased AS (
        UPDATE ${queue} SET state = 'leased', due_at_ms = $3, epoch = epoch + 1
          FROM locked WHERE firing_queue.firing = locked.firing
        RETURNING firing_queue.firing, epoch, turn
      ), no_longer_waiting AS (
        UPDATE ${schema}.firings SET status = 'pending'
         WHERE firing = ANY (ARRAY(SELECT firing FROM locked)) AND status = 'waiting'
      )
      SELECT environment, trigger_id, firing_id, epoch, requested_by, scheduled_at_ms, firing.received_at_ms, refire_of,
             event.event, id, type, digest, occurred_at_ms, chain_depth, body, headers
        FROM leased
        CROSS JOIN LATERAL (SELECT * FROM ${schema}.firings WHERE firings.firing = leased.firing LIMIT 1) AS firing
        LEFT JOIN LATERAL (SELECT event, id, type, digest, occurred_at_ms, chain_depth, body, headers
                             FROM ${schema}.events WHERE events.event = firing.event LIMIT 1) AS event ON true
       ORDER BY turn`,
  };

  // The end of a run changes no other table. Claims check the open firings of their triggers in turn.
  const checkOpen: Statement = {
    name: "firings-check-open",
    text: `
      WITH one AS MATERIALIZED (
        SELECT environment, trigger_id, gate.checked
          FROM unnest($2::text[], $3::text[]) AS one (environment, trigger_id)
          CROSS JOIN LATERAL (SELECT checked FROM ${schema}.trigger_gates WHERE ${ofTrigger} LIMIT 1) AS gate
      ), checked AS MATERIALIZED (
        SELECT environment, trigger_id, open.*
          FROM one
          CROSS JOIN LATERAL (SELECT firing, run_id FROM ${schema}.firings
                               WHERE ${ofTrigger} AND is_open AND firing > one.checked
                               ORDER BY firing LIMIT $4) AS open
      ), closed AS (
        UPDATE ${schema}.firings SET is_open = false
         WHERE firing = ANY (ARRAY(
           SELECT firing FROM checked CROSS JOIN LATERAL (
             SELECT ended_at_ms FROM ${schema}.runs WHERE runs.run_id = checked.run_id LIMIT 1) AS run
            WHERE ended_at_ms IS NOT NULL))
      )
      UPDATE ${schema}.trigger_gates SET checked = coalesce(last.firing, 0)
        FROM one
        LEFT JOIN LATERAL (SELECT max(firing) AS firing FROM checked
                            WHERE (checked.environment, checked.trigger_id) = (one.environment, one.trigger_id)
                           HAVING count(*) = $4) AS last ON true
       WHERE trigger_gates.workspace = $1 AND trigger_gates.environment = one.environment
         AND trigger_gates.trigger_id = one.trigger_id AND trigger_gates.checked <> coalesce(last.firing, 0)`,
  };

  return { lockGates, endDeleted: endDeletedStatement(schema), read, end, holdBack, lease, checkOpen };
}
