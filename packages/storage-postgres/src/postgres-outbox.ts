import type { ClaimedDelivery, DeliveryClaim, DeliveryStore, Scope } from "@procedo/storage";
import { holdNames } from "./advisory-lock.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { isOneOf } from "./delivery-claims.ts";
import type { Statement } from "./statement.ts";

interface HandedRow {
  /** There are claims whose lease is over; nothing was handed over. */
  readonly lapsed: boolean;
  readonly next_due_at_ms: number | null;
  /** How many of its webhook come before it; `null` when nothing was handed over. */
  readonly rank: number | null;
  readonly due_at_ms: number;
  readonly delivery: number;
  readonly delivery_id: string;
  readonly environment: Scope["environment"];
  readonly webhook_id: string;
  readonly event: string;
  readonly created_at_ms: number;
  /** Of its last claim before. */
  readonly epoch: number;
  readonly places_used: number;
  readonly manual: boolean;
  readonly data: string;
}

/** Waits until nobody else claims deliveries of the workspace, and keeps everybody from it until the transaction ends. */
export function holdClaims(tx: Transaction, schema: string, workspace: string): Promise<void> {
  return holdNames(tx, schema, [`deliveries/${workspace}`]);
}

/**
 * The queue that deliveries form.
 *
 * A claim is one row for each webhook, with the numbers of its deliveries; nothing is written to these. They are counted
 * as attempted when they are settled, or when the lease is over and another claim takes them over.
 *
 * One claim of a workspace at a time: how many of a webhook are claimed can be counted only while nobody else claims,
 * and taking turns between webhooks means seeing all of them. Claims are few, each hands over many, and the lock is held
 * for one statement and the commit. Settling goes on meanwhile: it takes deliveries out of a claim as it ends them or has
 * them wait, so that a statement sees both or neither. Whoever has them sent again or ended holds the same lock.
 */
