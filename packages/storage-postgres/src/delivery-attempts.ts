import type { DeliveryAttempt, DeliveryStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import type { Statement } from "./statement.ts";

/**
 * That the delivery's row keeps its last attempt, which was accepted, under its epoch. Then the history has no row of it,
 * unless two settled it at the same time; it is shown once.
 */
export const keepsAttempt = "(deliveries.status = 'delivered' AND deliveries.accepted_took_ms IS NOT NULL)";

const columns = "delivery_id, epoch, at_ms, took_ms, url, response_code, manual";
const kept = "delivery_id, epoch, delivered_at_ms, accepted_took_ms, url, response_code, accepted_manual";

/** A step of a statement: what the delivery's row keeps goes to the history, before something else takes its place. */
export function moveKeptAttempt(schema: string, deliveryId: string): string {
  return `INSERT INTO ${schema}.delivery_attempts (${columns})
          SELECT ${kept} FROM ${schema}.deliveries WHERE delivery_id = ${deliveryId} AND ${keepsAttempt}
          ON CONFLICT DO NOTHING`;
}

/** A step of a statement: takes {@link moveKeptAttempt} back. The row still keeps what it moved. */
export function takeBackAttempt(schema: string, deliveryId: string): string {
  return `DELETE FROM ${schema}.delivery_attempts USING ${schema}.deliveries
           WHERE deliveries.delivery_id = ${deliveryId} AND ${keepsAttempt}
             AND (delivery_attempts.delivery_id, delivery_attempts.epoch) = (deliveries.delivery_id, deliveries.epoch)`;
}

type StoredAttempt = {
  readonly [name in keyof DeliveryAttempt]: undefined extends DeliveryAttempt[name]
    ? NonNullable<DeliveryAttempt[name]> | null
    : DeliveryAttempt[name];
};

export function deliveryAttempts({ database }: PostgresContext): Pick<DeliveryStore, "attempts"> {
  const { schema } = database;
  const select: Statement = {
    name: "deliveries-attempts",
    text: `WITH delivery AS MATERIALIZED (
             SELECT ${kept}, ${keepsAttempt} AS keeps FROM ${schema}.deliveries
              WHERE delivery_id = $1 AND ${matchesUnindexed("workspace, environment, webhook_id", "$2, $3, $4")}
           ), history AS MATERIALIZED (
             SELECT ${columns}, failure, error FROM ${schema}.delivery_attempts
              WHERE delivery_id = $1 AND EXISTS (SELECT FROM delivery)
           )
           SELECT url, at_ms AS "atMs", took_ms AS "tookMs", response_code AS "responseCode", failure, error, manual
             FROM (SELECT * FROM history
                   UNION ALL
                   SELECT ${kept}, NULL, NULL FROM delivery WHERE keeps AND epoch NOT IN (SELECT epoch FROM history)) AS attempt
            ORDER BY epoch`,
  };

  return {
    async attempts({ scope, webhookId, deliveryId }) {
      const values = [deliveryId, scope.workspace, scope.environment, webhookId];
      const rows = await database.query<StoredAttempt>(select, values);
      return rows.map((row) => ({
        ...row,
        responseCode: row.responseCode ?? undefined,
        failure: row.failure ?? undefined,
        error: row.error ?? undefined,
      }));
    },
  };
}
