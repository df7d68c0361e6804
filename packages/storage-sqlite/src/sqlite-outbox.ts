import type { Environment } from "@procedo/contract";
import type { ClaimedDelivery, DeliveryClaim, EnvironmentBound, WebhookBound } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare, prepareTuple } from "./statement.ts";

/** The queue that deliveries form: claiming, within a write. */
export interface SqliteOutbox {
  claim(request: {
    readonly workspace: string;
    readonly senderId: string;
    readonly limit: number;
    readonly perWebhook: number;
    readonly most?: Readonly<Record<Environment, EnvironmentBound>>;
    readonly wider?: readonly WebhookBound[];
    readonly leaseMs: number;
  }): DeliveryClaim;
}

type HandedRow = [
  deliveryId: string,
  webhookId: string,
  event: string,
  createdAtMs: number,
  payload: number,
  epoch: number,
  attempt: number,
  manual: 0 | 1,
];

interface ClaimedRow {
  readonly webhookId: string;
  /** How many are claimed under a lease that holds. */
  readonly held: number;
  /** When the first of these leases ends. */
  readonly nextEnd: number | null;
  readonly lapsed: number;
}

/** What may be handed out; `rank` is how many of its webhook come before it. */
interface Candidate {
  readonly delivery: number;
  readonly dueAtMs: number;
  readonly rank: number;
  readonly counts: boolean;
  readonly scope: number;
}

const waiting = "deliveries INDEXED BY deliveries_waiting WHERE status = 'pending' AND sender_id IS NULL";
const claimed = "deliveries INDEXED BY deliveries_claimed WHERE sender_id IS NOT NULL";

export function sqliteOutbox({ db, now, scopes }: SqliteContext): SqliteOutbox {
  // One step of a loose index scan: the webhooks are few, their deliveries many.
  const selectNextWebhook = prepareTuple<[webhookId: string | null]>(
    db,
    `SELECT min(webhook_id) FROM ${waiting} AND scope = ? AND webhook_id > ?`,
  );
  const selectDue = prepareTuple<[delivery: number, dueAtMs: number]>(
    db,
    `SELECT delivery, due_at_ms FROM ${waiting} AND scope = ? AND webhook_id = ? AND due_at_ms <= ?
      ORDER BY due_at_ms, delivery LIMIT +?`,
  );
  const selectNextDue = prepareTuple<[dueAtMs: number | null]>(
    db,
    `SELECT min(due_at_ms) FROM ${waiting} AND scope = ? AND webhook_id = ? AND due_at_ms > ?`,
  );
  const selectClaimed = prepare<ClaimedRow>(
    db,
    `SELECT webhook_id AS "webhookId", count(*) FILTER (WHERE due_at_ms > ?1) AS held,
            min(due_at_ms) FILTER (WHERE due_at_ms > ?1) AS "nextEnd", count(*) FILTER (WHERE due_at_ms <= ?1) AS lapsed
       FROM ${claimed} AND scope = ?2 GROUP BY webhook_id`,
  );
  const selectLapsed = prepareTuple<[delivery: number, dueAtMs: number]>(
    db,
    `SELECT delivery, due_at_ms FROM ${claimed} AND scope = ? AND webhook_id = ? AND due_at_ms <= ?
      ORDER BY due_at_ms, delivery LIMIT +?`,
  );
  const handOver = prepareTuple<HandedRow>(
    db,
    `UPDATE deliveries SET sender_id = ?, due_at_ms = ?, epoch = epoch + 1, attempt_count = attempt_count + 1,
                           places_used = places_used + 1
      WHERE delivery = ?
      RETURNING delivery_id, webhook_id, event, created_at_ms, payload, epoch, places_used, manual`,
  );

  const selectData = prepareTuple<[data: string]>(db, "SELECT data FROM payloads WHERE payload = ?");

  function webhooksOf(scope: number, claims: ReadonlyMap<string, ClaimedRow>): ReadonlySet<string> {
    const webhooks = new Set([...claims.values()].filter(({ lapsed }) => lapsed > 0).map(({ webhookId }) => webhookId));
    let webhookId = selectNextWebhook.get(scope, "")?.[0] ?? null;
    while (webhookId !== null) {
      webhooks.add(webhookId);
      webhookId = selectNextWebhook.get(scope, webhookId)?.[0] ?? null;
    }
    return webhooks;
  }

  return {
    claim({ workspace, senderId, most, wider = [], leaseMs, ...bounds }) {
      const atMs = now();
      const candidates: Candidate[] = [];
      let nextDueAtMs = Infinity;
      for (const scope of scopes.ofWorkspace(workspace)) {
        const claims = new Map(selectClaimed.all(atMs, scope).map((row) => [row.webhookId, row]));
        const { environment } = scopes.get(scope);
        const widerOf = new Map(
          wider.filter((one) => one.environment === environment).map((one) => [one.webhookId, one.perWebhook]),
        );
        const { limit, perWebhook } = most?.[environment] ?? bounds;
        const ofScope: Candidate[] = [];
        for (const { nextEnd } of claims.values()) nextDueAtMs = Math.min(nextDueAtMs, nextEnd ?? Infinity);
        for (const webhookId of webhooksOf(scope, claims)) {
          nextDueAtMs = Math.min(nextDueAtMs, selectNextDue.get(scope, webhookId, atMs)?.[0] ?? Infinity);
          const { held = 0, lapsed = 0 } = claims.get(webhookId) ?? {};
          const room = (widerOf.get(webhookId) ?? perWebhook) - held;
          if (room <= 0) continue;
          const due = [...selectDue.all(scope, webhookId, atMs, room)];
          if (lapsed > 0) due.push(...selectLapsed.all(scope, webhookId, atMs, room));
          due.sort(([a, dueA], [b, dueB]) => dueA - dueB || a - b);
          for (const [index, [delivery, dueAtMs]] of due.slice(0, room).entries()) {
            const rank = held + index;
            ofScope.push({ delivery, dueAtMs, rank, counts: rank < perWebhook, scope });
          }
        }
        candidates.push(...inTurn(ofScope, limit));
      }
      const chosen = inTurn(candidates, bounds.limit);
      // Deliveries of one event share its data, and are often claimed together.
      const payloads = new Map<number, string>();
      const dataOf = (payload: number): string => {
        const data = payloads.get(payload) ?? selectData.get(payload)?.[0] ?? "";
        payloads.set(payload, data);
        return data;
      };
      const deliveries = chosen.flatMap(({ delivery, scope }): ClaimedDelivery[] => {
        const row = handOver.get(senderId, atMs + leaseMs, delivery);
        if (row === undefined) return [];
        const [deliveryId, webhookId, event, createdAtMs, payload, epoch, attempt, manual] = row;
        const data = dataOf(payload);
        return [
          {
            scope: scopes.get(scope),
            deliveryId,
            webhookId,
            event,
            createdAtMs,
            data,
            epoch,
            attempt,
            manual: manual === 1,
          },
        ];
      });
      return { deliveries, nextDueAtMs: nextDueAtMs === Infinity ? undefined : nextDueAtMs };
    },
  };
}

/** All of them in turn, or the first `limit` where so many count. */
function inTurn(candidates: Candidate[], limit: number): readonly Candidate[] {
  candidates.sort((a, b) => a.rank - b.rank || a.dueAtMs - b.dueAtMs || a.delivery - b.delivery);
  const counted = candidates.filter(({ counts }) => counts).length;
  return counted < limit ? candidates : candidates.slice(0, limit);
}