export function postgresOutbox({ database }: PostgresContext): Pick<DeliveryStore, "claim"> {
  const { schema } = database;
  const waiting = `FROM ${schema}.deliveries WHERE status = 'pending' AND sender_id IS NULL AND workspace = $1`;
  // Steps of a loose index scan: the webhooks are few, their deliveries many. Written as a sequence of single rows in the
  // order of the index, so that Postgres has no reason to read more. Those that are claimed stand first in that order, and
  // are passed over by a list that is hashed once.
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
        SELECT environment, webhook_id, lease_ends_at_ms, deliveries FROM ${schema}.delivery_claims WHERE workspace = $1
      ), members AS MATERIALIZED (
        SELECT unnest(deliveries) AS delivery FROM claims
      ), under_way AS MATERIALIZED (
        SELECT environment, webhook_id, sum(cardinality(deliveries)) AS held, min(lease_ends_at_ms) AS next_end
          FROM claims GROUP BY environment, webhook_id
      ), wider AS MATERIALIZED (
        SELECT * FROM unnest($7::text[], $8::text[], $9::integer[]) AS webhook (environment, webhook_id, most)
      ), webhooks AS MATERIALIZED (
        SELECT environment, webhook_id, coalesce(held, 0) AS held, coalesce(most, $4) AS most
          FROM backlogs LEFT JOIN under_way USING (environment, webhook_id) LEFT JOIN wider USING (environment, webhook_id)
         WHERE NOT EXISTS (SELECT FROM claims WHERE lease_ends_at_ms <= $2)
      ), candidates AS MATERIALIZED (
        SELECT due.*, environment, webhook_id, held + row_number() OVER in_turn - 1 AS rank, most
          FROM webhooks CROSS JOIN LATERAL (
            SELECT delivery, delivery_id, due_at_ms, event, created_at_ms, epoch, places_used, manual, payload ${waiting}
               AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id AND due_at_ms <= $2
               AND delivery NOT IN (SELECT delivery FROM members)
             ORDER BY due_at_ms, delivery LIMIT greatest(0, least($3, most - held))
          ) AS due
        WINDOW in_turn AS (PARTITION BY environment, webhook_id ORDER BY due_at_ms, delivery)
      ), chosen AS MATERIALIZED (
        SELECT * FROM candidates WHERE rank < most ORDER BY rank, due_at_ms, delivery LIMIT $3
      ), claimed AS (
        INSERT INTO ${schema}.delivery_claims (workspace, environment, webhook_id, sender_id, lease_ends_at_ms, deliveries)
        SELECT $1, environment, webhook_id, $5, $6, array_agg(delivery) FROM chosen GROUP BY environment, webhook_id
      )
      SELECT EXISTS (SELECT FROM claims WHERE lease_ends_at_ms <= $2) AS lapsed,
             least((SELECT min(next_end) FROM under_way),
                   (SELECT min(next.due_at_ms) FROM webhooks CROSS JOIN LATERAL (
                      SELECT due_at_ms ${waiting}
                         AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id AND due_at_ms > $2
                       ORDER BY due_at_ms LIMIT 1) AS next)) AS next_due_at_ms,
             rank, due_at_ms, delivery, delivery_id, environment, webhook_id, event, created_at_ms, epoch, places_used,
             manual, data
        FROM (SELECT) AS always LEFT JOIN (chosen JOIN ${schema}.payloads USING (payload)) ON true`,
  };
  // There is no index by number. Those of a claim were due before its lease ended, and stand first in the queue: the look
  // ends with the last of them. Locked in the order of their ids, as everybody does.
  const expire: Statement = {
    name: "deliveries-expire",
    text: `
      WITH lapsed AS MATERIALIZED (
        SELECT claim, environment, webhook_id, lease_ends_at_ms, deliveries FROM ${schema}.delivery_claims
         WHERE workspace = $1 AND lease_ends_at_ms <= $2 ORDER BY claim FOR UPDATE
      ), members AS MATERIALIZED (
        SELECT environment, webhook_id, lease_ends_at_ms, unnest(deliveries) AS delivery FROM lapsed
      ), webhooks AS MATERIALIZED (
        SELECT environment, webhook_id, count(*) AS count FROM members GROUP BY environment, webhook_id
      ), found AS MATERIALIZED (
        SELECT delivery_id, delivery
          FROM webhooks CROSS JOIN LATERAL (
            SELECT delivery_id, delivery ${waiting}
               AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id
               AND ${isOneOf("delivery", "SELECT delivery FROM members")}
             ORDER BY due_at_ms, delivery LIMIT count
          ) AS held
         ORDER BY delivery_id
      ), expired AS (
        UPDATE ${schema}.deliveries
           SET epoch = epoch + 1, attempt_count = attempt_count + 1, places_used = places_used + 1,
               due_at_ms = (SELECT lease_ends_at_ms FROM members WHERE members.delivery = deliveries.delivery)
          FROM found WHERE deliveries.delivery_id = found.delivery_id
      )
      DELETE FROM ${schema}.delivery_claims WHERE workspace = $1 AND claim = ANY (ARRAY(SELECT claim FROM lapsed))`,
  };

  return {
    claim: ({ workspace, senderId, limit, perWebhook, wider = [], leaseMs }) =>
      database.transaction(async (tx) => {
        await holdClaims(tx, schema, workspace);
        const atMs = tx.nowMs;
        const bounds = [
          wider.map(({ environment }) => environment),
          wider.map(({ webhookId }) => webhookId),
          wider.map((one) => one.perWebhook),
        ];
        const values = [workspace, atMs, limit, perWebhook, senderId, atMs + leaseMs, ...bounds];
        let rows = await tx.query<HandedRow>(claim, values);
        if (rows[0]?.lapsed === true) {
          await tx.query(expire, [workspace, atMs]);
          rows = await tx.query<HandedRow>(claim, values);
        }
        return claimOf(workspace, rows);
      }),
  };
}

function claimOf(workspace: string, rows: readonly HandedRow[]): DeliveryClaim {
  const handed = rows.flatMap((row) => (row.rank === null ? [] : [{ ...row, rank: row.rank }]));
  handed.sort((a, b) => a.rank - b.rank || a.due_at_ms - b.due_at_ms || a.delivery - b.delivery);
  return {
    deliveries: handed.map((row): ClaimedDelivery => ({
      scope: { workspace, environment: row.environment },
      deliveryId: row.delivery_id,
      webhookId: row.webhook_id,
      event: row.event,
      createdAtMs: row.created_at_ms,
      data: row.data,
      epoch: row.epoch + 1,
      attempt: row.places_used + 1,
      manual: row.manual,
    })),
    nextDueAtMs: rows[0]?.next_due_at_ms ?? undefined,
  };
}
