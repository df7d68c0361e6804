import type { TriggerStore } from "@procedo/storage";
import { assertStorable, firingIdOf } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { queuedFirings } from "./firing-parts.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

interface AddAnswer {
  readonly number: number;
  readonly is_known: boolean;
  readonly is_added: boolean;
}

/** Adds firings that a person asked for, and times of a backfill. */
export function addFirings({ database, nowMs, announce }: PostgresContext): Pick<TriggerStore, "add"> {
  const { schema } = database;
  const now = "(SELECT now_ms FROM clock)";
  // The firing that fires again stays locked: retention cannot remove its event meanwhile.
  const add: Statement = {
    name: "firings-add",
    text: `
WITH clock AS MATERIALIZED (SELECT ${sqlNow("$5")} AS now_ms), item AS MATERIALIZED (
  SELECT item.*, original.event AS again, original.scheduled_at_ms AS original_scheduled_at_ms,
         known.found IS NOT NULL AS is_known,
         gate.found IS NOT NULL AND (item."refireOf" IS NULL OR original.firing IS NOT NULL) AS is_possible,
         CASE WHEN item.event IS NOT NULL THEN nextval('${schema}.event_numbers') END AS own
    FROM ROWS FROM (json_to_recordset($4::json) AS
                     ("firingId" text, "requestedBy" text, "scheduledAtMs" bigint, "refireOf" text, event json))
           WITH ORDINALITY AS item ("firingId", "requestedBy", "scheduledAtMs", "refireOf", event, number)
    LEFT JOIN LATERAL (SELECT true AS found FROM ${schema}.trigger_gates
                        WHERE workspace = $1 AND environment = $2 AND trigger_id = $3 LIMIT 1) AS gate ON true
    LEFT JOIN LATERAL (SELECT true AS found FROM ${schema}.firings
                        WHERE firing_id = "firingId" AND ${matchesUnindexed("workspace, environment", "$1, $2")}
                        LIMIT 1) AS known ON true
    LEFT JOIN LATERAL (SELECT firing, event, scheduled_at_ms FROM ${schema}.firings
                        WHERE firing_id = "refireOf"
                          AND ${matchesUnindexed("workspace, environment, trigger_id", "$1, $2, $3")}
                          FOR KEY SHARE) AS original ON true
), fired AS (
  INSERT INTO ${schema}.firings (workspace, environment, firing_id, trigger_id, event, requested_by, scheduled_at_ms,
                                 received_at_ms, refire_of)
  SELECT $1, $2, "firingId", $3, coalesce(own, again), "requestedBy",
         coalesce("scheduledAtMs", original_scheduled_at_ms), ${now}, "refireOf"
    FROM (SELECT DISTINCT ON ("firingId") * FROM item WHERE is_possible ORDER BY "firingId", number) AS item
   ORDER BY number
      ON CONFLICT (firing_id, workspace, environment) DO NOTHING
  RETURNING firing, workspace, environment, trigger_id, requested_by, status, firing_id, event
), ${queuedFirings(schema, now)}, added AS MATERIALIZED (
  SELECT DISTINCT ON ("firingId") item.*
    FROM item WHERE is_possible AND ("firingId" IN (SELECT firing_id FROM fired)) IS TRUE ORDER BY "firingId", number
), stored_events AS (
  INSERT INTO ${schema}.events (event, workspace, environment, id, type, digest, received_at_ms, chain_depth, body, headers)
  SELECT own, $1, $2, event->>'id', event->>'type', event->>'digest', ${now}, 0, event->>'body', event->>'headers'
    FROM added WHERE own IS NOT NULL
)
SELECT number, is_known OR is_possible AS is_known, number IN (SELECT number FROM added) AS is_added FROM item ORDER BY number`,
  };

  return {
    async add({ scope, triggerId, firings }) {
      assertStorable([scope, triggerId, firings]);
      const items = firings.map(({ dedupeKey, ...firing }) => ({
        firingId: firingIdOf(triggerId, dedupeKey),
        ...firing,
      }));
      const values = [scope.workspace, scope.environment, triggerId, JSON.stringify(items), nowMs()];
      const answers = await database.query<AddAnswer>(add, values);
      if (answers.some((answer) => answer.is_added)) announce([{ type: "fireable" }]);
      return items.map(({ firingId }, index) => ({ firingId, status: statusOf(answers[index]) }));
    },
  };
}

function statusOf(answer: AddAnswer | undefined): "added" | "known" | "not_found" {
  if (answer?.is_added === true) return "added";
  return answer?.is_known === true ? "known" : "not_found";
}
