import type { FiringSettlement, TriggerStore } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { itemArrays, itemsSql, type ItemColumn } from "./item-rows.ts";
import type { Statement } from "./statement.ts";
import { matchesUnindexed } from "./unindexed.ts";

const columns: readonly ItemColumn<FiringSettlement>[] = [
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "firing_id", type: "text", valueOf: ({ firingId }) => firingId },
  { name: "epoch", type: "integer", valueOf: ({ epoch }) => epoch },
  { name: "status", type: "text", valueOf: ({ next }) => next.status },
  { name: "due_at_ms", type: "bigint", valueOf: ({ next }) => (next.status === "pending" ? next.dueAtMs : null) },
  { name: "reason", type: "text", valueOf: ({ next }) => (next.status === "pending" ? null : next.reason) },
  { name: "error", type: "text", valueOf: ({ next }) => (next.status === "failed" ? next.error : null) },
];

/** Ends claimed firings without a run, or gives them back, with one statement for all. */
export function settleFirings({ database }: PostgresContext): Pick<TriggerStore, "settle"> {
  const { schema } = database;
  const isOfScope = matchesUnindexed("firings.workspace, firings.environment", "item.workspace, item.environment");
  // Locks firings in the order of their ids, as commits do. Of several items for one claim, the first counts.
  const settle: Statement = {
    name: "firings-settle",
    text: `
WITH item AS MATERIALIZED (
  SELECT DISTINCT ON (workspace, environment, firing_id, epoch) * FROM ${itemsSql(columns)}
   ORDER BY workspace, environment, firing_id, epoch, ord
), held AS MATERIALIZED (
  SELECT item.*, found.firing
    FROM (SELECT * FROM item ORDER BY firing_id COLLATE "C") AS item
    CROSS JOIN LATERAL (SELECT firing FROM ${schema}.firings
                         WHERE firings.firing_id = item.firing_id AND ${isOfScope} LIMIT 1) AS found
    CROSS JOIN LATERAL (SELECT state, epoch FROM ${schema}.firing_queue
                         WHERE firing_queue.firing = found.firing FOR UPDATE) AS queued
   WHERE queued.state = 'leased' AND queued.epoch = item.epoch
), released AS (
  UPDATE ${schema}.firing_queue SET state = 'pending', due_at_ms = held.due_at_ms
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

  return {
    async settle(items) {
      assertStorable(items);
      if (items.length === 0) return [];
      const rows = await database.query<{ ord: number }>(settle, itemArrays(columns, items));
      const settled = new Set(rows.map(({ ord }) => ord));
      return items.map((_item, index) => (settled.has(index + 1) ? "settled" : "fenced"));
    },
  };
}
