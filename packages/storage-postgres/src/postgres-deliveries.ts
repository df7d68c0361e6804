import { ProcedoError } from "@procedo/contract";
import type { DeliveryStore } from "@procedo/storage";
import { assertStorable, deliveryCursorQuery, deliveryIdOf } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { deliveryAttempts } from "./delivery-attempts.ts";
import { deliveryPages } from "./delivery-pages.ts";
import { deliveryRowOf, deliveryRows } from "./delivery-rows.ts";
import { auditChain } from "./postgres-audit.ts";
import { lockDeliveries, postgresDeliveryQueue } from "./postgres-delivery-queue.ts";
import { postgresResend } from "./postgres-resend.ts";
import { postgresSettle } from "./postgres-settle.ts";
import { pageOf } from "./sql-page.ts";
import type { Statement } from "./statement.ts";

/**
 * Webhook deliveries. The lock order: deliveries by id, each with its queue row; the history; webhooks; the audit
 * chain. A claim waits for none of these locks.
 */
export function postgresDeliveries(context: PostgresContext): DeliveryStore {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);
  const rows = deliveryRows(schema);
  const lock = lockDeliveries(schema);
  const selectPage = deliveryPages(database, rows);

  const insert: Statement = {
    name: "deliveries-post",
    text: `WITH payload AS (
             INSERT INTO ${schema}.payloads (data) VALUES ($8) RETURNING payload
           ), posted AS (
             INSERT INTO ${schema}.deliveries (delivery_id, workspace, environment, webhook_id, event_id, event,
                                               created_at_ms, payload, manual)
             SELECT $1, $2, $3, $4, $5, $6, $7, payload, true FROM payload
             ON CONFLICT DO NOTHING RETURNING delivery_id, delivery, workspace, environment, webhook_id
           )
           INSERT INTO ${schema}.delivery_queue (delivery_id, delivery, workspace, environment, webhook_id, due_at_ms)
           SELECT *, $9 FROM posted RETURNING delivery_id`,
  };
  const selectPending: Statement = {
    name: "deliveries-pending",
    text: `SELECT delivery_id FROM ${schema}.delivery_queue
            WHERE workspace = $1 AND environment = $2 AND delivery_id > $3 ORDER BY delivery_id LIMIT $4`,
  };
  const selectQueued: Statement = {
    name: "deliveries-queued",
    text: `SELECT delivery_id FROM ${schema}.delivery_queue WHERE delivery_id = ANY ($1::text[])`,
  };
  const endPending: Statement = {
    name: "deliveries-end-pending",
    text: `WITH ended AS (
             DELETE FROM ${schema}.delivery_queue WHERE delivery_id = ANY ($1::text[]) RETURNING delivery_id, claims
           )
           UPDATE ${schema}.deliveries
              SET status = 'failed', manual = false, error = $2, epoch = epoch + claims,
                  attempt_count = attempt_count + claims
             FROM ended WHERE deliveries.delivery_id = ended.delivery_id`,
  };
  const idsOf = (found: readonly unknown[]): readonly string[] =>
    (found as readonly { readonly delivery_id: string }[]).map((row) => row.delivery_id);

  return {
    ...postgresDeliveryQueue(context),

    ...postgresSettle(context),

    ...postgresResend(context),

    ...deliveryAttempts(context),

    async post({ scope, webhookId, event, audit: entry }) {
      assertStorable([scope, webhookId, event, entry]);
      const { workspace, environment } = scope;
      const { eventId, event: name, createdAtMs, data } = event;
      const deliveryId = deliveryIdOf(eventId, webhookId);
      return database.transaction(async (tx) => {
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        const values = [deliveryId, workspace, environment, webhookId, eventId, name, createdAtMs, data, tx.nowMs];
        const inserted = await tx.query(insert, values);
        if (inserted.length === 0) throw new ProcedoError("internal", `Event "${eventId}" exists already.`);
        tx.announce({ type: "deliverable" });
        return { status: "posted", delivery: await rows.get(tx, scope, webhookId, deliveryId) };
      });
    },

    async endPending({ scope: { workspace, environment }, error, limit, audit: entry }) {
      assertStorable([error, entry]);
      return database.transaction(async (tx) => {
        const pending: string[] = [];
        let after = "";
        while (pending.length < limit) {
          const found = idsOf(await tx.query(selectPending, [workspace, environment, after, limit - pending.length]));
          const last = found.at(-1);
          if (last === undefined) break;
          after = last;
          await lock(tx, found);
          // Some deliveries may have been settled before they were locked.
          pending.push(...idsOf(await tx.query(selectQueued, [found])));
        }
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        await tx.query(endPending, [pending, error]);
        return { status: "ended", deliveries: pending.length };
      });
    },

    get: async ({ scope, webhookId, deliveryId }) => (await rows.find(database, scope, webhookId, deliveryId))?.row,

    list: (request) =>
      pageOf({
        ...request,
        query: deliveryCursorQuery(request),
        shape: ["number", "number"],
        rowsAfter: (position, count) => selectPage(request, position, count),
        positionOf: (row) => [row.createdAtMs, row.number],
        itemOf: deliveryRowOf,
      }),
  };
}
