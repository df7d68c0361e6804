import type { DeliverySettlement, DeliveryStore, SettleResult } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { AttemptResult } from "./failing-webhooks.ts";
import { failingWebhooks } from "./failing-webhooks.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { lockDeliveries } from "./postgres-delivery-queue.ts";
import type { Statement } from "./statement.ts";

interface SettledRow {
  /** Position in the batch, from 1. */
  readonly number: number;
  readonly webhook_id: string;
}

/** A column of the items in a batch, as the statement reads it. */
interface SettlementColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "bigint" | "boolean";
  readonly valueOf: (item: DeliverySettlement) => string | number | boolean | null;
}

const itemColumns: readonly SettlementColumn[] = [
  { name: "delivery_id", type: "text", valueOf: ({ deliveryId }) => deliveryId },
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "epoch", type: "integer", valueOf: ({ epoch }) => epoch },
  { name: "status", type: "text", valueOf: ({ next }) => next.status },
  { name: "due_at_ms", type: "bigint", valueOf: ({ next }) => (next.status === "pending" ? next.dueAtMs : null) },
  { name: "error", type: "text", valueOf: ({ error }) => error ?? null },
  { name: "cut_off", type: "boolean", valueOf: ({ cutOff }) => cutOff ?? false },
  { name: "url", type: "text", valueOf: ({ attempt }) => attempt?.url ?? null },
  { name: "at_ms", type: "bigint", valueOf: ({ attempt }) => attempt?.atMs ?? null },
  { name: "took_ms", type: "bigint", valueOf: ({ attempt }) => attempt?.tookMs ?? null },
  { name: "response_code", type: "integer", valueOf: ({ attempt }) => attempt?.responseCode ?? null },
  { name: "failure", type: "text", valueOf: ({ attempt }) => attempt?.failure ?? null },
  { name: "manual", type: "boolean", valueOf: ({ attempt }) => attempt?.manual ?? null },
];

/** Settles a batch in one transaction: deliveries, their queue rows, their history and failing webhooks. */
export function postgresSettle(context: PostgresContext): Pick<DeliveryStore, "settle" | "failing"> {
  const { database } = context;
  const { schema } = database;
  const lock = lockDeliveries(schema);
  const webhooks = failingWebhooks(context);
  const items = itemColumns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
  const names = itemColumns.map(({ name }) => name).join(", ");
  const attempt = "delivery_id, epoch, at_ms, took_ms, url, response_code, failure, error, manual";
  const settle: Statement = {
    name: "deliveries-settle",
    text: `
      WITH items AS MATERIALIZED (
        SELECT * FROM unnest(${items}) WITH ORDINALITY AS item (${names}, number)
      ), known AS MATERIALIZED (
        SELECT items.*, items.epoch - deliveries.epoch AS claims
          FROM items JOIN ${schema}.deliveries USING (delivery_id)
         WHERE ${matchesUnindexed("deliveries.workspace, deliveries.environment", "items.workspace, items.environment")}
      ), held AS MATERIALIZED (
        -- Of several items for one claim, the first counts.
        SELECT DISTINCT ON (delivery_id) known.*
          FROM known CROSS JOIN LATERAL (SELECT claims FROM ${schema}.delivery_queue
                                          WHERE delivery_queue.delivery_id = known.delivery_id LIMIT 1) AS queued
         WHERE known.claims > 0 AND known.claims = queued.claims
         ORDER BY delivery_id, number
      ), removed AS (
        DELETE FROM ${schema}.delivery_queue
         USING held WHERE delivery_queue.delivery_id = held.delivery_id AND status <> 'pending'
      ), released AS (
        UPDATE ${schema}.delivery_queue SET due_at_ms = held.due_at_ms, claims = 0
          FROM held WHERE delivery_queue.delivery_id = held.delivery_id AND status = 'pending'
      ), settled AS (
        UPDATE ${schema}.deliveries
           SET status = held.status, error = held.error, epoch = held.epoch,
               attempt_count = attempt_count + claims - (held.url IS NULL)::integer,
               places_used = places_used + claims - (held.url IS NULL OR cut_off)::integer,
               url = coalesce(held.url, deliveries.url),
               response_code = CASE WHEN held.url IS NULL THEN deliveries.response_code ELSE held.response_code END,
               delivered_at_ms = CASE held.status WHEN 'delivered' THEN at_ms ELSE delivered_at_ms END,
               manual = deliveries.manual AND held.status = 'pending'
          FROM held WHERE deliveries.delivery_id = held.delivery_id
        RETURNING number, webhook_id
      ), remembered AS (
        INSERT INTO ${schema}.delivery_attempts (${attempt})
        SELECT ${attempt} FROM known WHERE url IS NOT NULL ORDER BY delivery_id, epoch, number
        ON CONFLICT DO NOTHING
      )
      SELECT number, webhook_id FROM settled`,
  };

  return {
    failing: webhooks.failing,

    async settle(batch) {
      for (const { attempt, error } of batch) assertStorable([error, attempt?.url, attempt?.failure]);
      if (batch.length === 0) return [];
      return database.transaction(async (tx) => {
        await lock(
          tx,
          batch.map(({ deliveryId }) => deliveryId),
        );
        const values = itemColumns.map(({ valueOf }) => batch.map(valueOf) as readonly string[]);
        const rows = await tx.query<SettledRow>(settle, values);
        const settled = new Map(rows.map((row) => [row.number - 1, row.webhook_id]));
        const judged = batch.flatMap((item, index) => verdictOn(item, index, settled.get(index)));
        const since = await webhooks.record(
          tx,
          judged.map(({ attemptResult }) => attemptResult),
        );
        for (const { scope } of batch) tx.announce({ type: "written", scope });
        const failing = new Map(judged.map(({ index }, place) => [index, since[place]]));
        return batch.map((_item, index): SettleResult =>
          settled.has(index) ? { status: "settled", failingSinceMs: failing.get(index) } : { status: "fenced" },
        );
      });
    },
  };
}

/** The result of a settled attempt for its webhook. Interrupted attempts and failed manual attempts give none. */
function verdictOn(
  { scope, attempt, error, cutOff = false }: DeliverySettlement,
  index: number,
  webhookId: string | undefined,
): readonly { readonly index: number; readonly attemptResult: AttemptResult }[] {
  if (webhookId === undefined || attempt === undefined || cutOff) return [];
  const accepted = error === undefined;
  if (!accepted && attempt.manual) return [];
  return [{ index, attemptResult: { scope, webhookId, atMs: attempt.atMs, accepted } }];
}
