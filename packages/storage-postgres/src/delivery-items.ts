import type { DeliverySettlement } from "@procedo/storage";
import { itemArrays, type ItemColumn } from "./item-rows.ts";
import { keepsAttempt } from "./delivery-attempts.ts";
import { isOneOf, leaveClaims } from "./delivery-claims.ts";
import { matchesUnindexed } from "./unindexed.ts";
import type { SqlValue } from "./statement.ts";

/** One column of what deliveries have come to, as a statement reads it. */
export type DeliveryColumn = ItemColumn<DeliverySettlement>;

/** That a delivery is one of its item's environment. */
export const inScopeOfItem = matchesUnindexed(
  "deliveries.workspace, deliveries.environment",
  "items.workspace, items.environment",
);

/** Of deliveries that were accepted, all that is said. */
export const acceptedColumns: readonly DeliveryColumn[] = [
  { name: "delivery_id", type: "text", valueOf: ({ deliveryId }) => deliveryId },
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "epoch", type: "integer", valueOf: ({ epoch }) => epoch },
  { name: "url", type: "text", valueOf: ({ attempt }) => attempt?.url ?? null },
  { name: "at_ms", type: "bigint", valueOf: ({ attempt }) => attempt?.atMs ?? null },
  { name: "took_ms", type: "bigint", valueOf: ({ attempt }) => attempt?.tookMs ?? null },
  { name: "response_code", type: "integer", valueOf: ({ attempt }) => attempt?.responseCode ?? null },
  { name: "manual", type: "boolean", valueOf: ({ attempt }) => attempt?.manual ?? null },
];

export const settledColumns: readonly DeliveryColumn[] = [
  ...acceptedColumns,
  { name: "status", type: "text", valueOf: ({ then }) => then.status },
  { name: "due_at_ms", type: "bigint", valueOf: ({ then }) => (then.status === "pending" ? then.dueAtMs : null) },
  { name: "error", type: "text", valueOf: ({ error }) => error ?? null },
  { name: "cut_off", type: "boolean", valueOf: ({ cutOff }) => cutOff ?? false },
  { name: "failure", type: "text", valueOf: ({ attempt }) => attempt?.failure ?? null },
];

/**
 * The beginning of a statement: `items` with these columns, whether they may settle their claim, and their place from 1;
 * `named`, those whose delivery is there, with its number, the epoch of its last claim that has ended, and whether its row
 * keeps the attempt under the item's epoch already; and `held`, those whose delivery is claimed under their epoch. What is
 * held leaves its claim, and a claim that has nothing left goes.
 *
 * Claims are locked in the order of their numbers, as everybody does, and looked at again once they are: what another
 * has settled, taken over or ended meanwhile is in none of them. A delivery's epoch only changes as it leaves a claim, so
 * that the one the statement sees is the one under which its claim was made.
 */
export function heldItems(schema: string, columns: readonly DeliveryColumn[]): string {
  const arrays = [...columns.map(({ type }) => type), "boolean"].map((type, index) => `$${index + 1}::${type}[]`);
  const names = columns.map(({ name }) => name).join(", ");
  return `
      WITH items AS MATERIALIZED (
        SELECT * FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS item (${names}, contends, number)
      ), named AS MATERIALIZED (
        SELECT items.*, delivery, deliveries.epoch AS ended_epoch,
               deliveries.epoch = items.epoch AND ${keepsAttempt} AS kept
          FROM items JOIN ${schema}.deliveries USING (delivery_id) WHERE ${inScopeOfItem}
      ), touched AS MATERIALIZED (
        SELECT DISTINCT workspace, claim
          FROM (SELECT workspace, claim, unnest(deliveries) AS delivery FROM ${schema}.delivery_claims
                 WHERE workspace = ANY (ARRAY(SELECT workspace FROM named))) AS claimed
         WHERE ${isOneOf("delivery", "SELECT delivery FROM named")}
      ), claims AS MATERIALIZED (
        SELECT workspace, claim, deliveries FROM touched JOIN ${schema}.delivery_claims USING (workspace, claim)
         ORDER BY claim FOR UPDATE OF delivery_claims
      ), members AS MATERIALIZED (
        SELECT workspace, claim, unnest(deliveries) AS delivery FROM claims
      ), held AS MATERIALIZED (
        SELECT * FROM named
         WHERE contends AND epoch = ended_epoch + 1 AND ${isOneOf("delivery", "SELECT delivery FROM members")}
         ORDER BY delivery_id
      ), ${leaveClaims(schema, "members", "held")}`;
}

export function itemValues(
  columns: readonly DeliveryColumn[],
  items: readonly DeliverySettlement[],
): readonly SqlValue[] {
  const contends = contending(items);
  return itemArrays(
    [...columns, { name: "contends", type: "boolean", valueOf: (_item, index) => contends[index] ?? false }],
    items,
  );
}

/** Of several items for one claim the first settles it; the others only tell the history, if it has not heard yet. */
function contending(items: readonly DeliverySettlement[]): readonly boolean[] {
  const seen = new Set<string>();
  return items.map(({ scope, deliveryId, epoch }) => {
    const claim = JSON.stringify([scope.workspace, scope.environment, deliveryId, epoch]);
    return seen.size < seen.add(claim).size;
  });
}
