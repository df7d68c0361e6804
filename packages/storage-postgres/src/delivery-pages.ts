import type { DeliveryQuery, ExaminedEnd } from "@procedo/storage";
import type { Database } from "./database.ts";
import type { DeliveryRows, StoredDelivery } from "./delivery-rows.ts";
import { filteredRowsSql } from "./filtered-rows.ts";
import type { SqlValue } from "./statement.ts";

/** Reads up to `count` deliveries of a webhook after a position, newest first. */
export type DeliveryPages = (
  query: DeliveryQuery,
  after: readonly [createdAtMs: number, number: number] | undefined,
  count: number,
) => Promise<readonly (StoredDelivery & ExaminedEnd)[]>;

const newestFirst = "created_at_ms DESC, delivery DESC";

export function deliveryPages(database: Database, rows: Pick<DeliveryRows, "select">): DeliveryPages {
  const found = `workspace = $1 AND environment = $2 AND webhook_id = $3
                 AND created_at_ms >= $4 AND (created_at_ms, delivery) < ($5, $6)`;
  const selectPage = {
    name: "deliveries-list",
    text: `${rows.select} WHERE ${found} ORDER BY ${newestFirst} LIMIT $7`,
  };

  return async ({ scope, webhookId, status, event, runId, fromMs, toMs }, after, count) => {
    const position = after ?? [toMs ?? Number.MAX_SAFE_INTEGER, 0];
    const from = fromMs ?? Number.MIN_SAFE_INTEGER;
    const values: SqlValue[] = [scope.workspace, scope.environment, webhookId, from, ...position, count];
    const filters = [
      ...(status === undefined ? [] : [`status = $${values.push(status)}`]),
      ...(event === undefined ? [] : [`event = $${values.push(event)}`]),
      ...(runId === undefined ? [] : [`run_id = $${values.push(runId)}`]),
    ];
    if (filters.length === 0) return await database.query<StoredDelivery>(selectPage, values);
    const ordered = (limit: string): string => `
      SELECT delivery_id, delivery, created_at_ms, status, event, run_id FROM ${database.schema}.deliveries
       WHERE ${found} ORDER BY ${newestFirst} LIMIT ${limit}`;
    // The payload is read once it is certain that the page contains the delivery. The limit lets no plan read others.
    const text = `
      SELECT listed.*, page."isExaminedEnd"
        FROM (${filteredRowsSql({ ordered, orderBy: newestFirst, filters }, "$7")}) AS page
             CROSS JOIN LATERAL (${rows.select} WHERE deliveries.delivery_id = page.delivery_id LIMIT 1) AS listed
       ORDER BY page."isExaminedEnd", listed."createdAtMs" DESC, listed.number DESC`;
    return await database.query<StoredDelivery & ExaminedEnd>({ name: "deliveries-list-filtered", text }, values);
  };
}
