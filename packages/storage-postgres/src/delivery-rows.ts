import { ProcedoError } from "@procedo/contract";
import type { DeliveryRow, ExaminedEnd, Scope } from "@procedo/storage";
import type { Transaction } from "./database.ts";
import { matchesUnindexed } from "./unindexed.ts";
import type { Statement } from "./statement.ts";

type Nullable<Row> = {
  readonly [name in keyof Row]: undefined extends Row[name] ? NonNullable<Row[name]> | null : Row[name];
};

export interface StoredDelivery extends Nullable<DeliveryRow> {
  readonly number: number;
  readonly resentAtMs: number | null;
}

export interface DeliveryRows {
  /** Selects {@link StoredDelivery}; a `WHERE` clause follows. */
  readonly select: string;
  find(
    source: Pick<Transaction, "query">,
    scope: Scope,
    webhookId: string,
    deliveryId: string,
  ): Promise<FoundDelivery | undefined>;
  /** Reads a delivery that this transaction has written. */
  get(tx: Transaction, scope: Scope, webhookId: string, deliveryId: string): Promise<DeliveryRow>;
}

export interface FoundDelivery {
  readonly row: DeliveryRow;
  readonly resentAtMs: number | undefined;
}

/** Reads deliveries. A row has the state after the last settlement; the queue has later claims and the due time. */
export function deliveryRows(schema: string): DeliveryRows {
  const select = `SELECT delivery AS number, delivery_id AS "deliveryId", webhook_id AS "webhookId",
            event_id AS "eventId", run_id AS "runId", event, created_at_ms AS "createdAtMs", data, status,
            attempt_count + coalesce(claims, 0) AS "attemptCount", url, response_code AS "responseCode", error,
            delivered_at_ms AS "deliveredAtMs", due_at_ms AS "dueAtMs", resent_at_ms AS "resentAtMs"
       FROM ${schema}.deliveries JOIN ${schema}.payloads USING (payload)
       LEFT JOIN LATERAL (SELECT claims, due_at_ms FROM ${schema}.delivery_queue
                           WHERE delivery_queue.delivery_id = deliveries.delivery_id LIMIT 1) AS queued ON true`;
  const selectOne: Statement = {
    name: "deliveries-get",
    text: `${select} WHERE delivery_id = $1 AND ${matchesUnindexed("workspace, environment, webhook_id", "$2, $3, $4")}`,
  };

  const find: DeliveryRows["find"] = async (source, { workspace, environment }, webhookId, deliveryId) => {
    const [row] = await source.query<StoredDelivery>(selectOne, [deliveryId, workspace, environment, webhookId]);
    return row === undefined ? undefined : { row: deliveryRowOf(row), resentAtMs: row.resentAtMs ?? undefined };
  };

  return {
    select,
    find,
    async get(tx, scope, webhookId, deliveryId) {
      const found = await find(tx, scope, webhookId, deliveryId);
      if (found === undefined)
        throw new ProcedoError("internal", `Delivery "${deliveryId}" was written but not found.`);
      return found.row;
    },
  };
}

export function deliveryRowOf({
  number: _number,
  resentAtMs: _resentAtMs,
  isExaminedEnd: _isExaminedEnd,
  ...row
}: StoredDelivery & ExaminedEnd): DeliveryRow {
  return {
    ...row,
    runId: row.runId ?? undefined,
    url: row.url ?? undefined,
    responseCode: row.responseCode ?? undefined,
    error: row.error ?? undefined,
    deliveredAtMs: row.deliveredAtMs ?? undefined,
    dueAtMs: row.dueAtMs ?? undefined,
  };
}
