import type { FiringSettlement, TriggerStore } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { itemArrays, itemsSql, type ItemColumn } from "./item-rows.ts";
import { auditChain } from "./postgres-audit.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

const columns: readonly ItemColumn<FiringSettlement>[] = [
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "firing_id", type: "text", valueOf: ({ firingId }) => firingId },
  { name: "epoch", type: "integer", valueOf: ({ epoch }) => epoch },
  { name: "status", type: "text", valueOf: ({ next }) => next.status },
  { name: "after_ms", type: "bigint", valueOf: ({ next }) => (next.status === "pending" ? next.afterMs : null) },
  { name: "reason", type: "text", valueOf: ({ next }) => (next.status === "pending" ? null : next.reason) },
  { name: "error", type: "text", valueOf: ({ next }) => (next.status === "failed" ? next.error : null) },
];

/** Ends firings without a run, or gives claimed ones back, each time with one statement. */
export function settleFirings(context: PostgresContext): Pick<TriggerStore, "settle" | "endPending"> {
  const { database, nowMs } = context;
  const { schema } = database;
  const audit = auditChain(context);
  const isOfScope = matchesUnindexed("firings.workspace, firings.environment", "item.workspace, item.environment");
  // Locks firings in the order of every transaction. Of several items for one claim, the first counts.
  const settle: Statement = {
    name: "firings-settle",
    text: `
WITH item AS MATERIALIZED (
  SELECT DISTINCT ON (workspace, environment, firing_id, epoch) * FROM ${itemsSql(columns)}
   ORDER BY workspace, environment, firing_id, epoch, ord
), held AS MATERIALIZED (
  SELECT named.*
    FROM (SELECT item.*, found.firing
            FROM item
            CROSS JOIN LATERAL (SELECT firing FROM ${schema}.firings
                                 WHERE firings.firing_id = item.firing_id AND ${isOfScope} LIMIT 1) AS found
           ORDER BY found.firing) AS named
    CROSS JOIN LATERAL (SELECT state, epoch FROM ${schema}.firing_queue
                         WHERE firing_queue.firing = named.firing FOR UPDATE) AS queued
   WHERE queued.state = 'leased' AND queued.epoch = named.epoch
), released AS (
  UPDATE ${schema}.firing_queue SET state = 'pending', due_at_ms = ${sqlNow(`$${columns.length + 1}`)} + held.after_ms
    FROM held WHERE firing_queue.firing = held.firing AND status = 'pending'
), removed AS (
  DELETE FROM ${schema}.firing_queue
   WHERE firing = ANY (ARRAY(SELECT firing FROM held WHERE status <> 'pending'))
), ended AS (
  UPDATE ${schema}.firings SET status = held.status, reason = held.reason, error = held.error
    FROM held WHERE firings.firing = held.firing AND held.status <> 'pending'
)
SELECT ord::integer FROM held`,
  };
  // The limit applies after the locks, so that a firing that was settled meanwhile does not count.
  const endPending: Statement = {
    name: "firings-end-pending",
    text: `
WITH ended AS (
  DELETE FROM ${schema}.firing_queue
   WHERE firing = ANY (ARRAY(SELECT firing FROM ${schema}.firing_queue WHERE workspace = $1 AND environment = $2
                              ORDER BY trigger_id, is_manual, firing LIMIT $4 FOR UPDATE))
  RETURNING firing
)
UPDATE ${schema}.firings SET status = 'skipped', reason = $3
 WHERE firing = ANY (ARRAY(SELECT firing FROM ended)) RETURNING firing`,
  };

  return {
    async settle(items) {
      assertStorable(items);
      if (items.length === 0) return [];
      const rows = await database.query<{ ord: number }>(settle, [...itemArrays(columns, items), nowMs()]);
      const settled = new Set(rows.map(({ ord }) => ord));
      return items.map((_item, index) => (settled.has(index + 1) ? "settled" : "fenced"));
    },

    async endPending({ scope: { workspace, environment }, reason, limit, audit: entry }) {
      assertStorable([reason, entry]);
      return database.transaction(async (tx) => {
        // The audit chain first, as when a trigger is removed.
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        const ended = await tx.query(endPending, [workspace, environment, reason, limit]);
        return { status: "ended", firings: ended.length };
      });
    },
  };
}
