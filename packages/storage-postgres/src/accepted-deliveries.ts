import type { DeliverySettlement, DeliveryStore, SettleResult } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { isOneOf } from "./delivery-claims.ts";
import { acceptedColumns, heldItems, itemValues } from "./delivery-items.ts";
import { ordinalsIn, ordinalsSql } from "./ordinals.ts";
import type { Statement } from "./statement.ts";

const settledNow: SettleResult = { status: "settled", failingSinceMs: undefined };

/** Whether a receiver took it, which leaves nothing to be decided. */
export function wasAccepted({ attempt, error, cutOff, then }: DeliverySettlement): boolean {
  const hasEnded = then.status === "delivered" && error === undefined && cutOff !== true;
  return hasEnded && attempt !== undefined && attempt.failure === undefined;
}

/**
 * Settles deliveries that were all accepted: one statement, and so one round trip instead of a transaction's four. The
 * attempt stays in the delivery's row, which has most of it anyway; in the history are those that something came after.
 */
export function acceptedDeliveries({ database }: PostgresContext): Pick<DeliveryStore, "settle"> {
  const { schema } = database;
  // Tells the history first and then locks webhooks in the order of their names, as every batch does.
  const settle: Statement = {
    name: "deliveries-settle-accepted",
    text: `${heldItems(schema, acceptedColumns)}, settled AS (
        UPDATE ${schema}.deliveries
           SET epoch = held.epoch, attempt_count = attempt_count + 1, places_used = places_used + 1,
               status = 'delivered', due_at_ms = NULL, error = NULL, url = held.url, response_code = held.response_code,
               delivered_at_ms = at_ms, accepted_took_ms = took_ms, accepted_manual = held.manual, manual = false
          FROM held WHERE deliveries.delivery_id = held.delivery_id AND status = 'pending'
        RETURNING number, deliveries.workspace, deliveries.environment, webhook_id, deliveries.delivery
      ), remembered AS (
        INSERT INTO ${schema}.delivery_attempts (delivery_id, epoch, at_ms, took_ms, url, response_code, manual)
        SELECT delivery_id, epoch, at_ms, took_ms, url, response_code, manual
          FROM named
         WHERE NOT kept AND NOT (epoch = ended_epoch + 1 AND ${isOneOf("delivery", "SELECT delivery FROM settled")})
         ORDER BY delivery_id, epoch, number
        ON CONFLICT DO NOTHING RETURNING 1
      ), accepting AS MATERIALIZED (
        SELECT record
          FROM (SELECT DISTINCT workspace, environment, webhook_id FROM settled
                 WHERE (SELECT count(*) FROM remembered) >= 0
                 ORDER BY workspace, environment, webhook_id) AS webhook
               CROSS JOIN LATERAL (SELECT record FROM ${schema}.records
                                    WHERE kind = 'webhook' AND records.workspace = webhook.workspace
                                      AND records.environment = webhook.environment AND id = webhook_id
                                      AND failing_since_ms IS NOT NULL
                                      FOR NO KEY UPDATE) AS failing
      ), recovered AS (
        UPDATE ${schema}.records SET failing_since_ms = NULL
          FROM accepting WHERE records.record = accepting.record
      )
      SELECT ${ordinalsSql("number")} AS settled FROM settled`,
  };

  return {
    async settle(items) {
      const [row] = await database.query<{ settled: string | null }>(settle, itemValues(acceptedColumns, items));
      const results = items.map((): SettleResult => ({ status: "fenced" }));
      for (const place of ordinalsIn(row?.settled)) results[place - 1] = settledNow;
      return results;
    },
  };
}
