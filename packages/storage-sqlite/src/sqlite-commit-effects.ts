import type { NewEvent, NewReview, RunCommit } from "@procedo/storage";
import { deliveryIdOf, webhookEventKey } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** What a row brings about beside itself: consumed notifications, reviews, events with their deliveries. */
export type CommitEffects = (turn: WriteTurn, item: RunCommit, run: number, scope: number) => void;

export function sqliteCommitEffects({ db, now }: SqliteContext): CommitEffects {
  const consume = prepare(db, "UPDATE inbox SET consumed = 1 WHERE run = ? AND effect_key = ?");
  const closeReview = prepare(db, "UPDATE reviews SET status = ?, closed_at_ms = ? WHERE run = ? AND status = 'open'");
  const insertReview = prepare(
    db,
    `INSERT INTO reviews (review_id, run, scope, procedure_id, node_id, kind, title, body, digest, effect_key,
                          opened_at_ms, status)
     SELECT ?, run, scope, procedure_id, ?, ?, ?, ?, ?, ?, ?, 'open' FROM runs WHERE run = ?`,
  );
  const selectWebhooks = prepare<{ id: string }>(
    db,
    `SELECT id FROM record_keys JOIN records USING (record)
      WHERE record_keys.kind = 'webhook' AND record_key = ? ORDER BY record`,
  );
  const insertPayload = prepare(db, "INSERT INTO payloads (data) VALUES (?)");
  const insertDelivery = prepare(
    db,
    `INSERT INTO deliveries (delivery_id, scope, run, webhook_id, event_id, event, created_at_ms, payload,
                             due_at_ms, status, attempt_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0)`,
  );

  function openReview(review: NewReview, run: number): void {
    const { reviewId, nodeId, kind, title, body, digest, effectKey, openedAtMs } = review;
    insertReview.run(reviewId, nodeId, kind, title, body, digest, effectKey, openedAtMs, run);
  }

  /** @returns how many webhooks are to be told */
  function emit(event: NewEvent, item: RunCommit, run: number, scope: number): number {
    const webhooks = selectWebhooks.all(webhookEventKey(item.scope, event.event));
    if (webhooks.length === 0) return 0;
    const { eventId, createdAtMs, data } = event;
    const payload = insertPayload.run(data).lastInsertRowid;
    for (const { id } of webhooks) {
      insertDelivery.run(deliveryIdOf(eventId, id), scope, run, id, eventId, event.event, createdAtMs, payload, now());
    }
    return webhooks.length;
  }

  return (turn, item, run, scope) => {
    for (const effectKey of item.consume ?? []) consume.run(run, effectKey);
    if (item.closeReview !== undefined) closeReview.run(item.closeReview.status, now(), run);
    if (item.openReview !== undefined) openReview(item.openReview, run);
    let deliveries = 0;
    for (const event of item.events ?? []) deliveries += emit(event, item, run, scope);
    if (deliveries > 0) turn.announce({ type: "deliverable" });
  };
}

/** Whether a commit is more than a row and a place. */
export function hasEffects({ consume, closeReview, openReview, events }: RunCommit): boolean {
  return consume !== undefined || closeReview !== undefined || openReview !== undefined || events !== undefined;
}
