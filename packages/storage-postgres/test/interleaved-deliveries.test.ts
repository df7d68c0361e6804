import type { ClaimedDelivery, DeliverySettlement } from "@procedo/storage";
import { beforeEach, expect, it } from "vitest";
import type { PostgresStorage } from "../src/index.ts";
import { useInterleaving, type Interleaving } from "./interleaving.ts";
import { scope } from "./run-rows.ts";

/** Changes by another node between the start of a statement and its locks. */
const leaseMs = 1_000;
const webhookId = "hook-1";
let nowMs = 1_790_000_000_000;

let storage: PostgresStorage;
let other: Interleaving["other"];
let claimed: readonly ClaimedDelivery[];

const harness = useInterleaving({ now: () => nowMs, timeoutMs: 40_000 });
const interleaved: Interleaving["interleaved"] = (change, call) => harness().interleaved(change, call);
beforeEach(async () => {
  ({ storage, other } = harness());
  for (const eventId of ["event-1", "event-2", "event-3"]) {
    const event = { eventId, event: "run_completed", createdAtMs: 1, data: "{}" } as const;
    await storage.deliveries.post({ scope, webhookId, event });
  }
  claimed = await claim();
  expect(claimed).toHaveLength(3);
});

const claim = async (): Promise<readonly ClaimedDelivery[]> => {
  const limits = { total: 9, perWebhook: 9 };
  const request = { workspace: scope.workspace, limits: { sandbox: limits, live: limits }, leaseMs };
  return (await storage.deliveries.claim(request)).deliveries;
};
const settle = (...items: readonly DeliverySettlement[]) => storage.deliveries.settle(items);
const accepted = ({ deliveryId, epoch, manual }: ClaimedDelivery): DeliverySettlement => {
  const answer = { url: "https://receiver.test", atMs: nowMs, tookMs: 5, responseCode: 200, failure: undefined };
  return { scope, deliveryId, epoch, attempt: { ...answer, manual }, next: { status: "delivered" } };
};
const refused = (delivery: ClaimedDelivery): DeliverySettlement => {
  return { ...accepted(delivery), error: "Refused.", next: { status: "pending", dueAtMs: nowMs + 60_000 } };
};
const rows = async () => {
  const { items } = await storage.deliveries.list({ scope, webhookId, limit: 9 });
  return new Map(items.map((row) => [row.deliveryId, row]));
};
const attemptsOf = ({ deliveryId }: ClaimedDelivery) => storage.deliveries.attempts({ scope, webhookId, deliveryId });

/** Another node settles the first delivery. */
const first = "(SELECT min(delivery) FROM deliveries)";
const settleFirst = `
  UPDATE deliveries SET status = 'delivered', epoch = 1, attempt_count = 1, places_used = 1, url = 'https://a.test',
                        delivered_at_ms = 1
   WHERE delivery = ${first};
  DELETE FROM delivery_queue WHERE delivery = ${first};
  INSERT INTO delivery_attempts (delivery_id, epoch, at_ms, took_ms, url, manual)
  SELECT delivery_id, 1, 1, 2, 'https://a.test', true FROM deliveries WHERE delivery = ${first}`;

it.each([
  ["accepted", accepted],
  ["refused", refused],
])("a delivery that another node settles first is fenced, the rest of its batch is not (%s)", async (_what, come) => {
  const results = await interleaved(settleFirst, () => settle(...claimed.map(come)));
  expect(results).toMatchObject([{ status: "fenced" }, { status: "settled" }, { status: "settled" }]);
  const all = await rows();
  expect(all.get(claimed[0]?.deliveryId ?? "")).toMatchObject({ status: "delivered", url: "https://a.test" });
  // Both nodes settled it, with one history.
  for (const delivery of claimed) expect(await attemptsOf(delivery)).toHaveLength(1);
});

it("a delivery that another node claims first, after its lease, is fenced, and belongs to that node", async () => {
  const takeOver = `UPDATE delivery_queue SET claims = claims + 1, due_at_ms = ${nowMs + 60_000}`;
  expect(await interleaved(takeOver, () => settle(...claimed.map(accepted)))).toEqual(
    claimed.map(() => ({ status: "fenced" })),
  );
  for (const row of (await rows()).values()) expect(row).toMatchObject({ status: "pending", attemptCount: 2 });
  const now = claimed.map((delivery) => ({ ...delivery, epoch: 2 }));
  expect(await settle(...now.map(accepted))).toMatchObject(claimed.map(() => ({ status: "settled" })));
});

it("a claim skips a delivery whose settlement is in progress, without waiting for it", async () => {
  nowMs += leaseMs;
  await other.query(`BEGIN; ${settleFirst}`);
  const others = claimed.slice(1).map((each) => ({ ...each, epoch: 2, attempt: 2 }));
  expect(await claim()).toEqual(others);
  await other.query("COMMIT");
  expect(await claim()).toEqual([]);
  expect((await rows()).get(claimed[0]?.deliveryId ?? "")).toMatchObject({ status: "delivered", attemptCount: 1 });
});

it("a resend waits for the settlement of its delivery, and a settlement for the resend", async () => {
  const [one, two] = claimed;
  if (one === undefined || two === undefined) throw new Error("Three are claimed.");
  const { deliveryId } = one;
  const again = await interleaved(settleFirst, () =>
    storage.deliveries.resend({ scope, webhookId, deliveryId, repeatMs: 0 }),
  );
  expect(again).toMatchObject({ status: "resent", delivery: { status: "pending", attemptCount: 1, dueAtMs: nowMs } });
  expect(await attemptsOf(one)).toMatchObject([{ url: "https://a.test", tookMs: 2 }]);
  const asked = `UPDATE deliveries SET resent_at_ms = 1 WHERE delivery_id = '${two.deliveryId}'`;
  expect(await interleaved(asked, () => settle(accepted(two)))).toMatchObject([{ status: "settled" }]);
  expect((await rows()).get(two.deliveryId)).toMatchObject({ status: "delivered", attemptCount: 1 });
});

it.each([
  ["has ended", accepted],
  ["waits", refused],
])("other deliveries are claimed while one that %s is resent and waits for the audit chain", async (_what, come) => {
  const [one, ...others] = claimed;
  if (one === undefined) throw new Error("Three are claimed.");
  await settle(come(one));
  await settle(...others.map(refused));
  nowMs += 60_000;
  await other.query("BEGIN; INSERT INTO audit (workspace, seq, hash, body) VALUES ('acme', 1, 'other', '{}')");
  const audit = { seq: 1, hash: "own", body: "{}" };
  const again = storage.deliveries.resend({ scope, webhookId, deliveryId: one.deliveryId, repeatMs: 0, audit });
  await harness().waiting();
  expect((await claim()).map(({ deliveryId }) => deliveryId)).toEqual(others.map(({ deliveryId }) => deliveryId));
  await other.query("COMMIT");
  expect(await again).toEqual({ status: "audit_behind" });
  expect(await attemptsOf(one)).toHaveLength(1);
});
