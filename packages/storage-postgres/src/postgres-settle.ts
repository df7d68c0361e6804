import type { DeliverySettlement, DeliveryStore, SettleResult } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import { acceptedDeliveries, wasAccepted } from "./accepted-deliveries.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { Verdict } from "./failing-webhooks.ts";
import { failingWebhooks } from "./failing-webhooks.ts";
import { heldItems, itemValues, settledColumns } from "./delivery-items.ts";
import type { Statement } from "./statement.ts";

interface SettledRow {
  /** Place in the batch, from 1. */
  readonly number: number;
  readonly webhook_id: string;
}

/**
 * Settles a batch in one statement, and says of each webhook in it whether it fails; where all were accepted, which is the
 * rule, in that statement as well.
 */
export function postgresSettle(context: PostgresContext): Pick<DeliveryStore, "settle"> {
  const { database } = context;
  const { schema } = database;
  const accepted = acceptedDeliveries(context);
  const webhooks = failingWebhooks(context);
  const settle: Statement = {
    name: "deliveries-settle",
    text: `${heldItems(schema, settledColumns)}, settled AS (
        UPDATE ${schema}.deliveries
           SET epoch = held.epoch, status = held.status, due_at_ms = held.due_at_ms, error = held.error,
               attempt_count = attempt_count + (held.url IS NOT NULL)::integer,
               places_used = places_used + (held.url IS NOT NULL AND NOT cut_off)::integer,
               url = coalesce(held.url, deliveries.url),
               response_code = CASE WHEN held.url IS NULL THEN deliveries.response_code ELSE held.response_code END,
               delivered_at_ms = CASE held.status WHEN 'delivered' THEN at_ms ELSE delivered_at_ms END,
               accepted_took_ms = NULL, accepted_manual = NULL,
               manual = deliveries.manual AND held.status = 'pending'
          FROM held WHERE deliveries.delivery_id = held.delivery_id AND deliveries.status = 'pending'
        RETURNING number, webhook_id
      ), remembered AS (
        INSERT INTO ${schema}.delivery_attempts
          (delivery_id, epoch, at_ms, took_ms, url, response_code, failure, error, manual)
        SELECT delivery_id, epoch, at_ms, took_ms, url, response_code, failure, error, manual
          FROM named WHERE url IS NOT NULL AND NOT kept
         -- Two batches that tell of the same attempts wait for each other in one order.
         ORDER BY delivery_id, epoch, number
        ON CONFLICT DO NOTHING
      )
      SELECT number, webhook_id FROM settled`,
  };

  async function settleAll(tx: Transaction, items: readonly DeliverySettlement[]): Promise<readonly SettleResult[]> {
    const rows = await tx.query<SettledRow>(settle, itemValues(settledColumns, items));
    const settled = new Map(rows.map((row) => [row.number - 1, row.webhook_id]));
    const judged = items.flatMap((item, index) => verdictOn(item, index, settled.get(index)));
    const since = await webhooks.judge(
      tx,
      judged.map(({ verdict }) => verdict),
    );
    const failing = new Map(judged.map(({ index }, place) => [index, since[place]]));
    return items.map((_item, index): SettleResult =>
      settled.has(index) ? { status: "settled", failingSinceMs: failing.get(index) } : { status: "fenced" },
    );
  }

  return {
    async settle(items) {
      for (const { attempt, error } of items) assertStorable([error, attempt?.url, attempt?.failure]);
      if (items.length === 0) return [];
      if (items.every(wasAccepted)) return accepted.settle(items);
      return database.transaction((tx) => settleAll(tx, items));
    },
  };
}

/** What a settled attempt says of its webhook: nothing when it was cut off, or failed and a person had asked for it. */
function verdictOn(
  { scope, attempt, error, cutOff = false }: DeliverySettlement,
  index: number,
  webhookId: string | undefined,
): readonly { readonly index: number; readonly verdict: Verdict }[] {
  if (webhookId === undefined || attempt === undefined || cutOff) return [];
  const accepted = error === undefined;
  if (!accepted && attempt.manual) return [];
  return [{ index, verdict: { scope, webhookId, atMs: attempt.atMs, accepted } }];
}
