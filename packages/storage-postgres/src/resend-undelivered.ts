import type { DeliveryStatus, DeliveryStore } from "@procedo/storage";
import { assertStorable, resendCursorQuery } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { auditChain } from "./postgres-audit.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

interface LookedAt {
  readonly deliveryId: string;
  readonly number: number;
  readonly createdAtMs: number;
  readonly status: DeliveryStatus;
}

/**
 * Deliveries that have ended stand in no claim, so that only their rows are locked, in the order of their ids; which of a
 * page are sent again is decided once they are.
 */
export function resendUndelivered(context: PostgresContext): Pick<DeliveryStore, "resendUndelivered"> {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);
  const selectPage: Statement = {
    name: "deliveries-undelivered-page",
    text: `SELECT delivery_id AS "deliveryId", delivery AS number, created_at_ms AS "createdAtMs", status
             FROM ${schema}.deliveries
            WHERE workspace = $1 AND environment = $2 AND webhook_id = $3 AND (created_at_ms, delivery) > ($4, $5)
            ORDER BY created_at_ms, delivery LIMIT $6`,
  };
  const lock: Statement = {
    name: "deliveries-undelivered-lock",
    text: `SELECT delivery_id AS "deliveryId" FROM ${schema}.deliveries
            WHERE delivery_id = ANY ($1::text[]) AND status = ANY ($2::text[])
              AND (resent_at_ms IS NULL OR $3 - resent_at_ms >= $4)
            ORDER BY delivery_id FOR UPDATE`,
  };
  const beginAnew: Statement = {
    name: "deliveries-begin-anew",
    text: `UPDATE ${schema}.deliveries
              SET status = 'pending', places_used = 0, manual = false, due_at_ms = $2, resent_at_ms = $2
            WHERE delivery_id = ANY ($1::text[])`,
  };

  return {
    async resendUndelivered(request) {
      const { scope, webhookId, statuses, sinceMs, repeatMs, audit: entry } = request;
      assertStorable(entry);
      const { workspace, environment } = scope;
      const wanted: readonly DeliveryStatus[] = statuses;
      return database.transaction(async (tx) => {
        const { items, nextCursor } = await pageOf({
          ...request,
          query: resendCursorQuery(request),
          shape: ["number", "number"],
          rowsAfter: (position, count) => {
            const [afterMs, after] = position ?? [sinceMs, -1];
            return tx.query<LookedAt>(selectPage, [workspace, environment, webhookId, afterMs, after, count]);
          },
          positionOf: (row) => [row.createdAtMs, row.number],
          itemOf: (row) => row,
        });
        const candidates = items.filter(({ status }) => wanted.includes(status)).map(({ deliveryId }) => deliveryId);
        if (candidates.length === 0) return { status: "resent", deliveries: 0, nextCursor };
        const rows = await tx.query<Pick<LookedAt, "deliveryId">>(lock, [
          candidates,
          [...statuses],
          tx.nowMs,
          repeatMs,
        ]);
        if (rows.length === 0) return { status: "resent", deliveries: 0, nextCursor };
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        await tx.query(beginAnew, [rows.map(({ deliveryId }) => deliveryId), tx.nowMs]);
        tx.announce({ type: "deliverable" });
        return { status: "resent", deliveries: rows.length, nextCursor };
      });
    },
  };
}
