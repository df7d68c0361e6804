import type { ClaimedDelivery, DeliverySettlement } from "@procedo/storage";
import { beforeEach, expect, it } from "vitest";
import type { PostgresStorage } from "../src/index.ts";
import { useOvertaking, type Overtaking } from "./overtaking.ts";
import { scope } from "./run-rows.ts";

/** What another node does between the beginning of a statement and its locks. */
const leaseMs = 1_000;
const webhookId = "hook-1";
let nowMs = 1_790_000_000_000;

let storage: PostgresStorage;
let other: Overtaking["other"];
let claimed: readonly ClaimedDelivery[];

const bench = useOvertaking({ now: () => nowMs, timeoutMs: 40_000 });
const overtaken: Overtaking["overtaken"] = (change, call) => bench().overtaken(change, call);
beforeEach(async () => {
  ({ storage, other } = bench());
  for (const eventId of ["event-1", "event-2", "event-3"]) {
    const event = { eventId, event: "run_completed", createdAtMs: 1, data: "{}" } as const;
    await storage.deliveries.post({ scope, webhookId, event });
  }
  claimed = await claim();
  expect(claimed).toHaveLength(3);
});

const claim = async (): Promise<readonly ClaimedDelivery[]> => {
  const request = { workspace: scope.workspace, senderId: "sender-1", limit: 9, perWebhook: 9, leaseMs };
  return (await storage.deliveries.claim(request)).deliveries;
};
const settle = (...items: readonly DeliverySettlement[]) => storage.deliveries.settle(items);
const accepted = ({ deliveryId, epoch, manual }: ClaimedDelivery): DeliverySettlement => {
  const answer = { url: "https://receiver.test", atMs: nowMs, tookMs: 5, responseCode: 200, failure: undefined };
  return { scope, deliveryId, epoch, attempt: { ...answer, manual }, then: { status: "delivered" } };
};
const refused = (delivery: ClaimedDelivery): DeliverySettlement => {
  return { ...accepted(delivery), error: "Refused.", then: { status: "pending", dueAtMs: nowMs + 60_000 } };
};
const rows = async () => {
  const { items } = await storage.deliveries.list({ scope, webhookId, limit: 9 });
  return new Map(items.map((row) => [row.deliveryId, row]));
};
const attemptsOf = ({ deliveryId }: ClaimedDelivery) => storage.deliveries.attempts({ scope, webhookId, deliveryId });

/** As another node settles the first one: it leaves its claim, and its row keeps the attempt. */
const settleFirst = `
  UPDATE delivery_claims SET deliveries = deliveries[2:];
  UPDATE deliveries SET status = 'delivered', due_at_ms = NULL, epoch = epoch + 1, attempt_count = 1, url = 'https://a.test',
                        delivered_at_ms = 1, accepted_took_ms = 2, accepted_manual = false
   WHERE delivery = (SELECT min(delivery) FROM deliveries)`;

it.each([
  ["accepted", accepted],
  ["refused", refused],
])("what another has settled meanwhile is fenced, the rest of its batch is not (%s)", async (_what, come) => {
  const results = await overtaken(settleFirst, () => settle(...claimed.map(come)));
  expect(results).toMatchObject([{ status: "fenced" }, { status: "settled" }, { status: "settled" }]);
  const [first] = claimed;
  const all = await rows();
  expect(all.get(first?.deliveryId ?? "")).toMatchObject({ status: "delivered", url: "https://a.test" });
  // Told by both, in one history.
  for (const delivery of claimed) expect(await attemptsOf(delivery)).toHaveLength(1);
  expect((await other.query("SELECT FROM delivery_claims")).rowCount).toBe(0);
});

it("a claim whose lease is over is taken over without what was settled meanwhile", async () => {
  nowMs += leaseMs;
  const taken = await overtaken(settleFirst, claim);
  expect(new Set(taken)).toEqual(new Set(claimed.slice(1).map((each) => ({ ...each, epoch: 2, attempt: 2 }))));
  expect([...(await rows()).values()].filter(({ status }) => status === "delivered")).toMatchObject([
    { attemptCount: 1 },
  ]);
});

it("a claim that was settled as a whole meanwhile leaves nothing to take over", async () => {
  nowMs += leaseMs;
  const settleAll = "DELETE FROM delivery_claims; UPDATE deliveries SET status = 'failed', due_at_ms = NULL";
  expect(await overtaken(settleAll, claim)).toEqual([]);
  for (const row of (await rows()).values()) expect(row).toMatchObject({ status: "failed", attemptCount: 0 });
});

