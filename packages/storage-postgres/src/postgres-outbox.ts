import type { ClaimedDelivery, DeliveryClaim, DeliveryStore, Scope } from "@procedo/storage";
import { holdNames } from "./advisory-lock.ts";
import type { PostgresContext } from "./context.ts";
import type { Statement } from "./statement.ts";

interface HandedRow {
  readonly next_due_at_ms: number | null;
  /** How many of its webhook come before it; `null` when nothing was handed over. */
  readonly rank: number | null;
  readonly was_due_at_ms: number;
  readonly delivery: number;
  readonly delivery_id: string;
  readonly environment: Scope["environment"];
  readonly webhook_id: string;
  readonly event: string;
  readonly created_at_ms: number;
  readonly epoch: number;
  readonly places_used: number;
  readonly manual: boolean;
  readonly data: string;
}

/**
 * The queue that deliveries form.
 *
 * One claim of a workspace at a time: how many of a webhook are claimed can be counted only while nobody else claims,
 * and taking turns between webhooks means seeing all of them. Claims are few, each hands over many, and the lock is held
 * for one statement and the commit. Settling and sending again go on meanwhile: what they have locked is passed over,
 * and what they changed since the statement began is looked at again.
 */
export function postgresOutbox({ database }: PostgresContext): Pick<DeliveryStore, "claim"> {
  const { schema } = database;
  const waiting = `FROM ${schema}.deliveries WHERE status = 'pending' AND sender_id IS NULL AND workspace = $1`;
  const claimed = `FROM ${schema}.deliveries WHERE sender_id IS NOT NULL AND workspace = $1`;
  // Steps of a loose index scan: the webhooks are few, their deliveries many. Written as a sequence of single rows in the
  // order of the index, so that Postgres has no reason to read more.
  const claim: Statement = {
    name: "deliveries-claim",
    text: `
      WITH RECURSIVE backlogs (environment, webhook_id) AS (
        (SELECT environment, webhook_id ${waiting} ORDER BY environment, webhook_id LIMIT 1)
        UNION ALL
        SELECT following.environment, following.webhook_id
          FROM backlogs CROSS JOIN LATERAL (
            SELECT environment, webhook_id ${waiting}
               AND (environment, webhook_id) > (backlogs.environment, backlogs.webhook_id)
             ORDER BY environment, webhook_id LIMIT 1
          ) AS following
      ), claims AS MATERIALIZED (
        SELECT environment, webhook_id, count(*) FILTER (WHERE due_at_ms > $2) AS held,
               min(due_at_ms) FILTER (WHERE due_at_ms > $2) AS next_end
          ${claimed} GROUP BY environment, webhook_id
      ), wider AS MATERIALIZED (
        SELECT * FROM unnest($7::text[], $8::text[], $9::integer[]) AS webhook (environment, webhook_id, most)
      ), webhooks AS MATERIALIZED (
        SELECT environment, webhook_id, coalesce(held, 0) AS held, next_end, coalesce(most, $4) AS most
          FROM backlogs FULL JOIN claims USING (environment, webhook_id) LEFT JOIN wider USING (environment, webhook_id)
      ), candidates AS MATERIALIZED (
        SELECT delivery_id, due_at_ms, delivery, held + row_number() OVER in_turn - 1 AS rank, most
          FROM webhooks CROSS JOIN LATERAL (
            (SELECT delivery_id, due_at_ms, delivery ${waiting}
                AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id AND due_at_ms <= $2
              ORDER BY due_at_ms, delivery LIMIT greatest(0, least($3, most - held)))
            UNION ALL
            (SELECT delivery_id, due_at_ms, delivery ${claimed}
                AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id AND due_at_ms <= $2
              ORDER BY due_at_ms, delivery LIMIT greatest(0, least($3, most - held)))
          ) AS due
        WINDOW in_turn AS (PARTITION BY environment, webhook_id ORDER BY due_at_ms, delivery)
      ), chosen AS MATERIALIZED (
        SELECT delivery_id, due_at_ms, rank FROM candidates WHERE rank < most
         ORDER BY rank, due_at_ms, delivery LIMIT $3
      ), locked AS MATERIALIZED (
        SELECT delivery_id, chosen.due_at_ms AS was_due_at_ms, rank
          FROM chosen JOIN ${schema}.deliveries USING (delivery_id)
         WHERE status = 'pending' AND deliveries.due_at_ms <= $2
           FOR UPDATE OF deliveries SKIP LOCKED
      ), handed AS (
        UPDATE ${schema}.deliveries
           SET sender_id = $5, due_at_ms = $6, epoch = epoch + 1, attempt_count = attempt_count + 1,
               places_used = places_used + 1
          FROM locked WHERE deliveries.delivery_id = locked.delivery_id
        RETURNING rank, was_due_at_ms, deliveries.*
      )
      SELECT least((SELECT min(next_end) FROM webhooks),
                   (SELECT min(next.due_at_ms) FROM webhooks CROSS JOIN LATERAL (
                      SELECT due_at_ms ${waiting}
                         AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id AND due_at_ms > $2
                       ORDER BY due_at_ms LIMIT 1) AS next)) AS next_due_at_ms,
             rank, was_due_at_ms, delivery, delivery_id, environment, webhook_id, event, created_at_ms, epoch, places_used,
             manual, data
        FROM (SELECT) AS always LEFT JOIN (handed JOIN ${schema}.payloads USING (payload)) ON true`,
  };

  return {
    claim: ({ workspace, senderId, limit, perWebhook, wider = [], leaseMs }) =>
      database.transaction(async (tx) => {
        await holdNames(tx, schema, [`deliveries/${workspace}`]);
        const atMs = tx.nowMs;
        const bounds = [
          wider.map(({ environment }) => environment),
          wider.map(({ webhookId }) => webhookId),
          wider.map((one) => one.perWebhook),
        ];
        const values = [workspace, atMs, limit, perWebhook, senderId, atMs + leaseMs, ...bounds];
        const rows = await tx.query<HandedRow>(claim, values);
        return claimOf(workspace, rows);
      }),
  };
}

function claimOf(workspace: string, rows: readonly HandedRow[]): DeliveryClaim {
  const handed = rows.flatMap((row) => (row.rank === null ? [] : [{ ...row, rank: row.rank }]));
  handed.sort((a, b) => a.rank - b.rank || a.was_due_at_ms - b.was_due_at_ms || a.delivery - b.delivery);
  return {
    deliveries: handed.map((row): ClaimedDelivery => ({
      scope: { workspace, environment: row.environment },
      deliveryId: row.delivery_id,
      webhookId: row.webhook_id,
      event: row.event,
      createdAtMs: row.created_at_ms,
      data: row.data,
      epoch: row.epoch,
      attempt: row.places_used,
      manual: row.manual,
    })),
    nextDueAtMs: rows[0]?.next_due_at_ms ?? undefined,
  };
}
