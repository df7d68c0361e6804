import type { TriggerStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Statement } from "./statement.ts";

interface StateRow {
  readonly trigger_id: string;
  readonly accounted_at_ms: number | null;
  readonly due_at_ms: number | null;
  readonly last_firing_at_ms: number | null;
  readonly waiting: number;
  readonly failures: number;
}

const maxCounted = 1_000;
const maxFailures = 100;
/** Of firings with an outcome, the newest. Among them may be open runs, which do not count. */
const maxOutcomes = 1_000;

/** Reads the states of triggers. Each count is bounded, and so is its cost. */
export function triggerStates({ database }: PostgresContext): Pick<TriggerStore, "states"> {
  const { schema } = database;
  const ofGate = (table: string): string =>
    `${table}.workspace = $1 AND ${table}.environment = $2 AND ${table}.trigger_id = gate.trigger_id`;
  const newestFirst = "received_at_ms DESC, firing DESC";
  // `completed` is the number of completed runs up to a firing, from the newest one.
  const select: Statement = {
    name: "triggers-states",
    text: `
      SELECT gate.trigger_id, accounted_at_ms, due_at_ms,
             (SELECT received_at_ms FROM ${schema}.firings WHERE ${ofGate("firings")}
               ORDER BY ${newestFirst} LIMIT 1) AS last_firing_at_ms,
             (SELECT count(*) FROM (SELECT 1 FROM ${schema}.firing_queue WHERE ${ofGate("firing_queue")}
                                     LIMIT ${maxCounted}) AS queued) AS waiting,
             (SELECT count(*) FROM (
                SELECT coalesce(run.status, outcome.status) AS status,
                       count(*) FILTER (WHERE run.status = 'completed') OVER (ORDER BY received_at_ms DESC, firing DESC)
                         AS completed
                  FROM (SELECT status, run_id, received_at_ms, firing FROM ${schema}.firings
                         WHERE ${ofGate("firings")} AND status IN ('started', 'failed')
                         ORDER BY ${newestFirst} LIMIT ${maxOutcomes}) AS outcome
                  LEFT JOIN LATERAL (SELECT status FROM ${schema}.runs WHERE runs.run_id = outcome.run_id LIMIT 1) AS run
                         ON true) AS outcome
               WHERE completed = 0 AND status = 'failed') AS failures
        FROM (SELECT DISTINCT trigger_id FROM unnest($3::text[]) AS one (trigger_id)) AS wanted
        CROSS JOIN LATERAL (SELECT trigger_id, accounted_at_ms, due_at_ms FROM ${schema}.trigger_gates
                             WHERE trigger_gates.workspace = $1 AND trigger_gates.environment = $2
                               AND trigger_gates.trigger_id = wanted.trigger_id LIMIT 1) AS gate`,
  };

  return {
    async states({ scope, triggerIds }) {
      if (triggerIds.length === 0) return [];
      const rows = await database.query<StateRow>(select, [scope.workspace, scope.environment, triggerIds]);
      return rows.map((row) => ({
        triggerId: row.trigger_id,
        schedule:
          row.accounted_at_ms === null
            ? undefined
            : { accountedAtMs: row.accounted_at_ms, dueAtMs: row.due_at_ms ?? undefined },
        lastFiringAtMs: row.last_firing_at_ms ?? undefined,
        waiting: row.waiting,
        consecutiveFailures: Math.min(maxFailures, row.failures),
      }));
    },
  };
}
