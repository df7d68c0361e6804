import { environments } from "@procedo/contract";
import type { ClaimedDelivery, DeliveryStore, Scope } from "@procedo/storage";
import { holdNames } from "./advisory-lock.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { Statement } from "./statement.ts";

interface ClaimedRow {
  readonly delivery_id: string;
  readonly environment: Scope["environment"];
  readonly webhook_id: string;
  readonly event: string;
  readonly created_at_ms: number;
  readonly data: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly manual: boolean;
}

/**
 * Locks deliveries with their queue rows, in the order of every transaction. Until it ends, no other transaction
 * changes them. Claims lock only queue rows, and skip those that are locked.
 */
export function lockDeliveries(schema: string): (tx: Transaction, deliveryIds: readonly string[]) => Promise<void> {
  const lock: Statement = {
    name: "deliveries-lock",
    text: `SELECT count(delivery.found) + count(queued.found)
             FROM (SELECT DISTINCT delivery_id COLLATE "C" AS delivery_id FROM unnest($1::text[]) AS item (delivery_id)
                    ORDER BY 1) AS item
             CROSS JOIN LATERAL (SELECT true AS found FROM ${schema}.deliveries
                                  WHERE deliveries.delivery_id = item.delivery_id FOR UPDATE) AS delivery
             LEFT JOIN LATERAL (SELECT true AS found FROM ${schema}.delivery_queue
                                 WHERE delivery_queue.delivery_id = item.delivery_id FOR UPDATE) AS queued ON true`,
  };
  return async (tx, deliveryIds) => {
    await tx.query(lock, [deliveryIds]);
  };
}

/**
 * The queue of pending deliveries. A row of `delivery_queue` holds the time at which its delivery is due, and the
 * number of claims since the last settlement. A claim moves `due_at_ms` to the end of its lease. If the sender dies,
 * the delivery therefore becomes due again without further action.
 *
 * Claims of a workspace run one at a time, because the claimed deliveries of a webhook can only be counted while no
 * other sender claims. Claims are rare, and each returns many deliveries.
 */
export function postgresDeliveryQueue({ database }: PostgresContext): Pick<DeliveryStore, "claim"> {
  const { schema } = database;
  const queue = `${schema}.delivery_queue`;
  const ofWebhook = `workspace = $1 AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id`;
  // The webhooks are found by a loose index scan: there are few webhooks with many deliveries.
  const claim: Statement = {
    name: "deliveries-claim",
    text: `
      WITH RECURSIVE webhooks (environment, webhook_id) AS (
        (SELECT environment, webhook_id FROM ${queue} WHERE workspace = $1 ORDER BY environment, webhook_id LIMIT 1)
        UNION ALL
        SELECT following.environment, following.webhook_id
          FROM webhooks CROSS JOIN LATERAL (
            SELECT environment, webhook_id FROM ${queue}
             WHERE workspace = $1 AND (environment, webhook_id) > (webhooks.environment, webhooks.webhook_id)
             ORDER BY environment, webhook_id LIMIT 1) AS following
      ), limits AS MATERIALIZED (
        SELECT * FROM unnest($4::text[], $5::integer[], $6::integer[]) AS limits (environment, total, per_webhook)
      ), claimed AS MATERIALIZED (
        SELECT environment, webhook_id, count(*) AS held FROM ${queue}
         WHERE workspace = $1 AND claims > 0 AND due_at_ms > $2 GROUP BY environment, webhook_id
      ), candidates AS MATERIALIZED (
        SELECT due.*, environment, total,
               coalesce(held, 0) + row_number() OVER (PARTITION BY environment, webhook_id ORDER BY due_at_ms, delivery) AS rank
          FROM webhooks JOIN limits USING (environment) LEFT JOIN claimed USING (environment, webhook_id)
          CROSS JOIN LATERAL (
            SELECT delivery_id, delivery, due_at_ms FROM ${queue} WHERE ${ofWebhook} AND due_at_ms <= $2
             ORDER BY due_at_ms, delivery LIMIT greatest(0, least(total, per_webhook - coalesce(held, 0)))) AS due
      ), chosen AS MATERIALIZED (
        SELECT delivery_id, row_number() OVER (ORDER BY rank, due_at_ms, delivery) AS turn
          FROM (SELECT *, row_number() OVER (PARTITION BY environment ORDER BY rank, due_at_ms, delivery) AS place
                  FROM candidates) AS candidate
         WHERE place <= total
      ), locked AS MATERIALIZED (
        SELECT chosen.*
          FROM chosen CROSS JOIN LATERAL (
            SELECT FROM ${queue} WHERE delivery_queue.delivery_id = chosen.delivery_id AND due_at_ms <= $2
               FOR UPDATE SKIP LOCKED) AS free
      ), leased AS (
        UPDATE ${queue} SET due_at_ms = $3, claims = claims + 1
          FROM locked WHERE delivery_queue.delivery_id = locked.delivery_id
        RETURNING delivery_queue.delivery_id, turn
      )
      SELECT (SELECT array_agg(delivery_id ORDER BY turn) FROM leased) AS delivery_ids,
             (SELECT min(due_at_ms) FROM webhooks CROSS JOIN LATERAL (
                SELECT due_at_ms FROM ${queue} WHERE ${ofWebhook} AND due_at_ms > $2
                 ORDER BY due_at_ms LIMIT 1) AS next) AS next_due_at_ms`,
  };
  // A separate statement, which sees the deliveries as they were when the claim had locked them.
  const readClaimed: Statement = {
    name: "deliveries-read-claimed",
    text: `SELECT delivery_id, environment, webhook_id, event, created_at_ms, data, epoch + claims AS epoch,
                  places_used + claims AS attempt, manual
             FROM unnest($1::text[]) WITH ORDINALITY AS claimed (delivery_id, turn)
             JOIN ${schema}.deliveries USING (delivery_id) JOIN ${schema}.payloads USING (payload)
             CROSS JOIN LATERAL (SELECT claims FROM ${queue}
                                  WHERE delivery_queue.delivery_id = claimed.delivery_id LIMIT 1) AS queued
            ORDER BY turn`,
  };

  return {
    claim: ({ workspace, limits, leaseMs }) =>
      database.transaction(async (tx) => {
        await holdNames(tx, schema, [`deliveries/${workspace}`]);
        const [answer] = await tx.query<{ delivery_ids: readonly string[] | null; next_due_at_ms: number | null }>(
          claim,
          [
            workspace,
            tx.nowMs,
            tx.nowMs + leaseMs,
            environments,
            environments.map((environment) => limits[environment].total),
            environments.map((environment) => limits[environment].perWebhook),
          ],
        );
        const deliveryIds = answer?.delivery_ids ?? [];
        const rows = deliveryIds.length === 0 ? [] : await tx.query<ClaimedRow>(readClaimed, [deliveryIds]);
        return {
          deliveries: rows.map((row) => claimedOf(workspace, row)),
          nextDueAtMs: answer?.next_due_at_ms ?? undefined,
        };
      }),
  };
}

function claimedOf(workspace: string, row: ClaimedRow): ClaimedDelivery {
  return {
    scope: { workspace, environment: row.environment },
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    event: row.event,
    createdAtMs: row.created_at_ms,
    data: row.data,
    epoch: row.epoch,
    attempt: row.attempt,
    manual: row.manual,
  };
}
