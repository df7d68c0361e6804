import { describe, expect, it } from "vitest";
import type { ClaimedDelivery, DeliverySettlement } from "../deliveries.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { accepted, claimLimits, elsewhere, live, record, refused, sandbox, workspace } from "./samples.ts";
import { fillQueue } from "./sending.ts";

export function describeFailingWebhooks(options: ConformanceOptions): void {
  describe("failing webhooks", () => {
    const harness = useHarness(options);

    const claim = async (): Promise<readonly ClaimedDelivery[]> => {
      const request = { workspace, limits: claimLimits(100), leaseMs: 1_000 };
      return (await harness().storage.deliveries.claim(request)).deliveries;
    };
    const claimThree = async (): Promise<readonly [ClaimedDelivery, ClaimedDelivery, ClaimedDelivery]> => {
      await fillQueue(harness(), ["hook-1"], { events: 3 });
      const [a, b, c] = await claim();
      if (a === undefined || b === undefined || c === undefined) throw new Error("Three are due.");
      return [a, b, c];
    };
    /** The result of settling: since when the webhook of each item fails, or its status. */
    const since = async (...items: readonly DeliverySettlement[]): Promise<readonly unknown[]> =>
      (await harness().storage.deliveries.settle(items)).map((result) =>
        result.status === "settled" ? result.failingSinceMs : result.status,
      );
    const at = (item: DeliverySettlement, atMs: number): DeliverySettlement =>
      item.attempt === undefined ? item : { ...item, attempt: { ...item.attempt, atMs } };

    describe("the time since which a webhook fails", () => {
      it("starts at the first failure and ends with an accepted delivery, per webhook", async () => {
        await fillQueue(harness(), ["hook-1", "hook-2"], { events: 4 });
        const deliveries = await claim();
        const of = (webhookId: string) => deliveries.filter((delivery) => delivery.webhookId === webhookId);
        const [a, b, c, d] = of("hook-1");
        const [other] = of("hook-2");
        if (!a || !b || !c || !d || !other) throw new Error("Four of each are due.");
        expect(await since(at(refused(a, startMs), 100), at(refused(b, startMs), 200))).toEqual([100, 100]);
        expect(await since(at(refused(other, startMs), 300))).toEqual([300]);
        expect(await since(at(accepted(c), 400), at(refused(d, startMs), 500))).toEqual([undefined, 500]);
      });

      it("is not started by a manual attempt, but ended by one", async () => {
        const [manual, failing, good] = await claimThree();
        expect(await since(refused({ ...manual, manual: true }, startMs))).toEqual([undefined]);
        expect(await since(at(refused(failing, startMs), 100))).toEqual([100]);
        await since(accepted({ ...good, manual: true }));
        const [again] = await claim();
        expect(again && (await since(at(refused(again, startMs), 200)))).toEqual([200]);
      });

      it("is neither started nor ended by an attempt that the sender cut off", async () => {
        const [cut, failing, cutLater] = await claimThree();
        expect(await since({ ...at(refused(cut, startMs), 100), cutOff: true })).toEqual([undefined]);
        expect(await since(at(refused(failing, startMs), 200))).toEqual([200]);
        expect(await since({ ...at(refused(cutLater, startMs), 300), cutOff: true })).toEqual([undefined]);
        const [again] = await claim();
        expect(again && (await since(at(refused(again, startMs), 400)))).toEqual([200]);
      });

      it("is found for each failing webhook that is asked for, in its own environment only", async () => {
        await fillQueue(harness(), ["hook-1", "hook-2", "hook-3"], { events: 1 });
        const { deliveries } = harness().storage;
        const [first, second, third] = await claim();
        if (!first || !second || !third) throw new Error("One of each is due.");
        const webhookIds = ["hook-1", "hook-2", "hook-3", "hook-4"];
        expect(await deliveries.failing({ scope: sandbox, webhookIds })).toEqual([]);
        await since(at(refused(first, startMs), 100), accepted(second), at(refused(third, startMs), 300));
        const marks = await deliveries.failing({ scope: sandbox, webhookIds });
        const expected = [
          { webhookId: first.webhookId, sinceMs: 100 },
          { webhookId: third.webhookId, sinceMs: 300 },
        ];
        expect(new Set(marks)).toEqual(new Set(expected));
        expect(await deliveries.failing({ scope: sandbox, webhookIds: [third.webhookId] })).toEqual(expected.slice(1));
        expect(await deliveries.failing({ scope: sandbox, webhookIds: [] })).toEqual([]);
        for (const scope of [live, elsewhere]) expect(await deliveries.failing({ scope, webhookIds })).toEqual([]);
      });

      it("is removed with its webhook, and not stored for a removed webhook", async () => {
        const [before, after, again] = await claimThree();
        const { records } = harness().storage;
        const hook = record("hook-1", { kind: "webhook" });
        expect(await since(at(refused(before, startMs), 100))).toEqual([100]);
        expect(await records.remove(hook)).toBe("removed");
        expect(await since(at(refused(after, startMs), 200))).toEqual([undefined]);
        await records.put({ record: hook, ifRevision: 0 });
        expect(await since(at(refused(again, startMs), 300))).toEqual([300]);
      });
    });
  });
}
