import type { NewEvent, NewReview, RunCommit } from "@procedo/storage";
import { deliveryIdOf, webhookEventKey } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

/** What a row brings about beside itself: consumed notifications, reviews, events with their deliveries. */
export type CommitEffects = (item: RunCommit, run: number, scope: number) => void;

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
  const insertDelivery = prepare(
    db,
    `INSERT INTO deliveries (delivery_id, scope, run, webhook_id, event_id, event, created_at_ms, data, status,
                             attempt_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0)`,
  );

  function openReview(review: NewReview, run: number): void {
    const { reviewId, nodeId, kind, title, body, digest, effectKey, openedAtMs } = review;
    insertReview.run(reviewId, nodeId, kind, title, body, digest, effectKey, openedAtMs, run);
  }

  function emit(event: NewEvent, item: RunCommit, run: number, scope: number): void {
    for (const { id } of selectWebhooks.all(webhookEventKey(item.scope, event.event))) {
      const { eventId, createdAtMs, data } = event;
      insertDelivery.run(deliveryIdOf(eventId, id), scope, run, id, eventId, event.event, createdAtMs, data);
    }
  }

  return (item, run, scope) => {
    for (const effectKey of item.consume ?? []) consume.run(run, effectKey);
    if (item.closeReview !== undefined) closeReview.run(item.closeReview.status, now(), run);
    if (item.openReview !== undefined) openReview(item.openReview, run);
    for (const event of item.events ?? []) emit(event, item, run, scope);
  };
}

/** Whether a commit is more than a row and a place. */
export function hasEffects({ consume, closeReview, openReview, events }: RunCommit): boolean {
  return consume !== undefined || closeReview !== undefined || openReview !== undefined || events !== undefined;
}
