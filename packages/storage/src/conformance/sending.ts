import { describe, expect, it } from "vitest";
import type { ClaimedDelivery, DeliveryRow, DeliverySettlement } from "../deliveries.ts";
import { webhookEventKey } from "../deliveries.ts";
import type { Scope } from "../scope.ts";
import type { Harness, ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  accepted,
  claimLimits,
  elsewhere,
  event,
  firstRow,
  live,
  record,
  refused,
  sandbox,
  workspace,
} from "./samples.ts";

const leaseMs = 1_000;

/** Webhooks that subscribe to `run_completed`, and a run with this many events. */
export async function fillQueue(
  { storage }: Harness,
  webhookIds: readonly string[],
  { scope = sandbox, events = 1, name = "a" }: { scope?: Scope; events?: number; name?: string } = {},
): Promise<void> {
  const keys = [webhookEventKey(scope, "run_completed")];
  for (const id of webhookIds) {
    await storage.records.put({ record: record(id, { ...scope, kind: "webhook", keys }), ifRevision: 0 });
  }
  const emitted = Array.from({ length: events }, (_, index) => event(`event-${name}-${index}`));
  await storage.runs.commit(firstRow(`run-${name}`, { scope, events: emitted }));
}

export function describeSending(options: ConformanceOptions): void {
  describe("sending deliveries", () => {
    const harness = useHarness(options);

    const claim = async (limits = claimLimits(100), of = workspace) =>
      harness().storage.deliveries.claim({ workspace: of, limits, leaseMs });
    const claimOne = async (): Promise<ClaimedDelivery> => {
      const [delivery] = (await claim(claimLimits(1))).deliveries;
      if (delivery === undefined) throw new Error("Nothing is due.");
      return delivery;
    };
    const settle = (...items: readonly DeliverySettlement[]) => harness().storage.deliveries.settle(items);
    const rowOf = async ({ scope, webhookId, deliveryId }: ClaimedDelivery): Promise<DeliveryRow | undefined> => {
      const page = await harness().storage.deliveries.list({ scope, webhookId, limit: 1000 });
      return page.items.find((row) => row.deliveryId === deliveryId);
    };
    const attemptsOf = ({ scope, webhookId, deliveryId }: ClaimedDelivery) =>
      harness().storage.deliveries.attempts({ scope, webhookId, deliveryId });
    const webhooksOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ webhookId }) => webhookId);

    describe("deliveries.claim", () => {
      it("claims due deliveries with all that is needed to send them, and counts the attempt", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const { deliveries, nextDueAtMs } = await claim();
        const [delivery] = deliveries;
        expect(deliveries).toEqual([
          {
            scope: sandbox,
            deliveryId: delivery?.deliveryId,
            webhookId: "hook-1",
            event: "run_completed",
            createdAtMs: startMs,
            data: event("event-a-0").data,
            epoch: 1,
            attempt: 1,
            manual: false,
          },
        ]);
        expect(nextDueAtMs).toBeUndefined();
        expect(delivery && (await rowOf(delivery))).toMatchObject({
          status: "pending",
          attemptCount: 1,
          dueAtMs: startMs + leaseMs,
        });
      });

      it("leases a delivery to one sender only, until the lease ends", async () => {
        await fillQueue(harness(), ["hook-1"]);
        await claim();
        const { clock } = harness();
        clock.advance(leaseMs - 1);
        expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: startMs + leaseMs });
        clock.advance(1);
        const { deliveries, nextDueAtMs } = await claim();
        expect(deliveries).toMatchObject([{ epoch: 2, attempt: 2, manual: false }]);
        expect(nextDueAtMs).toBeUndefined();
        expect((await claim()).deliveries).toEqual([]);
      });

      it("gives each delivery to one of several concurrent senders", async () => {
        await fillQueue(harness(), ["hook-1", "hook-2", "hook-3"], { events: 20 });
        const claims = await Promise.all(Array.from({ length: 16 }, () => claim(claimLimits(4))));
        const ids = claims.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));
        expect(ids).toHaveLength(60);
        expect(new Set(ids).size).toBe(60);
      });

      it("respects the limit of a webhook, over all senders, for as long as the leases last", async () => {
        await fillQueue(harness(), ["hook-1", "hook-2"], { events: 5 });
        const upTo = async (perWebhook: number) => (await claim(claimLimits(100, perWebhook))).deliveries;
        const first = await upTo(2);
        expect(webhooksOf(first).sort()).toEqual(["hook-1", "hook-1", "hook-2", "hook-2"]);
        expect(await upTo(2)).toEqual([]);
        expect(webhooksOf(await upTo(3)).sort()).toEqual(["hook-1", "hook-2"]);
        const [one] = first;
        if (one !== undefined) await settle(accepted(one));
        expect(webhooksOf(await upTo(3))).toEqual([one?.webhookId]);
        harness().clock.advance(leaseMs);
        expect(await upTo(2)).toHaveLength(4);
      });

      it("respects the limits of each environment, however many webhooks of the other have deliveries due", async () => {
        const many = Array.from({ length: 6 }, (_, index) => `hook-${index}`);
        await fillQueue(harness(), many, { events: 2 });
        harness().clock.advance(1);
        await fillQueue(harness(), ["hook-live"], { events: 5, name: "b", scope: live });
        const claimed = async (ofSandbox: number, ofLive: number, livePerWebhook = 100) => {
          const limits = {
            sandbox: { total: ofSandbox, perWebhook: 100 },
            live: { total: ofLive, perWebhook: livePerWebhook },
          };
          return (await claim(limits)).deliveries;
        };
        const ofEach = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ scope }) => scope.environment);
        // Deliveries of the sandbox have been due longer, and their webhooks have as few claimed.
        const first = await claimed(4, 2);
        expect(new Set(webhooksOf(first)).size).toBe(5);
        expect(ofEach(first).sort()).toEqual(["live", "live", "sandbox", "sandbox", "sandbox", "sandbox"]);
        expect(await claimed(0, 100, 2)).toEqual([]);
        expect(ofEach(await claimed(0, 2))).toEqual(["live", "live"]);
        expect(await claimed(0, 0)).toEqual([]);
        expect(ofEach(await claimed(100, 0))).toHaveLength(8);
        expect(ofEach(await claimed(100, 100))).toEqual(["live"]);
      });

      it("lets webhooks take turns: a backlog of one does not delay another", async () => {
        await fillQueue(harness(), ["hook-1"], { events: 30, name: "backlog" });
        harness().clock.advance(10);
        await fillQueue(harness(), ["hook-2", "hook-3"], { events: 2, name: "new" });
        expect(webhooksOf((await claim(claimLimits(3))).deliveries).sort()).toEqual(["hook-1", "hook-2", "hook-3"]);
        expect(
          webhooksOf((await claim(claimLimits(4))).deliveries)
            .slice(0, 3)
            .sort(),
        ).toEqual(["hook-1", "hook-2", "hook-3"]);
      });

      it("claims the deliveries of a webhook that have been due longest first", async () => {
        await fillQueue(harness(), ["hook-1"], { events: 3 });
        const [first, second, third] = (await claim()).deliveries;
        if (first === undefined || second === undefined || third === undefined) throw new Error("Three are due.");
        await settle(refused(first, startMs + 30), refused(second, startMs + 10), refused(third, startMs + 20));
        harness().clock.advance(30);
        const { deliveries } = await claim();
        expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual(
          [second, third, first].map(({ deliveryId }) => deliveryId),
        );
      });

      it("claims from both environments of its workspace, and from no other workspace", async () => {
        await fillQueue(harness(), ["hook-1"], { name: "a" });
        await fillQueue(harness(), ["hook-2"], { name: "b", scope: live });
        await fillQueue(harness(), ["hook-3"], { name: "c", scope: elsewhere });
        const { deliveries } = await claim();
        expect(deliveries.map(({ webhookId, scope }) => [webhookId, scope]).sort()).toEqual([
          ["hook-1", sandbox],
          ["hook-2", live],
        ]);
        expect(await claim(claimLimits(9), "initech")).toEqual({ deliveries: [], nextDueAtMs: undefined });
        expect(webhooksOf((await claim(claimLimits(9), elsewhere.workspace)).deliveries)).toEqual(["hook-3"]);
      });

      it("returns the earliest time at which another delivery becomes due", async () => {
        await fillQueue(harness(), ["hook-1", "hook-2"], { events: 2 });
        const { deliveries } = await claim();
        const dueAtMs = [70, 700, 7_000, 50];
        await settle(...deliveries.map((delivery, index) => refused(delivery, startMs + (dueAtMs[index] ?? 0))));
        expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: startMs + 50 });
        harness().clock.advance(70);
        const later = await claim(claimLimits(1));
        expect(later).toMatchObject({ deliveries: [{ attempt: 2 }], nextDueAtMs: startMs + 700 });
        expect((await claim(claimLimits(0, 1))).nextDueAtMs).toBe(startMs + 700);
      });
    });

    describe("deliveries.settle", () => {
      it("ends an accepted delivery", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const delivery = await claimOne();
        expect(await settle(accepted(delivery))).toEqual([{ status: "settled", failingSinceMs: undefined }]);
        expect(await rowOf(delivery)).toMatchObject({
          status: "delivered",
          attemptCount: 1,
          url: "https://receiver.test/hook",
          responseCode: 200,
          error: undefined,
          deliveredAtMs: startMs + 5,
          dueAtMs: undefined,
        });
        harness().clock.advance(100 * leaseMs);
        expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: undefined });
      });

      it("keeps a refused delivery waiting until it is due again", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const delivery = await claimOne();
        expect(await settle(refused(delivery, startMs + 50))).toEqual([
          { status: "settled", failingSinceMs: startMs + 5 },
        ]);
        expect(await rowOf(delivery)).toMatchObject({
          status: "pending",
          attemptCount: 1,
          responseCode: 503,
          error: "The receiver answered 503.",
          deliveredAtMs: undefined,
          dueAtMs: startMs + 50,
        });
        harness().clock.advance(49);
        expect((await claim()).deliveries).toEqual([]);
        harness().clock.advance(1);
        const again = await claimOne();
        expect(again).toMatchObject({ deliveryId: delivery.deliveryId, epoch: 2, attempt: 2 });
        await settle({ ...refused(again, 0), next: { status: "failed" } });
        expect(await rowOf(delivery)).toMatchObject({ status: "failed", attemptCount: 2, dueAtMs: undefined });
      });

      it("gives back the attempt of a delivery that was not sent", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const { scope, deliveryId, epoch, ...rest } = await claimOne();
        const unsent = { scope, deliveryId, epoch, error: "Stopped.", next: { status: "pending", dueAtMs: startMs } };
        expect(await settle(unsent as DeliverySettlement)).toEqual([{ status: "settled", failingSinceMs: undefined }]);
        const delivery = { scope, deliveryId, epoch, ...rest };
        expect(await rowOf(delivery)).toMatchObject({
          attemptCount: 0,
          url: undefined,
          responseCode: undefined,
          error: "Stopped.",
        });
        expect(await attemptsOf(delivery)).toEqual([]);
        expect(await claimOne()).toMatchObject({ epoch: 2, attempt: 1 });
      });

      it("gives back the place in the schedule of an attempt that the sender cut off, and keeps the attempt", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        expect(first.attempt).toBe(1);
        await settle({ ...refused(first, startMs), cutOff: true });
        expect(await rowOf(first)).toMatchObject({ status: "pending", attemptCount: 1, dueAtMs: startMs });
        expect(await attemptsOf(first)).toHaveLength(1);
        const second = await claimOne();
        expect(second).toMatchObject({ epoch: 2, attempt: 1 });
        await settle(refused(second, startMs));
        expect(await claimOne()).toMatchObject({ epoch: 3, attempt: 2 });
        expect(await rowOf(first)).toMatchObject({ attemptCount: 3 });
      });

      it("keeps the history of attempts", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await settle(refused(first, startMs));
        const second = await claimOne();
        await settle(accepted(second));
        expect(await attemptsOf(first)).toEqual([
          { ...refused(first, startMs).attempt, error: "The receiver answered 503." },
          { ...accepted(second).attempt, error: undefined },
        ]);
        expect(await attemptsOf({ ...first, scope: live })).toEqual([]);
        expect(await attemptsOf({ ...first, webhookId: "hook-2" })).toEqual([]);
        expect(await attemptsOf({ ...first, deliveryId: "unknown" })).toEqual([]);
      });

      it("fences a sender whose delivery was claimed by another: only the history records its attempt", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const late = await claimOne();
        harness().clock.advance(leaseMs);
        const owned = await claimOne();
        const before = await rowOf(owned);
        expect(await settle(accepted(late))).toEqual([{ status: "fenced" }]);
        expect(await rowOf(owned)).toEqual(before);
        expect(await settle(refused(owned, startMs + 9_000))).toEqual([
          { status: "settled", failingSinceMs: startMs + 5 },
        ]);
        expect((await attemptsOf(owned)).map(({ responseCode }) => responseCode)).toEqual([200, 503]);
        expect(await rowOf(owned)).toMatchObject({ status: "pending", attemptCount: 2 });
      });

      it("accepts a settlement after the lease while no other sender has claimed the delivery", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const delivery = await claimOne();
        harness().clock.advance(10 * leaseMs);
        expect(await settle(accepted(delivery))).toMatchObject([{ status: "settled" }]);
        expect((await claim()).deliveries).toEqual([]);
      });

      it("counts the same result once, and fences settlements of deliveries that were never claimed", async () => {
        await fillQueue(harness(), ["hook-1", "hook-2"]);
        const delivery = await claimOne();
        expect(await settle(accepted(delivery), accepted(delivery))).toMatchObject([
          { status: "settled" },
          { status: "fenced" },
        ]);
        expect(await attemptsOf(delivery)).toHaveLength(1);
        const unknown = [
          { ...delivery, deliveryId: "unknown" },
          { ...delivery, scope: live },
          { ...delivery, scope: elsewhere },
        ];
        expect(await settle(...unknown.map(accepted))).toEqual(unknown.map(() => ({ status: "fenced" })));
        const { storage } = harness();
        const [waiting] = (await storage.deliveries.list({ scope: sandbox, webhookId: "hook-2", limit: 1 })).items;
        const neverClaimed = { ...delivery, deliveryId: waiting?.deliveryId ?? "", epoch: 0 };
        expect(await settle({ ...accepted(neverClaimed) })).toEqual([{ status: "fenced" }]);
        expect((await claimOne()).attempt).toBe(1);
      });
    });
  });
}
