import type { NewEvent, NewInvocation, NewReview, RunCommit } from "@procedo/storage";
import { deliveryIdOf, webhookEventKey } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { sqliteSettle } from "./sqlite-budgets.ts";
import { sqliteDeliveryQueue } from "./sqlite-delivery-queue.ts";
import type { SqliteEvents } from "./sqlite-events.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/**
 * Stores the effects of a row on other tables: consumed notifications, reviews, an invocation, settled reservations,
 * events with their deliveries and firings, the connection that the run waits for.
 */
export type CommitEffects = (turn: WriteTurn, item: RunCommit, run: number, scope: number) => void;

export function sqliteCommitEffects(context: SqliteContext, incoming: SqliteEvents): CommitEffects {
  const { db, now } = context;
  const settleAll = sqliteSettle(context);
  const queue = sqliteDeliveryQueue(context);
  const consume = prepare(db, "UPDATE inbox SET consumed = 1 WHERE run = ? AND effect_key = ?");
  const closeReview = prepare(db, "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE run = ? AND status = 'open'");
  const insertReview = prepare(
    db,
    `INSERT INTO reviews (review_id, run, scope, procedure_id, node_id, kind, title, body, digest, effect_key,
                          opened_at_ms, expires_at_ms, status, shown, reference)
     SELECT ?, run, scope, procedure_id, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?, reference FROM runs WHERE run = ?`,
  );
  const selectWebhooks = prepare<{ id: string }>(
    db,
    `SELECT id FROM record_keys JOIN records USING (record)
      WHERE record_keys.kind = 'webhook' AND record_key = ? ORDER BY record`,
  );
  const insertInvocation = prepare(
    db,
    `INSERT INTO invocations (invocation_id, scope, run, connection_id, function_name, idempotent, effect_key,
                              created_at_ms, deadline_ms, status, lease_token, lease_ends_at_ms, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertWait = prepare(
    db,
    "INSERT OR REPLACE INTO connection_waits (run, scope, connection_id, seq) VALUES (?, ?, ?, ?)",
  );
  const insertPayload = prepare(db, "INSERT INTO payloads (data) VALUES (?)");
  const insertDelivery = prepare(
    db,
    `INSERT INTO deliveries (delivery_id, scope, run, webhook_id, event_id, event, created_at_ms, payload, status,
                             attempt_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0)`,
  );

  function storeReview(review: NewReview, run: number): void {
    const { reviewId, nodeId, kind, title, body, digest, effectKey, openedAtMs } = review;
    const { expiresAtMs = null, shown = null } = review;
    insertReview.run(reviewId, nodeId, kind, title, body, digest, effectKey, openedAtMs, expiresAtMs, shown, run);
  }

  function storeInvocation(invocation: NewInvocation, run: number, scope: number): void {
    const { invocationId, connectionId, functionName, idempotent, payload, effectKey, deadlineMs } = invocation;
    const call = [connectionId, functionName, idempotent ? 1 : 0, effectKey];
    const atMs = now();
    const { lease } = invocation;
    const isLeased = lease !== undefined && deadlineMs > atMs;
    const leaseColumns = isLeased ? ["leased", lease.leaseToken, atMs + lease.leaseMs] : ["queued", null, null];
    insertInvocation.run(invocationId, scope, run, ...call, atMs, deadlineMs, ...leaseColumns, payload);
  }

  /** @returns the number of deliveries that were stored, one per webhook */
  function storeEvent(event: NewEvent, item: RunCommit, run: number, scope: number): number {
    const webhooks = selectWebhooks.all(webhookEventKey(item.scope, event.event));
    if (webhooks.length === 0) return 0;
    const { eventId, createdAtMs, data } = event;
    const payload = insertPayload.run(data).lastInsertRowid;
    for (const { id: webhookId } of webhooks) {
      const of = [deliveryIdOf(eventId, webhookId), scope, run, webhookId];
      const delivery = insertDelivery.run(...of, eventId, event.event, createdAtMs, payload).lastInsertRowid;
      queue.add({ delivery, scope, webhookId, dueAtMs: now() });
    }
    return webhooks.length;
  }

  return (turn, item, run, scope) => {
    for (const effectKey of item.consume ?? []) consume.run(run, effectKey);
    if (item.closeReview !== undefined) closeReview.run(item.closeReview.status, now(), run);
    if (item.openReview !== undefined) storeReview(item.openReview, run);
    if (item.invocation !== undefined) {
      storeInvocation(item.invocation, run, scope);
      const { connectionId, lease } = item.invocation;
      if (lease === undefined) turn.announce({ type: "invocable", connectionId });
    }
    if (item.settle !== undefined) settleAll(scope, run, item.settle);
    const waitsFor = waitOf(item);
    if (waitsFor !== undefined) insertWait.run(run, scope, waitsFor, item.seq);
    let deliveries = 0;
    let firings = 0;
    for (const event of item.events ?? []) {
      deliveries += storeEvent(event, item, run, scope);
      if (event.fires !== undefined) firings += incoming.emit(scope, event);
    }
    if (deliveries > 0) turn.announce({ type: "deliverable" });
    if (firings > 0) turn.announce({ type: "fireable" });
  };
}

/** Whether a commit has effects besides the row and the state of the run. */
export function hasEffects(item: RunCommit): boolean {
  const { consume, closeReview, openReview, invocation, settle, events } = item;
  const hasRequest = closeReview !== undefined || openReview !== undefined || invocation !== undefined;
  return (
    hasRequest || consume !== undefined || settle !== undefined || events !== undefined || waitOf(item) !== undefined
  );
}

/** The connection that the run waits for after the row. */
function waitOf({ then }: RunCommit): string | undefined {
  return then.kind === "parked" ? then.waitsFor : undefined;
}
