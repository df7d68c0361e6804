import type { DueSchedule, ScheduleAdvance, Scope, TriggerStore } from "@procedo/storage";
import { firingIdOf, scheduledDedupeKey } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { queuedFirings } from "./firing-parts.ts";
import { itemArrays, itemsSql, type ItemColumn } from "./item-rows.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

interface DueRow {
  readonly now_ms: number;
  readonly next_due_at_ms: number | null;
  /** `null`: no schedule is due, and this row is the only one. */
  readonly trigger_id: string | null;
  readonly environment: Scope["environment"];
  readonly revision: number;
  readonly accounted_at_ms: number;
  readonly due_at_ms: number;
}

interface AdvanceAnswer {
  /** The positions of the advanced items, from 1; `null`: none. */
  readonly advanced: readonly number[] | null;
  readonly fireable: boolean;
}

const columns: readonly ItemColumn<ScheduleAdvance>[] = [
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "trigger_id", type: "text", valueOf: ({ triggerId }) => triggerId },
  { name: "revision", type: "integer", valueOf: ({ revision }) => revision },
  { name: "due_at_ms", type: "bigint", valueOf: ({ dueAtMs }) => dueAtMs ?? null },
  { name: "next_accounted_at_ms", type: "bigint", valueOf: ({ next }) => next.accountedAtMs },
  { name: "next_due_at_ms", type: "bigint", valueOf: ({ next }) => next.dueAtMs ?? null },
  { name: "times", type: "text", valueOf: (item) => JSON.stringify(timesOf(item)) },
];

/** The due times of schedules, which are columns of the gates. */
export function postgresSchedules(context: PostgresContext): Pick<TriggerStore, "due" | "advance"> {
  const { database, nowMs, announce } = context;
  const { schema } = database;
  const gates = `${schema}.trigger_gates`;
  const due: Statement = {
    name: "schedules-due",
    text: `WITH clock AS MATERIALIZED (SELECT ${sqlNow("$4")} AS now_ms),
                until AS MATERIALIZED (SELECT now_ms, coalesce($2::bigint, now_ms) AS at_ms FROM clock)
           SELECT now_ms, found.*,
                  (SELECT due_at_ms FROM ${gates}
                    WHERE workspace = $1 AND due_at_ms > (SELECT at_ms FROM until) ORDER BY due_at_ms LIMIT 1) AS next_due_at_ms
             FROM until
             LEFT JOIN LATERAL (SELECT trigger_id, environment, revision, accounted_at_ms, due_at_ms FROM ${gates}
                                 WHERE workspace = $1 AND due_at_ms <= at_ms
                                 ORDER BY due_at_ms, trigger_id LIMIT $3) AS found ON true
            ORDER BY due_at_ms, trigger_id`,
  };
  const now = "(SELECT now_ms FROM clock)";
  // Locks gates in the order of every transaction. Of several items of one trigger, the first counts.
  const advance: Statement = {
    name: "schedules-advance",
    text: `
WITH clock AS MATERIALIZED (SELECT ${sqlNow(`$${columns.length + 1}`)} AS now_ms), item AS MATERIALIZED (
  SELECT DISTINCT ON (workspace, environment, trigger_id) * FROM ${itemsSql(columns)}
   ORDER BY workspace, environment, trigger_id, ord
), current AS MATERIALIZED (
  SELECT item.*
    FROM (SELECT * FROM item ORDER BY workspace COLLATE "C", environment COLLATE "C", trigger_id COLLATE "C") AS item
    CROSS JOIN LATERAL (SELECT revision, accounted_at_ms, due_at_ms FROM ${gates}
                         WHERE trigger_gates.workspace = item.workspace AND trigger_gates.environment = item.environment
                           AND trigger_gates.trigger_id = item.trigger_id FOR NO KEY UPDATE) AS gate
   WHERE gate.revision = item.revision AND gate.accounted_at_ms IS NOT NULL
     AND gate.due_at_ms IS NOT DISTINCT FROM item.due_at_ms
), advanced AS (
  UPDATE ${gates} SET accounted_at_ms = next_accounted_at_ms, due_at_ms = next_due_at_ms
    FROM current
   WHERE (trigger_gates.workspace, trigger_gates.environment, trigger_gates.trigger_id)
           = (current.workspace, current.environment, current.trigger_id)
), fired AS (
  INSERT INTO ${schema}.firings (workspace, environment, firing_id, trigger_id, scheduled_at_ms, received_at_ms, count,
                                 status, reason)
  SELECT workspace, environment, time."firingId", trigger_id, time."scheduledAtMs", ${now}, coalesce(time.count, 1),
         CASE WHEN time.reason IS NULL THEN 'pending' ELSE 'skipped' END, time.reason
    FROM current
    CROSS JOIN LATERAL ROWS FROM (json_to_recordset(times::json) AS
                                   ("firingId" text, "scheduledAtMs" bigint, reason text, count bigint)) WITH ORDINALITY
            AS time ("firingId", "scheduledAtMs", reason, count, number)
   ORDER BY ord, number
      ON CONFLICT (firing_id, workspace, environment) DO NOTHING
  RETURNING firing, workspace, environment, trigger_id, requested_by, status
), ${queuedFirings(schema, now)}
SELECT array_agg(ord::integer) AS advanced, EXISTS (SELECT FROM fired WHERE status = 'pending') AS fireable FROM current`,
  };

  return {
    async due({ workspace, limit, beforeMs = null }) {
      const rows = await database.query<DueRow>(due, [workspace, beforeMs, limit, nowMs()]);
      const [first] = rows;
      return {
        nowMs: first?.now_ms ?? 0,
        schedules: rows.flatMap((row) => scheduleOf(workspace, row)),
        nextDueAtMs: first?.next_due_at_ms ?? undefined,
      };
    },

    async advance(items) {
      if (items.length === 0) return [];
      const [answer] = await database.query<AdvanceAnswer>(advance, [...itemArrays(columns, items), nowMs()]);
      if (answer?.fireable === true) announce([{ type: "fireable" }]);
      const advanced = new Set(answer?.advanced);
      return items.map((_item, index) => (advanced.has(index + 1) ? "advanced" : "stale"));
    },
  };
}

function scheduleOf(workspace: string, row: DueRow): readonly DueSchedule[] {
  const { trigger_id: triggerId, environment, revision, accounted_at_ms: accountedAtMs, due_at_ms: dueAtMs } = row;
  return triggerId === null ? [] : [{ scope: { workspace, environment }, triggerId, revision, accountedAtMs, dueAtMs }];
}

function timesOf({ triggerId, firings }: ScheduleAdvance): readonly object[] {
  return firings.map((firing) => ({
    firingId: firingIdOf(triggerId, scheduledDedupeKey(firing)),
    scheduledAtMs: firing.scheduledAtMs,
    ...firing.skipped,
  }));
}
