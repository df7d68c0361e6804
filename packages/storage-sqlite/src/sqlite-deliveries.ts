import type { DeliveryRow, DeliveryStore } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { pageOf } from "./sql-page.ts";
import { prepare } from "./statement.ts";

export function sqliteDeliveries({ db, reader, scopes }: SqliteContext): DeliveryStore {
  const selectPage = prepare<DeliveryRow & { readonly number: number }>(
    db,
    `SELECT delivery AS number, delivery_id AS "deliveryId", webhook_id AS "webhookId", event_id AS "eventId",
            run_id AS "runId", event, deliveries.created_at_ms AS "createdAtMs", data, deliveries.status,
            attempt_count AS "attemptCount"
       FROM deliveries JOIN runs USING (run)
      WHERE deliveries.scope = ? AND webhook_id = ? AND (deliveries.created_at_ms, delivery) < (?, ?)
      ORDER BY deliveries.created_at_ms DESC, delivery DESC LIMIT ?`,
  );

  return {
    list: (request) =>
      reader.read(() => {
        const { scope, webhookId } = request;
        const number = scopes.find(scope);
        return pageOf({
          ...request,
          query: ["deliveries", scope.workspace, scope.environment, webhookId],
          shape: ["number", "number"],
          rowsAfter: (position, count) =>
            number === undefined ? [] : selectPage.all(number, webhookId, ...(position ?? [Infinity, 0]), count),
          positionOf: (row) => [row.createdAtMs, row.number],
          itemOf: ({ number: _number, ...row }) => row,
        });
      }),
  };
}
