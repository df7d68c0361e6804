import { describe, expect, it } from "vitest";
import type { ClaimedDelivery, DeliveryRow, DeliverySettlement } from "../deliveries.ts";
import { webhookEventKey } from "../deliveries.ts";
import type { Scope } from "../scope.ts";
import type { Bench, ConformanceOptions } from "./bench.ts";
import { startMs, useBench } from "./bench.ts";
import { accepted, elsewhere, event, firstRow, live, record, refused, sandbox } from "./samples.ts";

const senderId = "sender-1";
const otherSender = "sender-2";
const leaseMs = 1_000;

/** Webhooks that hear of `run_completed`, and a run that tells them so as often as wanted. */
export async function fillOutbox(
  { storage }: Bench,
  webhookIds: readonly string[],
  { scope = sandbox, events = 1, name = "a" }: { scope?: Scope; events?: number; name?: string } = {},
): Promise<void> {
  const keys = [webhookEventKey(scope, "run_completed")];
  for (const id of webhookIds) {
    await storage.records.put({ record: record(id, { ...scope, kind: "webhook", keys }), ifRevision: 0 });
  }
  const told = Array.from({ length: events }, (_, index) => event(`event-${name}-${index}`));
  await storage.runs.commit(firstRow(`run-${name}`, { scope, events: told }));
}

