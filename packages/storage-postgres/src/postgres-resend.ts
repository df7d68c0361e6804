import type { DeliveryStatus, DeliveryStore } from "@procedo/storage";
import { assertStorable, resendCursorQuery } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { deliveryRows } from "./delivery-rows.ts";
import { auditChain } from "./postgres-audit.ts";
import { lockDeliveries } from "./postgres-delivery-queue.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

interface ExaminedRow {
  readonly deliveryId: string;
  readonly number: number;
  readonly createdAtMs: number;
  readonly status: DeliveryStatus;
}

/** Resends deliveries. Each is checked after it was locked, so that only one of several concurrent requests counts. */
export function postgresResend(context: PostgresContext): Pick<DeliveryStore, "resend" | "resendUndelivered"> {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);
  const rows = deliveryRows(schema);
  const lock = lockDeliveries(schema);
  const restart: Statement = {
    name: "deliveries-restart",
    text: `WITH resent AS (
             UPDATE ${schema}.deliveries SET status = 'pending', places_used = 0, manual = $3, resent_at_ms = $2
              WHERE delivery_id = ANY ($1::text[])
             RETURNING delivery_id, delivery, workspace, environment, webhook_id
           )
           INSERT INTO ${schema}.delivery_queue (delivery_id, delivery, workspace, environment, webhook_id, due_at_ms)
           SELECT *, $2 FROM resent`,
  };
  // A claimed delivery remains unchanged.
  const makeDue: Statement = {
    name: "deliveries-make-due",
    text: `WITH due AS (
             UPDATE ${schema}.delivery_queue SET due_at_ms = least(due_at_ms, $2)
              WHERE delivery_id = $1 AND (claims = 0 OR due_at_ms <= $2)
             RETURNING delivery_id
           )
           UPDATE ${schema}.deliveries SET resent_at_ms = $2, manual = manual OR ($3 AND EXISTS (SELECT FROM due))
            WHERE delivery_id = $1`,
  };
  const selectPage: Statement = {
    name: "deliveries-undelivered-page",
    text: `SELECT delivery_id AS "deliveryId", delivery AS number, created_at_ms AS "createdAtMs", status
             FROM ${schema}.deliveries
            WHERE workspace = $1 AND environment = $2 AND webhook_id = $3 AND (created_at_ms, delivery) > ($4, $5)
            ORDER BY created_at_ms, delivery LIMIT $6`,
  };
  const selectUndelivered: Statement = {
    name: "deliveries-undelivered",
    text: `SELECT delivery_id AS "deliveryId" FROM ${schema}.deliveries
            WHERE delivery_id = ANY ($1::text[]) AND status = ANY ($2::text[])
              AND (resent_at_ms IS NULL OR $3 - resent_at_ms >= $4)`,
  };

  return {
    async resend({ scope, webhookId, deliveryId, repeatMs, manual = false, audit: entry }) {
      assertStorable(entry);
      return database.transaction(async (tx) => {
        await lock(tx, [deliveryId]);
        const found = await rows.find(tx, scope, webhookId, deliveryId);
        if (found === undefined) return { status: "not_found" };
        const { row, resentAtMs } = found;
        if (resentAtMs !== undefined && tx.nowMs - resentAtMs < repeatMs) return { status: "repeated", delivery: row };
        if ((await audit.append(tx, scope.workspace, entry)) === "behind") return { status: "audit_behind" };
        if (row.status === "pending") await tx.query(makeDue, [deliveryId, tx.nowMs, manual]);
        else await tx.query(restart, [[deliveryId], tx.nowMs, true]);
        tx.announce({ type: "deliverable" });
        return { status: "resent", delivery: await rows.get(tx, scope, webhookId, deliveryId) };
      });
    },

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
            return tx.query<ExaminedRow>(selectPage, [workspace, environment, webhookId, afterMs, after, count]);
          },
          positionOf: (row) => [row.createdAtMs, row.number],
          itemOf: (row) => row,
        });
        const candidates = items.filter(({ status }) => wanted.includes(status)).map(({ deliveryId }) => deliveryId);
        if (candidates.length === 0) return { status: "resent", deliveries: 0, nextCursor };
        await lock(tx, candidates);
        const values = [candidates, statuses, tx.nowMs, repeatMs];
        const undelivered = await tx.query<{ readonly deliveryId: string }>(selectUndelivered, values);
        if (undelivered.length === 0) return { status: "resent", deliveries: 0, nextCursor };
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        await tx.query(restart, [undelivered.map(({ deliveryId }) => deliveryId), tx.nowMs, false]);
        tx.announce({ type: "deliverable" });
        return { status: "resent", deliveries: undelivered.length, nextCursor };
      });
    },
  };
}
