import { environments } from "@procedo/contract";
import type { ClaimedDelivery, DeliveryClaim, DeliveryStore, Scope } from "@procedo/storage";
import { holdNames } from "./advisory-lock.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { isOneOf, leaveClaims } from "./delivery-claims.ts";
import type { Statement } from "./statement.ts";

/** Of each that is handed over; where there is none, one row without a delivery. */
interface HandedRow {
  /** From 1; `null` without a delivery. */
  readonly turn: number | null;
  /** Only in a row without a delivery or in the first turn's, as what follows: there are claims whose lease is over. */
  readonly lapsed: boolean | null;
  readonly next_due_at_ms: number | null;
  readonly delivery_id: string;
  readonly environment: Scope["environment"];
  readonly webhook_id: string;
  readonly event: string;
  readonly created_at_ms: number;
  /** Of its last claim before; its places as well. */
  readonly epoch: number;
  readonly places_used: number;
  readonly manual: boolean;
  readonly data: string;
}

/**
 * Deliveries of one webhook in a row of `delivery_claims`: a kilobyte. Postgres compresses rows from two on, which takes
 * half a millisecond each time that some of them are settled, as long as settling ten of them.
 */
const perClaimRow = 128;

/** Waits until nobody else claims deliveries of the workspace, and keeps everybody from it until the transaction ends. */
export function holdClaims(tx: Transaction, schema: string, workspace: string): Promise<void> {
  return holdNames(tx, schema, [`deliveries/${workspace}`]);
}

/**
 * The queue that deliveries form.
 *
 * What is claimed stands in rows with the numbers of {@link perClaimRow} deliveries of a webhook at most; nothing is written
 * to the deliveries. They are counted as attempted when they are settled, or when another claim takes them over after
 * their lease.
 *
 * One claim of a workspace at a time: how many of a webhook are claimed can be counted only while nobody else claims,
 * and taking turns between webhooks means seeing all of them. Claims are few, each hands over many, and the lock is held
 * for one statement and the commit, for three where leases are over. Settling goes on meanwhile: it takes deliveries out
 * of a claim as it ends them or has them wait, so that a statement sees both or neither. Whoever ends what is pending or
 * has it sent again holds the same lock.
 */
export function postgresOutbox({ database }: PostgresContext): Pick<DeliveryStore, "claim"> {
  const { schema } = database;
  const claim: Statement = { name: "deliveries-claim", text: claimText(schema, false) };
  const takeOver: Statement = { name: "deliveries-take-over", text: claimText(schema, true) };
  const lockLapsed: Statement = {
    name: "deliveries-lock-lapsed",
    text: `SELECT claim FROM ${schema}.delivery_claims WHERE workspace = $1 AND lease_ends_at_ms <= $2
            ORDER BY claim FOR UPDATE`,
  };

  return {
    claim: ({ workspace, senderId, limit, most, perWebhook, wider = [], leaseMs }) =>
      database.transaction(async (tx) => {
        await holdClaims(tx, schema, workspace);
        const atMs = tx.nowMs;
        const ofEnvironments = environments.map((environment) => most?.[environment] ?? { limit, perWebhook });
        const bounds = [
          wider.map(({ environment }) => environment),
          wider.map(({ webhookId }) => webhookId),
          wider.map((one) => one.perWebhook),
          environments,
          ofEnvironments.map((one) => one.limit),
          ofEnvironments.map((one) => one.perWebhook),
        ];
        const values = [workspace, atMs, limit, senderId, atMs + leaseMs, ...bounds];
        let rows = await tx.query<HandedRow>(claim, values);
        // Then nothing was handed over, and there is one row.
        if (rows[0]?.lapsed === true) {
          await tx.query(lockLapsed, [workspace, atMs]);
          rows = await tx.query<HandedRow>(takeOver, values);
        }
        return claimOf(workspace, rows);
      }),
  };
}