it("what another has taken over meanwhile is fenced, whoever has it now", async () => {
  const takeOver = `
    DELETE FROM delivery_claims;
    UPDATE deliveries SET epoch = epoch + 1, attempt_count = 1, places_used = 1;
    INSERT INTO delivery_claims (workspace, environment, webhook_id, sender_id, lease_ends_at_ms, deliveries)
    SELECT workspace, environment, webhook_id, 'other', ${nowMs + 60_000}, array_agg(delivery) FROM deliveries GROUP BY 1, 2, 3`;
  expect(await overtaken(takeOver, () => settle(...claimed.map(accepted)))).toEqual(
    claimed.map(() => ({ status: "fenced" })),
  );
  for (const row of (await rows()).values()) expect(row).toMatchObject({ status: "pending", attemptCount: 2 });
  const now = claimed.map((delivery) => ({ ...delivery, epoch: 2 }));
  expect(await settle(...now.map(accepted))).toMatchObject(claimed.map(() => ({ status: "settled" })));
});

it("what is asked for while it is being settled is settled, and sent again only where that came first", async () => {
  const [first, second, third] = claimed;
  if (first === undefined || second === undefined || third === undefined) throw new Error("Three are claimed.");
  const { deliveryId } = first;
  const again = await overtaken(settleFirst, () =>
    storage.deliveries.resend({ scope, webhookId, deliveryId, repeatMs: 0 }),
  );
  expect(again).toMatchObject({ status: "resent", delivery: { status: "pending", attemptCount: 1, dueAtMs: nowMs } });
  expect(await attemptsOf(first)).toMatchObject([{ url: "https://a.test", tookMs: 2 }]);
  const asked = `UPDATE deliveries SET resent_at_ms = 1 WHERE delivery_id = '${second.deliveryId}'`;
  expect(await overtaken(asked, () => settle(accepted(second)))).toMatchObject([{ status: "settled" }]);
  expect((await rows()).get(second.deliveryId)).toMatchObject({ status: "delivered", attemptCount: 1 });
});

it("deliveries are claimed while one that has ended is being sent again and waits for the audit chain", async () => {
  const [first, ...others] = claimed;
  if (first === undefined) throw new Error("Three are claimed.");
  await settle(accepted(first));
  await settle(...others.map(refused));
  nowMs += 60_000;
  await other.query("BEGIN; INSERT INTO audit (workspace, seq, hash, body) VALUES ('acme', 1, 'other', '{}')");
  const { deliveryId } = first;
  const audit = { seq: 1, hash: "own", body: "{}" };
  const again = storage.deliveries.resend({ scope, webhookId, deliveryId, repeatMs: 0, audit });
  await bench().waiting();
  expect(await claim()).toHaveLength(2);
  await other.query("COMMIT");
  expect(await again).toEqual({ status: "audit_behind" });
  expect(await attemptsOf(first)).toHaveLength(1);
  // Nothing is left that somebody who removes the delivery at this moment would not see.
  const history = await other.query("SELECT FROM delivery_attempts WHERE delivery_id = $1", [deliveryId]);
  expect(history.rowCount).toBe(0);
});

it("what somebody ended who knows nothing of claims leaves them, and keeps the attempt that was under way", async () => {
  await other.query("UPDATE deliveries SET status = 'failed', due_at_ms = NULL, error = 'Restored.'");
  const [first] = claimed;
  if (first === undefined) throw new Error("Three are claimed.");
  expect(await settle(accepted(first), accepted(first))).toEqual([{ status: "fenced" }, { status: "fenced" }]);
  expect(await attemptsOf(first)).toHaveLength(1);
  nowMs += leaseMs;
  expect(await claim()).toEqual([]);
  expect((await other.query("SELECT FROM delivery_claims")).rowCount).toBe(0);
});

it("an accepted attempt that is told again has no row beside the delivery's own", async () => {
  const [first, second, third] = claimed;
  if (first === undefined || second === undefined || third === undefined) throw new Error("Three are claimed.");
  await settle(accepted(first), accepted(second), accepted(second));
  await settle(accepted(first));
  await settle(accepted(second), refused(third));
  const { rows: history } = await other.query("SELECT delivery_id FROM delivery_attempts");
  expect(history).toEqual([{ delivery_id: third.deliveryId }]);
  for (const delivery of claimed) expect(await attemptsOf(delivery)).toHaveLength(1);
});
