import type { ClaimedDelivery, DeliverySettlement, Scope } from "@procedo/storage";
import { expect, it, onTestFinished } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { openDatabaseBefore } from "./database-before.ts";
import { deliveriesBefore } from "./deliveries-before.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const webhookId = "hook-1";
const nowMs = 1_790_000_000_000;
const leaseEndsAtMs = nowMs + 60_000;
const attempt = { url: "https://receiver.test", atMs: nowMs, tookMs: 5, responseCode: 200, failure: undefined };

/** A database as the version before has left it, in the middle of sending, and a session of one of its nodes. */
async function openBefore() {
  const { url, old } = await openDatabaseBefore(4);
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
  return { url, old, store, before: deliveriesBefore(old, { nowMs, url: attempt.url }) };
}

/** A node of this version, with the database that the version before has left. */
async function openAfter() {
  const opened = await openBefore();
  let now = nowMs;
  const storage = await PostgresStorage.connect(opened.url, { now: () => now, notify: false });
  onTestFinished(() => storage.close());
  const { deliveries } = storage;
  return {
    ...opened,
    deliveries,
    advanceTo: (ms: number) => void (now = ms),
    claim: async () => {
      const request = { workspace: "acme", senderId: "sender-1", limit: 9, perWebhook: 9, leaseMs: 100_000 };
      return await deliveries.claim(request);
    },
    rowsOf: async () => {
      const { items } = await deliveries.list({ scope, webhookId, limit: 9 });
      return Object.fromEntries(items.map((row) => [row.deliveryId, row]));
    },
    codesOf: async (deliveryId: string) => {
      const attempts = await deliveries.attempts({ scope, webhookId, deliveryId });
      return attempts.map(({ responseCode }) => responseCode);
    },
    claimsLeft: async () => (await opened.old.query("SELECT FROM delivery_claims")).rowCount,
  };
}

function deliver({ deliveryId, epoch, manual }: ClaimedDelivery): DeliverySettlement {
  return { scope, deliveryId, epoch, attempt: { ...attempt, manual }, then: { status: "delivered" } };
}

it("deliveries of a database of the version before are sent on: what was claimed when its lease would have ended", async () => {
  const { old, store, deliveries, advanceTo, claim, rowsOf, codesOf } = await openAfter();
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
  advanceTo(leaseEndsAtMs);
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
  expect(await codesOf("delivered")).toEqual([204, 200]);

  // A node of the version before goes on storing what is to be sent, and hands nothing out.
  await store("stored", "due_at_ms", `${nowMs}`);
  const handOver = "UPDATE deliveries SET sender_id = 'old', epoch = epoch + 1 WHERE delivery_id = 'stored'";
  await expect(old.query(handOver)).rejects.toMatchObject({ code: "23514", constraint: "claimed_elsewhere" });
  expect((await claim()).deliveries).toMatchObject([{ deliveryId: "stored", epoch: 1 }]);
});

it("a node of the version before settles nothing, and what it has attempted is known", async () => {
  const { before, claim, deliveries, advanceTo, rowsOf, codesOf } = await openAfter();
  const again = { deliveryId: "claimed", epoch: 3 };
  expect(await before.settle([{ ...again, responseCode: 200 }])).toBe(0);
  expect(await before.settle([{ ...again, responseCode: 503, dueAtMs: nowMs + 5 }])).toBe(0);
  expect(await codesOf("claimed")).toEqual([200]);
  expect(await rowsOf()).toMatchObject({ claimed: { status: "pending", attemptCount: 3, dueAtMs: leaseEndsAtMs } });

  // Nor what a node of this version has under way, under its epoch or the one before.
  advanceTo(leaseEndsAtMs);
  const claimed = (await claim()).deliveries;
  expect(claimed.map(({ deliveryId, epoch }) => [deliveryId, epoch])).toEqual([
    ["waiting", 1],
    ["claimed", 4],
  ]);
  for (const epoch of [0, 1])
    expect(await before.settle([{ deliveryId: "waiting", epoch, responseCode: 500 }])).toBe(0);
  expect(await before.settle([{ ...again, responseCode: 503, dueAtMs: nowMs + 5 }])).toBe(0);
  expect(await deliveries.settle(claimed.map(deliver))).toMatchObject([{ status: "settled" }, { status: "settled" }]);
  expect(await codesOf("claimed")).toEqual([200, 200]);
});