/**
 * Claims what is due, or, where there are claims whose lease is over, only says so: then these are locked, and a second
 * statement, `takingOver`, claims with what they have. What it takes leaves its claim and is counted as attempted; what
 * it leaves stays, so that its sender may still settle it.
 *
 * The webhooks are found by a loose index scan: they are few, their deliveries many. It is written as a sequence of single
 * rows in the order of the index, so that Postgres has no reason to read more. Deliveries that are claimed stand first in
 * that order, and are passed over by a list that is hashed once.
 */
function claimText(schema: string, takingOver: boolean): string {
  const waiting = `FROM ${schema}.deliveries WHERE due_at_ms IS NOT NULL AND workspace = $1`;
  const ofWebhook = "AND environment = webhooks.environment AND webhook_id = webhooks.webhook_id";
  const columns = "delivery_id, event, created_at_ms, epoch, places_used, manual, payload";
  const lapsed = "EXISTS (SELECT FROM claims WHERE lease_ends_at_ms <= $2)";
  const isFirst = "coalesce(turn, 1) = 1";
  const due = `
            (SELECT ${columns}, delivery, due_at_ms, 0 AS taken ${waiting} ${ofWebhook}
                AND due_at_ms <= $2 AND delivery NOT IN (SELECT delivery FROM members)
              ORDER BY due_at_ms, delivery LIMIT greatest(0, most - held))`;
  // There is no index by number. They have been due for longer than others, so that the look ends with the last of them.
  const overdue = `
            UNION ALL
            (SELECT ${columns}, delivery, (lease_ends ->> delivery::text)::bigint, 1
               FROM (SELECT ${columns}, delivery ${waiting} ${ofWebhook}
                        AND ${isOneOf("delivery", "SELECT delivery FROM lapsed")}
                      ORDER BY due_at_ms, delivery LIMIT webhooks.lapsed) AS found CROSS JOIN leases)`;
  return `
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
        SELECT workspace, claim, environment, webhook_id, lease_ends_at_ms, deliveries FROM ${schema}.delivery_claims
         WHERE workspace = $1
      ), members AS MATERIALIZED (
        SELECT unnest(deliveries) AS delivery FROM claims
      ), lapsed AS MATERIALIZED (
        SELECT workspace, claim, lease_ends_at_ms, unnest(deliveries) AS delivery FROM claims WHERE lease_ends_at_ms <= $2
      )${takingOver ? leasesByNumber : ""}, under_way AS MATERIALIZED (
        SELECT environment, webhook_id,
               coalesce(sum(cardinality(deliveries)) FILTER (WHERE lease_ends_at_ms > $2), 0) AS held,
               coalesce(sum(cardinality(deliveries)) FILTER (WHERE lease_ends_at_ms <= $2), 0) AS lapsed,
               min(lease_ends_at_ms) FILTER (WHERE lease_ends_at_ms > $2) AS next_end
          FROM claims GROUP BY environment, webhook_id
      ), wider AS MATERIALIZED (
        SELECT * FROM unnest($6::text[], $7::text[], $8::integer[]) AS webhook (environment, webhook_id, most)
      ), bounds AS MATERIALIZED (
        SELECT * FROM unnest($9::text[], $10::integer[], $11::integer[]) AS bound (environment, most_here, per_webhook)
      ), webhooks AS MATERIALIZED (
        SELECT environment, webhook_id, coalesce(held, 0) AS held, coalesce(lapsed, 0) AS lapsed, coalesce(most, per_webhook) AS most,
               least(most, per_webhook) AS counting, most_here
          FROM backlogs JOIN bounds USING (environment) LEFT JOIN under_way USING (environment, webhook_id) LEFT JOIN wider USING (environment, webhook_id)
         ${takingOver ? "" : `WHERE NOT ${lapsed}`}
      ), candidates AS MATERIALIZED (
        SELECT due.*, environment, webhook_id, row_number() OVER in_turn - 1 AS place,
               held + row_number() OVER in_turn - 1 AS rank, most, counting, most_here
          FROM webhooks CROSS JOIN LATERAL (${due}${takingOver ? overdue : ""}
          ) AS due
        WINDOW in_turn AS (PARTITION BY environment, webhook_id ORDER BY due_at_ms, delivery)
      ), turns AS MATERIALIZED (
        SELECT *, row_number() OVER (PARTITION BY environment ORDER BY rank, due_at_ms, delivery) AS turn_here,
               count(*) FILTER (WHERE rank < counting) OVER (PARTITION BY environment) AS counted_here
          FROM candidates WHERE rank < most
      ), allowed AS MATERIALIZED (
        SELECT * FROM turns WHERE counted_here < most_here OR turn_here <= most_here
      ), chosen AS MATERIALIZED (
        SELECT *, row_number() OVER (ORDER BY rank, due_at_ms, delivery) AS turn
          FROM allowed ORDER BY rank, due_at_ms, delivery
         LIMIT (SELECT CASE WHEN count(*) >= $3 THEN $3 END FROM allowed WHERE rank < counting)
      ), claimed AS (
        INSERT INTO ${schema}.delivery_claims (workspace, environment, webhook_id, sender_id, lease_ends_at_ms, deliveries)
        SELECT $1, environment, webhook_id, $4, $5, array_agg(delivery)
          FROM chosen GROUP BY environment, webhook_id, place / ${perClaimRow}
      )${takingOver ? takenOver(schema) : ""}
      SELECT turn, CASE WHEN ${isFirst} THEN ${lapsed} END AS lapsed,
             CASE WHEN ${isFirst}
                  THEN least((SELECT min(next_end) FROM under_way),
                             (SELECT min(next.due_at_ms) FROM webhooks CROSS JOIN LATERAL (
                                SELECT due_at_ms ${waiting} ${ofWebhook} AND due_at_ms > $2
                                 ORDER BY due_at_ms LIMIT 1) AS next)) END AS next_due_at_ms,
             delivery_id, environment, webhook_id, event, created_at_ms, epoch + taken AS epoch,
             places_used + taken AS places_used, manual, data
        FROM (SELECT) AS always LEFT JOIN (chosen JOIN ${schema}.payloads USING (payload)) ON true`;
}

