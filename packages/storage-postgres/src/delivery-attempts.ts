import type { DeliveryAttempt, DeliveryStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { matchesUnindexed } from "./unindexed.ts";
import type { Statement } from "./statement.ts";

type StoredAttempt = {
  readonly [name in keyof DeliveryAttempt]: undefined extends DeliveryAttempt[name]
    ? NonNullable<DeliveryAttempt[name]> | null
    : DeliveryAttempt[name];
};

export function deliveryAttempts({ database }: PostgresContext): Pick<DeliveryStore, "attempts"> {
  const { schema } = database;
  const select: Statement = {
    name: "deliveries-attempts",
    text: `SELECT url, at_ms AS "atMs", took_ms AS "tookMs", response_code AS "responseCode", failure, error, manual
             FROM ${schema}.delivery_attempts
            WHERE delivery_id = $1
              AND EXISTS (SELECT FROM ${schema}.deliveries
                           WHERE delivery_id = $1 AND ${matchesUnindexed("workspace, environment, webhook_id", "$2, $3, $4")})
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
