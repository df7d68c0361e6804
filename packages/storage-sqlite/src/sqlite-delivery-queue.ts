import type { ClaimedDelivery, DeliveryClaim, DeliveryStore } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare, prepareTuple } from "./statement.ts";

/**
 * The queue of pending deliveries, within a write. A row holds the time at which its delivery is due, and the number of
 * claims since the last settlement. A claim moves `due_at_ms` to the end of its lease. If the sender dies, the delivery
 * therefore becomes due again without further action.
 */
export interface SqliteDeliveryQueue {
  add(delivery: QueuedDelivery): void;
  claim(request: Parameters<DeliveryStore["claim"]>[0]): DeliveryClaim;
  /** Returns a claimed delivery to the queue, due at the given time. */
  release(delivery: number, dueAtMs: number): void;
  /** Makes a delivery due now if it waits for a later time. */
  makeDue(delivery: number, nowMs: number): void;
  remove(delivery: number): void;
}

export interface QueuedDelivery {
  readonly delivery: number | bigint;
  readonly scope: number;
  readonly webhookId: string;
  readonly dueAtMs: number;
}

type ClaimedRow = [
  deliveryId: string,
  webhookId: string,
  event: string,
  createdAtMs: number,
  payload: number,
  epoch: number,
  attempt: number,
  manual: 0 | 1,
];

interface Candidate {
  readonly delivery: number;
  readonly dueAtMs: number;
  readonly scope: number;
  /** The number of deliveries of the same webhook that come first, including claimed ones. */
  readonly rank: number;
}

const queue = "delivery_queue INDEXED BY delivery_queue_due";

export function sqliteDeliveryQueue({ db, now, scopes }: SqliteContext): SqliteDeliveryQueue {
  const insert = prepare(
    db,
    "INSERT INTO delivery_queue (delivery, scope, webhook_id, due_at_ms, claims) VALUES (?, ?, ?, ?, 0)",
  );
  const release = prepare(db, "UPDATE delivery_queue SET due_at_ms = ?, claims = 0 WHERE delivery = ?");
  const makeDue = prepare(db, "UPDATE delivery_queue SET due_at_ms = min(due_at_ms, ?) WHERE delivery = ?");
  const remove = prepare(db, "DELETE FROM delivery_queue WHERE delivery = ?");
  // One step of a loose index scan: there are few webhooks with many deliveries.
  const selectNextWebhook = prepareTuple<[webhookId: string | null]>(
    db,
    `SELECT min(webhook_id) FROM ${queue} WHERE scope = ? AND webhook_id > ?`,
  );
  const countClaimed = prepareTuple<[webhookId: string, count: number]>(
    db,
    `SELECT webhook_id, count(*) FROM delivery_queue INDEXED BY delivery_queue_claimed
      WHERE scope = ? AND claims > 0 AND due_at_ms > ? GROUP BY webhook_id`,
  );
  const selectDue = prepareTuple<[delivery: number, dueAtMs: number]>(
    db,
    `SELECT delivery, due_at_ms FROM ${queue} WHERE scope = ? AND webhook_id = ? AND due_at_ms <= ?
      ORDER BY due_at_ms, delivery LIMIT +?`,
  );
  const selectNextDue = prepareTuple<[dueAtMs: number | null]>(
    db,
    `SELECT min(due_at_ms) FROM ${queue} WHERE scope = ? AND webhook_id = ? AND due_at_ms > ?`,
  );
  const lease = prepare(db, "UPDATE delivery_queue SET due_at_ms = ?, claims = claims + 1 WHERE delivery = ?");
  const selectClaimed = prepareTuple<ClaimedRow>(
    db,
    `SELECT delivery_id, deliveries.webhook_id, event, created_at_ms, payload, epoch + claims, places_used + claims, manual
       FROM deliveries JOIN delivery_queue USING (delivery) WHERE delivery = ?`,
  );
  const selectData = prepareTuple<[data: string]>(db, "SELECT data FROM payloads WHERE payload = ?");

  function* webhooksOf(scope: number): Iterable<string> {
    let webhookId = selectNextWebhook.get(scope, "")?.[0] ?? null;
    while (webhookId !== null) {
      yield webhookId;
      webhookId = selectNextWebhook.get(scope, webhookId)?.[0] ?? null;
    }
  }

  return {
    add: ({ delivery, scope, webhookId, dueAtMs }) => void insert.run(delivery, scope, webhookId, dueAtMs),

    claim({ workspace, limits, leaseMs }) {
      const atMs = now();
      const candidates: Candidate[] = [];
      let nextDueAtMs = Infinity;
      for (const scope of scopes.ofWorkspace(workspace)) {
        const { total, perWebhook } = limits[scopes.get(scope).environment];
        const claimed = new Map(countClaimed.all(scope, atMs));
        const ofScope: Candidate[] = [];
        for (const webhookId of webhooksOf(scope)) {
          nextDueAtMs = Math.min(nextDueAtMs, selectNextDue.get(scope, webhookId, atMs)?.[0] ?? Infinity);
          const held = claimed.get(webhookId) ?? 0;
          const room = Math.max(0, Math.min(total, perWebhook - held));
          for (const [index, [delivery, dueAtMs]] of selectDue.all(scope, webhookId, atMs, room).entries()) {
            ofScope.push({ delivery, dueAtMs, scope, rank: held + index });
          }
        }
        candidates.push(...ofScope.sort(inTurn).slice(0, total));
      }
      // Deliveries of one event share its data, and are often claimed together.
      const payloads = new Map<number, string>();
      const dataOf = (payload: number): string => {
        const data = payloads.get(payload) ?? selectData.get(payload)?.[0] ?? "";
        payloads.set(payload, data);
        return data;
      };
      const deliveries = candidates.sort(inTurn).flatMap(({ delivery, scope: number }): readonly ClaimedDelivery[] => {
        lease.run(atMs + leaseMs, delivery);
        const row = selectClaimed.get(delivery);
        if (row === undefined) return [];
        const [deliveryId, webhookId, event, createdAtMs, payload, epoch, attempt, isManual] = row;
        const scope = scopes.get(number);
        const data = dataOf(payload);
        const manual = isManual === 1;
        return [{ scope, deliveryId, webhookId, event, createdAtMs, data, epoch, attempt, manual }];
      });
      return { deliveries, nextDueAtMs: nextDueAtMs === Infinity ? undefined : nextDueAtMs };
    },

    release: (delivery, dueAtMs) => void release.run(dueAtMs, delivery),

    makeDue: (delivery, nowMs) => void makeDue.run(nowMs, delivery),

    remove: (delivery) => void remove.run(delivery),
  };
}

function inTurn(a: Candidate, b: Candidate): number {
  return a.rank - b.rank || a.dueAtMs - b.dueAtMs || a.delivery - b.delivery;
}