/** Looked up one by one, where a join would compare each delivery with each: 200 ms for two thousand. */
const leasesByNumber = `, leases AS MATERIALIZED (
        SELECT jsonb_object_agg(delivery, lease_ends_at_ms) AS lease_ends FROM lapsed
      )`;

function takenOver(schema: string): string {
  return `, taken AS MATERIALIZED (
        SELECT delivery_id, delivery FROM chosen WHERE taken = 1 ORDER BY delivery_id
      ), leaving AS MATERIALIZED (
        SELECT delivery FROM taken
        UNION ALL
        SELECT delivery FROM lapsed WHERE NOT (${isOneOf("delivery", "SELECT delivery FROM candidates WHERE taken = 1")})
      ), counted AS (
        UPDATE ${schema}.deliveries
           SET epoch = epoch + 1, attempt_count = attempt_count + 1, places_used = places_used + 1
          FROM taken WHERE deliveries.delivery_id = taken.delivery_id
      ), ${leaveClaims(schema, "lapsed", "leaving")}`;
}

function claimOf(workspace: string, rows: readonly HandedRow[]): DeliveryClaim {
  const scopes = { sandbox: { workspace, environment: "sandbox" }, live: { workspace, environment: "live" } } as const;
  // They come in any order.
  const handed = rows.filter((row) => hasTurn(row)).sort((a, b) => a.turn - b.turn);
  return {
    deliveries: handed.map((row): ClaimedDelivery => ({
      scope: scopes[row.environment],
      deliveryId: row.delivery_id,
      webhookId: row.webhook_id,
      event: row.event,
      createdAtMs: row.created_at_ms,
      data: row.data,
      epoch: row.epoch + 1,
      attempt: row.places_used + 1,
      manual: row.manual,
    })),
    nextDueAtMs: (handed[0] ?? rows[0])?.next_due_at_ms ?? undefined,
  };
}

function hasTurn(row: HandedRow): row is HandedRow & { readonly turn: number } {
  return row.turn !== null;
}