it("what a node of the version before has sent again this version sends, once", async () => {
  const { before, claim, deliveries, rowsOf, codesOf, claimsLeft } = await openAfter();
  const [waiting] = (await claim()).deliveries;
  // Under way, which the node takes for waiting.
  await before.resend("waiting", true);
  expect((await claim()).deliveries).toEqual([]);
  expect(await deliveries.settle(waiting === undefined ? [] : [deliver(waiting)])).toMatchObject([
    { status: "settled" },
  ]);
  expect(await claimsLeft()).toBe(0);
  expect((await claim()).deliveries).toEqual([]);

  // Accepted and ended, by either version.
  expect(await codesOf("waiting")).toEqual([200]);
  for (const deliveryId of ["waiting", "delivered", "failed"]) await before.resend(deliveryId);
  const resent = (await claim()).deliveries;
  expect(resent.map(({ deliveryId, epoch, attempt: place, manual }) => [deliveryId, epoch, place, manual])).toEqual([
    ["waiting", 2, 1, true],
    ["delivered", 2, 1, true],
    ["failed", 3, 1, true],
  ]);
  await deliveries.settle(resent.map(deliver));
  expect(await rowsOf()).toMatchObject({
    waiting: { status: "delivered", attemptCount: 2 },
    delivered: { status: "delivered", attemptCount: 2 },
    failed: { status: "delivered", attemptCount: 3 },
  });
  // The attempt that this version kept in the row is lost from the history.
  expect(await codesOf("waiting")).toEqual([200]);
  expect(await codesOf("delivered")).toEqual([204, 200]);
});

it("what a node of the version before ends is ended, also while it is under way", async () => {
  const { before, claim, deliveries, rowsOf, codesOf, advanceTo, claimsLeft, store } = await openAfter();
  await store("second", "due_at_ms", `${nowMs}`);
  const underWay = (await claim()).deliveries;
  expect(underWay.map(({ deliveryId }) => deliveryId)).toEqual(["waiting", "second"]);
  expect(await before.endPending("Restored.")).toEqual(["claimed", "second", "waiting"]);
  const ended = { status: "failed", error: "Restored.", dueAtMs: undefined };
  expect(await rowsOf()).toMatchObject({ waiting: ended, second: ended, claimed: ended });

  const [first, second] = underWay;
  if (first === undefined || second === undefined) throw new Error("Nothing is under way.");
  expect(await deliveries.settle([deliver(first)])).toEqual([{ status: "fenced" }]);
  const again = { status: "pending", dueAtMs: nowMs + 5 } as const;
  const refused = { ...attempt, manual: false, responseCode: 503 };
  expect(await deliveries.settle([{ ...deliver(second), attempt: refused, error: "Refused.", then: again }])).toEqual([
    { status: "fenced" },
  ]);
  expect(await rowsOf()).toMatchObject({ waiting: ended, second: ended });
  // Not counted, but in the history.
  expect([await codesOf("waiting"), await codesOf("second")]).toEqual([[200], [503]]);
  expect(await claimsLeft()).toBe(0);
  advanceTo(leaseEndsAtMs + 100_000);
  expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: undefined });
});

it("what a node of the version before ends of a sender that then dies nobody is given, and everybody goes on", async () => {
  const { before, claim, advanceTo, rowsOf, claimsLeft, store } = await openAfter();
  expect((await claim()).deliveries).toMatchObject([{ deliveryId: "waiting" }]);
  await before.endPending("Restored.");
  await store("later", "due_at_ms", `${nowMs}`);
  for (const epoch of [1, 2]) {
    advanceTo(nowMs + epoch * 200_000);
    expect((await claim()).deliveries).toMatchObject([{ deliveryId: "later", epoch }]);
  }
  expect(await rowsOf()).toMatchObject({ waiting: { status: "failed", error: "Restored." } });
  // That of the sender that died has gone.
  expect(await claimsLeft()).toBe(1);
});
