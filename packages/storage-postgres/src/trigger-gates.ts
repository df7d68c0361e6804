import type { NewRecord, Scope, TriggerGate } from "@procedo/storage";
import type { Transaction } from "./database.ts";
import type { PostgresContext } from "./context.ts";
import { sqlNow, type Statement } from "./statement.ts";

/** The gates of triggers, which are stored and removed with their records. */
export interface TriggerGates {
  /** Stores the gate of a record under its revision, and gives the claimed firings of the trigger back. */
  put(tx: Transaction, record: NewRecord, revision: number): Promise<void>;
  /** Removes the gate, and ends the pending and waiting firings of the trigger. */
  remove(tx: Transaction, scope: Scope, triggerId: string): Promise<void>;
}

export function triggerGates({ database: { schema }, nowMs }: PostgresContext): TriggerGates {
  const gates = `${schema}.trigger_gates`;
  const put: Statement = {
    name: "gates-put",
    text: `INSERT INTO ${gates} AS known (workspace, environment, trigger_id, revision, overlap, max_open_runs, is_held,
                                          accounted_at_ms, due_at_ms)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT (workspace, environment, trigger_id) DO UPDATE
             SET revision = excluded.revision, overlap = excluded.overlap, max_open_runs = excluded.max_open_runs,
                 is_held = excluded.is_held,
                 accounted_at_ms = CASE WHEN $10 THEN known.accounted_at_ms ELSE excluded.accounted_at_ms END,
                 due_at_ms = CASE WHEN $10 THEN known.due_at_ms ELSE excluded.due_at_ms END`,
  };
  // A leased firing was judged by the trigger as it was.
  const giveBack: Statement = {
    name: "firings-give-back",
    text: `WITH leased AS MATERIALIZED (
             SELECT firing FROM ${schema}.firing_queue
              WHERE workspace = $1 AND environment = $2 AND trigger_id = $3 AND state = 'leased'
              ORDER BY firing FOR UPDATE
           )
           UPDATE ${schema}.firing_queue SET state = 'pending', due_at_ms = least(due_at_ms, ${sqlNow("$4")})
             FROM leased WHERE firing_queue.firing = leased.firing`,
  };
  const remove: Statement = {
    name: "gates-remove",
    text: `DELETE FROM ${gates} WHERE workspace = $1 AND environment = $2 AND trigger_id = $3`,
  };
  const endFirings = endDeletedStatement(schema);

  return {
    async put(tx, { workspace, environment = null, id, trigger }, revision) {
      if (trigger === undefined) return;
      const { overlap, maxOpenRuns = null, isHeld } = trigger;
      const values = [workspace, environment, id, revision, overlap, maxOpenRuns, isHeld];
      await tx.query(put, [...values, ...scheduleOf(trigger), trigger.schedule === "kept"]);
      // After the gate is locked: a claim that holds it ends before, and its leases are found.
      await tx.query(giveBack, [workspace, environment, id, nowMs()]);
    },

    // The gate first: a claim that holds it ends before, and its leases are found.
    async remove(tx, { workspace, environment }, triggerId) {
      await tx.query(remove, [workspace, environment, triggerId]);
      await tx.query(endFirings, [workspace, environment, triggerId]);
    },
  };
}

/** Ends the firings of a trigger that was removed. Its parameters are workspace, environment and trigger. */
export function endDeletedStatement(schema: string): Statement {
  return {
    name: "firings-end-deleted",
    text: `WITH ended AS (
             DELETE FROM ${schema}.firing_queue
              WHERE firing = ANY (ARRAY(SELECT firing FROM ${schema}.firing_queue
                                         WHERE workspace = $1 AND environment = $2 AND trigger_id = $3
                                         ORDER BY firing FOR UPDATE))
             RETURNING firing
           )
           UPDATE ${schema}.firings SET status = 'skipped', reason = 'deleted'
            WHERE firing = ANY (ARRAY(SELECT firing FROM ended))`,
  };
}

function scheduleOf({ schedule }: TriggerGate): readonly (number | null)[] {
  if (schedule === undefined || schedule === "kept") return [null, null];
  return [schedule.accountedAtMs, schedule.dueAtMs ?? null];
}
