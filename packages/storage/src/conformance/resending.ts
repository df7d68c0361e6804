import { describe, expect, it } from "vitest";
import type { ClaimedDelivery, DeliveryStore, ResendResult } from "../deliveries.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { accepted, audit, claimLimits, elsewhere, event, live, refused, sandbox, workspace } from "./samples.ts";
import { fillQueue } from "./sending.ts";

const repeatMs = 5_000;

export function describeResending(options: ConformanceOptions): void {
  describe("requested deliveries", () => {
    const harness = useHarness(options);

    const claim = async (): Promise<readonly ClaimedDelivery[]> =>
      (await harness().storage.deliveries.claim({ workspace, limits: claimLimits(9), leaseMs: 1_000 })).deliveries;
    const claimOne = async (): Promise<ClaimedDelivery> => {
      const [delivery] = await claim();
      if (delivery === undefined) throw new Error("Nothing is due.");
      return delivery;
    };
    const resend = (
      { scope, webhookId, deliveryId }: ClaimedDelivery,
      changes: Partial<Parameters<DeliveryStore["resend"]>[0]> = {},
    ): Promise<ResendResult> =>
      harness().storage.deliveries.resend({ scope, webhookId, deliveryId, repeatMs, ...changes });

    describe("deliveries.resend", () => {
      it.each([
        ["was accepted", accepted],
        ["has failed", (one: ClaimedDelivery) => ({ ...refused(one, 0), next: { status: "failed" } }) as const],
      ] as const)("has one that %s attempted once more under its id", async (_what, end) => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await harness().storage.deliveries.settle([end(first)]);
        harness().clock.advance(10);
        const { deliveryId } = first;
        expect(await resend(first)).toMatchObject({
          status: "resent",
          delivery: { deliveryId, status: "pending", attemptCount: 1, dueAtMs: startMs + 10 },
        });
        const again = await claimOne();
        expect(again).toEqual({ ...first, epoch: 2, attempt: 1, manual: true });
        await harness().storage.deliveries.settle([accepted(again)]);
        harness().clock.advance(repeatMs);
        await resend(first);
        expect(await claimOne()).toMatchObject({ epoch: 3, attempt: 1, manual: true });
      });

      it("keeps the time of acceptance, for any result of the resend", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await harness().storage.deliveries.settle([accepted(first)]);
        await resend(first);
        await harness().storage.deliveries.settle([{ ...refused(await claimOne(), 0), next: { status: "failed" } }]);
        expect(
          (await harness().storage.deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 1 })).items,
        ).toMatchObject([{ status: "failed", responseCode: 503, deliveredAtMs: startMs + 5 }]);
      });

      it("makes a waiting delivery due, within its schedule", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await harness().storage.deliveries.settle([refused(first, startMs + 60_000)]);
        expect(await claim()).toEqual([]);
        expect(await resend(first)).toMatchObject({ status: "resent", delivery: { dueAtMs: startMs } });
        expect(await claim()).toEqual([{ ...first, epoch: 2, attempt: 2, manual: false }]);
      });

      it("gives a waiting delivery a single attempt in place of its schedule when the request is manual", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await harness().storage.deliveries.settle([refused(first, startMs + 60_000)]);
        expect(await resend(first, { manual: true })).toMatchObject({
          status: "resent",
          delivery: { dueAtMs: startMs },
        });
        expect(await claim()).toEqual([{ ...first, epoch: 2, attempt: 2, manual: true }]);
      });

      it("does not change a delivery that is being sent", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        expect(await resend(first, { manual: true })).toMatchObject({
          status: "resent",
          delivery: { dueAtMs: startMs + 1_000 },
        });
        expect(await claim()).toEqual([]);
        expect(await harness().storage.deliveries.settle([accepted(first)])).toMatchObject([{ status: "settled" }]);
        expect(await claim()).toEqual([]);
      });

      it("is one resend for many concurrent requests, before and after the attempt", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await harness().storage.deliveries.settle([accepted(first)]);
        const results = await Promise.all(Array.from({ length: 50 }, () => resend(first)));
        expect(results.filter(({ status }) => status === "resent")).toHaveLength(1);
        expect(results.filter(({ status }) => status === "repeated")).toHaveLength(49);
        const [again, ...others] = await claim();
        expect(others).toEqual([]);
        if (again !== undefined) await harness().storage.deliveries.settle([accepted(again)]);
        harness().clock.advance(repeatMs - 1);
        expect(await resend(first)).toMatchObject({ status: "repeated", delivery: { status: "delivered" } });
        expect(await claim()).toEqual([]);
        harness().clock.advance(1);
        expect(await resend(first)).toMatchObject({ status: "resent" });
      });

      it("finds only deliveries of this webhook and scope", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        await harness().storage.deliveries.settle([accepted(first)]);
        for (const changes of [
          { scope: live },
          { scope: elsewhere },
          { webhookId: "hook-2" },
          { deliveryId: "unknown" },
        ]) {
          expect(await resend(first, changes)).toEqual({ status: "not_found" });
        }
        expect(await claim()).toEqual([]);
      });

      it("is stored with its audit entry, or not at all", async () => {
        await fillQueue(harness(), ["hook-1"]);
        const first = await claimOne();
        const { deliveries, audit: chain } = harness().storage;
        await deliveries.settle([accepted(first)]);
        expect(await resend(first, { audit: audit(2) })).toEqual({ status: "audit_behind" });
        expect(await claim()).toEqual([]);
        expect(await resend(first, { audit: audit(1) })).toMatchObject({ status: "resent" });
        expect(await resend(first, { audit: audit(2) })).toMatchObject({ status: "repeated" });
        expect(await chain.head(sandbox)).toEqual(audit(1));
      });
    });

    describe("deliveries.post", () => {
      const posted = { scope: sandbox, webhookId: "hook-1", event: event("event-1") };

      it("stores a delivery without a run, due at once, for one attempt", async () => {
        const { deliveries } = harness().storage;
        const result = await deliveries.post(posted);
        expect(result).toMatchObject({
          status: "posted",
          delivery: { webhookId: "hook-1", runId: undefined, status: "pending", attemptCount: 0, dueAtMs: startMs },
        });
        expect((await deliveries.list({ scope: posted.scope, webhookId: posted.webhookId, limit: 9 })).items).toEqual(
          result.status === "posted" ? [result.delivery] : [],
        );
        expect(await claim()).toMatchObject([
          { webhookId: "hook-1", attempt: 1, manual: true, data: posted.event.data },
        ]);
      });

      it("is stored with its audit entry, or not at all", async () => {
        const { deliveries, audit: chain } = harness().storage;
        expect(await deliveries.post({ ...posted, audit: audit(2) })).toEqual({ status: "audit_behind" });
        expect(await claim()).toEqual([]);
        expect(await deliveries.post({ ...posted, audit: audit(1) })).toMatchObject({ status: "posted" });
        expect(await chain.head(sandbox)).toEqual(audit(1));
      });

      it("refuses an event that already exists", async () => {
        const { deliveries } = harness().storage;
        await deliveries.post(posted);
        expect(await codeOf(deliveries.post(posted))).not.toBeUndefined();
        expect(
          (await deliveries.list({ scope: posted.scope, webhookId: posted.webhookId, limit: 9 })).items,
        ).toHaveLength(1);
      });
    });
  });
}