export function describeSending(options: ConformanceOptions): void {
  describe("sending deliveries", () => {
    const bench = useBench(options);

    const claim = async (changes: Partial<Parameters<Bench["storage"]["deliveries"]["claim"]>[0]> = {}) =>
      bench().storage.deliveries.claim({ ...sandbox, senderId, limit: 100, perWebhook: 100, leaseMs, ...changes });
    const claimOne = async (): Promise<ClaimedDelivery> => {
      const [delivery] = (await claim({ limit: 1 })).deliveries;
      if (delivery === undefined) throw new Error("Nothing is due.");
      return delivery;
    };
    const settle = (...items: readonly DeliverySettlement[]) => bench().storage.deliveries.settle(items);
    const rowOf = async ({ scope, webhookId, deliveryId }: ClaimedDelivery): Promise<DeliveryRow | undefined> => {
      const page = await bench().storage.deliveries.list({ scope, webhookId, limit: 1000 });
      return page.items.find((row) => row.deliveryId === deliveryId);
    };
    const attemptsOf = ({ scope, webhookId, deliveryId }: ClaimedDelivery) =>
      bench().storage.deliveries.attempts({ scope, webhookId, deliveryId });
    const webhooksOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ webhookId }) => webhookId);

    describe("deliveries.claim", () => {
      it("hands over what is due, with all that is needed to send it, and counts the attempt", async () => {
        await fillOutbox(bench(), ["hook-1"]);
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

      it("hands one over to one sender only, until its lease has ended", async () => {
        await fillOutbox(bench(), ["hook-1"]);
        await claim();
        const { clock } = bench();
        clock.advance(leaseMs - 1);
        for (const sender of [senderId, otherSender]) {
          expect(await claim({ senderId: sender })).toEqual({ deliveries: [], nextDueAtMs: startMs + leaseMs });
        }
        clock.advance(1);
        const { deliveries, nextDueAtMs } = await claim({ senderId: otherSender });
        expect(deliveries).toMatchObject([{ epoch: 2, attempt: 2, manual: false }]);
        expect(nextDueAtMs).toBeUndefined();
        expect((await claim()).deliveries).toEqual([]);
      });

      it("hands over to racing senders each delivery once", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2", "hook-3"], { events: 20 });
        const claims = await Promise.all(
          Array.from({ length: 16 }, (_, index) => claim({ senderId: `sender-${index}`, limit: 4 })),
        );
        const ids = claims.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));
        expect(ids).toHaveLength(60);
        expect(new Set(ids).size).toBe(60);
      });

      it("keeps to its bound for a webhook, whoever asks, and not for longer than the leases", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2"], { events: 5 });
        const first = await claim({ perWebhook: 2 });
        expect(webhooksOf(first.deliveries).sort()).toEqual(["hook-1", "hook-1", "hook-2", "hook-2"]);
        expect((await claim({ perWebhook: 2, senderId: otherSender })).deliveries).toEqual([]);
        expect(webhooksOf((await claim({ perWebhook: 3, senderId: otherSender })).deliveries).sort()).toEqual([
          "hook-1",
          "hook-2",
        ]);
        const [one] = first.deliveries;
        if (one !== undefined) await settle(accepted(one));
        expect(webhooksOf((await claim({ perWebhook: 3 })).deliveries)).toEqual([one?.webhookId]);
        bench().clock.advance(leaseMs);
        expect((await claim({ perWebhook: 2 })).deliveries).toHaveLength(4);
      });

      it("keeps to a bound for each environment, however many webhooks of one have something due", async () => {
        const many = Array.from({ length: 6 }, (_, index) => `hook-${index}`);
        await fillOutbox(bench(), many, { events: 2 });
        bench().clock.advance(1);
        await fillOutbox(bench(), ["hook-live"], { events: 5, name: "b", scope: live });
        const claimed = async (limit: number, ofSandbox: number, ofLive: number) => {
          const [inSandbox, inLive] = [ofSandbox, ofLive].map((one) => ({ limit: one, perWebhook: 100 }));
          if (inSandbox === undefined || inLive === undefined) throw new Error("A bound is missing.");
          return (await claim({ limit, most: { sandbox: inSandbox, live: inLive } })).deliveries;
        };
        const ofEach = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ scope }) => scope.environment);
        // Those of sandbox have been due longer, and their webhooks have as few claimed.
        const first = await claimed(6, 4, 3);
        expect(new Set(webhooksOf(first)).size).toBe(5);
        expect(ofEach(first).sort()).toEqual(["live", "live", "sandbox", "sandbox", "sandbox", "sandbox"]);
        expect(ofEach(await claimed(100, 0, 2))).toEqual(["live", "live"]);
        expect(ofEach(await claimed(2, 100, 100))).toEqual(["sandbox", "sandbox"]);
        expect(ofEach(await claimed(100, 0, 0))).toEqual([]);
        expect(ofEach(await claimed(100, 100, 0))).toHaveLength(6);
        expect(ofEach(await claimed(100, 100, 100))).toEqual(["live"]);
      });

      it("keeps to another bound for the webhooks of each environment, and hands over none beyond a reached one", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2"], { events: 5 });
        await fillOutbox(bench(), ["hook-3", "hook-4"], { events: 5, name: "b", scope: live });
        const most = { sandbox: { limit: 2, perWebhook: 1 }, live: { limit: 7, perWebhook: 3 } };
        const wider = [
          { environment: "sandbox", webhookId: "hook-1", perWebhook: 4 },
          { environment: "live", webhookId: "hook-3", perWebhook: 4 },
        ] as const;
        const first = webhooksOf((await claim({ perWebhook: 9, most, wider })).deliveries);
        expect(first.sort()).toEqual([
          "hook-1",
          "hook-2",
          ...Array<string>(4).fill("hook-3"),
          ...Array<string>(3).fill("hook-4"),
        ]);
        const later = { sandbox: { limit: 1, perWebhook: 1 }, live: { limit: 0, perWebhook: 9 } };
        expect(webhooksOf((await claim({ perWebhook: 9, most: later, wider })).deliveries)).toEqual(
          Array(3).fill("hook-1"),
        );
      });

      it("keeps to another bound for the webhooks that have one", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2"], { events: 5 });
        await fillOutbox(bench(), ["hook-3"], { events: 5, name: "b", scope: live });
        const wider = [
          { environment: "sandbox", webhookId: "hook-1", perWebhook: 4 },
          // Of the other environment, where this one is not.
          { environment: "live", webhookId: "hook-2", perWebhook: 4 },
        ] as const;
        const first = await claim({ perWebhook: 2, wider });
        const claimed = ["hook-1", "hook-1", "hook-1", "hook-1", "hook-2", "hook-2", "hook-3", "hook-3"];
        expect(webhooksOf(first.deliveries).sort()).toEqual(claimed);
        expect((await claim({ perWebhook: 2, wider, senderId: otherSender })).deliveries).toEqual([]);
        // Who has the wider bound waits behind those that have fewer claimed.
        const wide = [{ environment: "live", webhookId: "hook-3", perWebhook: 5 }] as const;
        const later = await claim({ perWebhook: 3, wider: wide, limit: 2 });
        expect(webhooksOf(later.deliveries).sort()).toEqual(["hook-2", "hook-3"]);
        expect(webhooksOf((await claim({ perWebhook: 3, wider: wide })).deliveries)).toEqual(["hook-3", "hook-3"]);
      });

      it("counts what a wider bound allows against no limit, and hands it over only when the limit is not reached", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2"], { events: 6 });
        const wider = [{ environment: "sandbox", webhookId: "hook-1", perWebhook: 5 }] as const;
        const counted = ["hook-1", "hook-2"];
        expect(webhooksOf((await claim({ limit: 2, perWebhook: 2, wider })).deliveries).sort()).toEqual(counted);
        expect(webhooksOf((await claim({ limit: 2, perWebhook: 2, wider })).deliveries).sort()).toEqual(counted);
        expect((await claim({ limit: 0, perWebhook: 2, wider })).deliveries).toEqual([]);
        const beyond = (await claim({ limit: 1, perWebhook: 2, wider })).deliveries;
        expect(webhooksOf(beyond)).toEqual(["hook-1", "hook-1", "hook-1"]);
        expect((await claim({ limit: 9, perWebhook: 2, wider })).deliveries).toEqual([]);
      });

      it("serves webhooks in turn: no backlog of one keeps another waiting", async () => {
        await fillOutbox(bench(), ["hook-1"], { events: 30, name: "backlog" });
        bench().clock.advance(10);
        await fillOutbox(bench(), ["hook-2", "hook-3"], { events: 2, name: "new" });
        expect(webhooksOf((await claim({ limit: 3 })).deliveries).sort()).toEqual(["hook-1", "hook-2", "hook-3"]);
        expect(
          webhooksOf((await claim({ limit: 4 })).deliveries)
            .slice(0, 3)
            .sort(),
        ).toEqual(["hook-1", "hook-2", "hook-3"]);
      });

      it("hands over those of one webhook that have been due longest first", async () => {
        await fillOutbox(bench(), ["hook-1"], { events: 3 });
        const [first, second, third] = (await claim()).deliveries;
        if (first === undefined || second === undefined || third === undefined) throw new Error("Three are due.");
        await settle(refused(first, startMs + 30), refused(second, startMs + 10), refused(third, startMs + 20));
        bench().clock.advance(30);
        const { deliveries } = await claim();
        expect(deliveries.map(({ deliveryId }) => deliveryId)).toEqual(
          [second, third, first].map(({ deliveryId }) => deliveryId),
        );
      });

      it("serves both environments of its workspace, and no other workspace", async () => {
        await fillOutbox(bench(), ["hook-1"], { name: "a" });
        await fillOutbox(bench(), ["hook-2"], { name: "b", scope: live });
        await fillOutbox(bench(), ["hook-3"], { name: "c", scope: elsewhere });
        const { deliveries } = await claim();
        expect(deliveries.map(({ webhookId, scope }) => [webhookId, scope]).sort()).toEqual([
          ["hook-1", sandbox],
          ["hook-2", live],
        ]);
        expect(await claim({ workspace: "initech" })).toEqual({ deliveries: [], nextDueAtMs: undefined });
        expect(webhooksOf((await claim({ ...elsewhere })).deliveries)).toEqual(["hook-3"]);
      });

      it("tells the earliest time at which another becomes due", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2"], { events: 2 });
        const { deliveries } = await claim();
        const dueAtMs = [70, 700, 7_000, 50];
        await settle(...deliveries.map((delivery, index) => refused(delivery, startMs + (dueAtMs[index] ?? 0))));
        expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: startMs + 50 });
        bench().clock.advance(70);
        const later = await claim({ limit: 1 });
        expect(later).toMatchObject({ deliveries: [{ attempt: 2 }], nextDueAtMs: startMs + 700 });
        expect((await claim({ limit: 0 })).nextDueAtMs).toBe(startMs + 700);
      });
    });

    describe("deliveries.settle", () => {
      it("ends a delivery that was accepted", async () => {
        await fillOutbox(bench(), ["hook-1"]);
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
        bench().clock.advance(100 * leaseMs);
        expect(await claim()).toEqual({ deliveries: [], nextDueAtMs: undefined });
      });

      it("has one that was refused wait until it is due again", async () => {
        await fillOutbox(bench(), ["hook-1"]);
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
        bench().clock.advance(49);
        expect((await claim()).deliveries).toEqual([]);
        bench().clock.advance(1);
        const again = await claimOne();
        expect(again).toMatchObject({ deliveryId: delivery.deliveryId, epoch: 2, attempt: 2 });
        await settle({ ...refused(again, 0), then: { status: "failed" } });
        expect(await rowOf(delivery)).toMatchObject({ status: "failed", attemptCount: 2, dueAtMs: undefined });
      });

      it("gives back the attempt of one that was not sent", async () => {
        await fillOutbox(bench(), ["hook-1"]);
        const { scope, deliveryId, epoch, ...rest } = await claimOne();
        const unsent = { scope, deliveryId, epoch, error: "Stopped.", then: { status: "pending", dueAtMs: startMs } };
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

      it("keeps the place in the schedule of an attempt that the sender cut off, and remembers the attempt", async () => {
        await fillOutbox(bench(), ["hook-1"]);
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
        await fillOutbox(bench(), ["hook-1"]);
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

      it("fences off a sender whose delivery another one has: only the history tells of it", async () => {
        await fillOutbox(bench(), ["hook-1"]);
        const late = await claimOne();
        bench().clock.advance(leaseMs);
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

      it("takes what comes after the lease while nobody else has the delivery", async () => {
        await fillOutbox(bench(), ["hook-1"]);
        const delivery = await claimOne();
        bench().clock.advance(10 * leaseMs);
        expect(await settle(accepted(delivery))).toMatchObject([{ status: "settled" }]);
        expect((await claim()).deliveries).toEqual([]);
      });

      it("counts the same answer once, and knows nothing of what was never claimed", async () => {
        await fillOutbox(bench(), ["hook-1", "hook-2"]);
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
        const { storage } = bench();
        const [waiting] = (await storage.deliveries.list({ scope: sandbox, webhookId: "hook-2", limit: 1 })).items;
        const neverClaimed = { ...delivery, deliveryId: waiting?.deliveryId ?? "", epoch: 0 };
        expect(await settle({ ...accepted(neverClaimed) })).toEqual([{ status: "fenced" }]);
        expect((await claimOne()).attempt).toBe(1);
      });
    });
  });
}
