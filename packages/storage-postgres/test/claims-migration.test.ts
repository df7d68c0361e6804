import { openTestDatabase } from "@procedo-testing/postgres";
import type { ClaimedDelivery, DeliverySettlement, Scope } from "@procedo/storage";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { migrations } from "../src/migrations/migrations.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const webhookId = "hook-1";
const nowMs = 1_790_000_000_000;
const leaseEndsAtMs = nowMs + 60_000;
const attempt = { url: "https://receiver.test", atMs: nowMs, tookMs: 5, responseCode: 200, failure: undefined };

/** A database as the version before has left it, in the middle of sending, and a session of one of its nodes. */
async function openBefore() {
  const database = await openTestDatabase();
  const old = new pg.Client(database.url);
  await old.connect();
  onTestFinished(async () => {
    await old.end();
    await database.close();
  });
  await old.query(`
    CREATE SCHEMA procedo; SET search_path = procedo;
    CREATE TABLE procedo_migrations (version integer PRIMARY KEY, name text NOT NULL, migrated_at timestamptz NOT NULL DEFAULT now())`);
  for (const [index, { name, sql }] of migrations.slice(0, 4).entries()) {
    await old.query(sql);
    await old.query("INSERT INTO procedo_migrations (version, name) VALUES ($1, $2)", [index + 1, name]);
  }
  await old.query("INSERT INTO payloads (payload, data) VALUES (1, '{}')");
  await store("waiting", "due_at_ms", `${nowMs}`);
  await store("claimed", "due_at_ms, sender_id, epoch, attempt_count, places_used", `${leaseEndsAtMs}, 'old', 3, 3, 2`);
  await store(
    "delivered",
    "status, epoch, attempt_count, delivered_at_ms, url",
    `'delivered', 1, 1, 1, 'https://a.test'`,
  );
  await store("failed", "status, epoch, attempt_count, error", "'failed', 2, 2, 'Refused.'");
  await old.query(`INSERT INTO delivery_attempts (delivery_id, epoch, at_ms, took_ms, url, response_code, manual)
                   VALUES ('delivered', 1, 1, 2, 'https://a.test', 204, false)`);

  /** As the version before does. */
  async function store(deliveryId: string, columns: string, values: string): Promise<void> {
    await old.query(
      `INSERT INTO deliveries (delivery_id, workspace, environment, run_id, webhook_id, event_id, event, created_at_ms, payload,
                               ${columns})
       VALUES ('${deliveryId}', 'acme', 'live', NULL, 'hook-1', 'event-${deliveryId}', 'run_completed', 1, 1, ${values})`,
    );
  }
  return { url: database.url, old, store };
}

it("deliveries of a database of the version before are sent on: what was claimed when its lease would have ended", async () => {
  const { url, old, store } = await openBefore();
  let now = nowMs;
  const storage = await PostgresStorage.connect(url, { now: () => now, notify: false });
  onTestFinished(() => storage.close());
  const { deliveries } = storage;
  const claim = async () => {
    const request = { workspace: "acme", senderId: "sender-1", limit: 9, perWebhook: 9, leaseMs: 100_000 };
    return await deliveries.claim(request);
  };
  const deliver = ({ deliveryId, epoch, manual }: ClaimedDelivery): DeliverySettlement => {
    return { scope, deliveryId, epoch, attempt: { ...attempt, manual }, then: { status: "delivered" } };
  };
  const rowsOf = async () => {
    const { items } = await deliveries.list({ scope, webhookId, limit: 9 });
    return Object.fromEntries(items.map((row) => [row.deliveryId, row]));
  };

  expect(await rowsOf()).toMatchObject({
    waiting: { status: "pending", attemptCount: 0, dueAtMs: nowMs },
    claimed: { status: "pending", attemptCount: 3, dueAtMs: leaseEndsAtMs },
    delivered: { status: "delivered", attemptCount: 1, deliveredAtMs: 1 },
    failed: { status: "failed", attemptCount: 2, error: "Refused." },
  });
  const first = await claim();
  expect(first).toMatchObject({
    deliveries: [{ deliveryId: "waiting", epoch: 1, attempt: 1 }],
    nextDueAtMs: leaseEndsAtMs,
  });
  // Who had claimed it comes back: fenced, and its attempt is known.
  const late = { scope, deliveryId: "claimed", epoch: 3, attempt: { ...attempt, manual: false } };
  expect(await deliveries.settle([{ ...late, then: { status: "delivered" } }])).toEqual([{ status: "fenced" }]);
  now = leaseEndsAtMs;
  const [again, ...others] = (await claim()).deliveries;
  expect(others).toEqual([]);
  expect(again).toMatchObject({ deliveryId: "claimed", epoch: 4, attempt: 3 });
  const items = [...first.deliveries, ...(again === undefined ? [] : [again])].map(deliver);
  expect(await deliveries.settle(items)).toMatchObject([{ status: "settled" }, { status: "settled" }]);
  expect(await deliveries.attempts({ scope, webhookId, deliveryId: "claimed" })).toHaveLength(2);

  // What was attempted before and what comes after, one after the other.
  await deliveries.resend({ scope, webhookId, deliveryId: "delivered", repeatMs: 0 });
  const [resent] = (await claim()).deliveries;
  expect(resent).toMatchObject({ deliveryId: "delivered", epoch: 2, attempt: 1, manual: true });
  if (resent !== undefined) await deliveries.settle([deliver(resent)]);
  const attempts = await deliveries.attempts({ scope, webhookId, deliveryId: "delivered" });
  expect(attempts.map(({ responseCode }) => responseCode)).toEqual([204, 200]);

  // A node of the version before goes on storing what is to be sent, and hands nothing out.
  await store("stored", "due_at_ms", `${nowMs}`);
  const handOver = "UPDATE deliveries SET sender_id = 'old', epoch = epoch + 1 WHERE delivery_id = 'stored'";
  await expect(old.query(handOver)).rejects.toMatchObject({ code: "23514", constraint: "claimed_elsewhere" });
  expect((await claim()).deliveries).toMatchObject([{ deliveryId: "stored", epoch: 1 }]);
});
