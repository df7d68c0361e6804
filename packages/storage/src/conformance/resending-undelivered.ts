import { describe, expect, it } from "vitest";
import type { ClaimedDelivery, DeliverySettlement, DeliveryStore } from "../deliveries.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { accepted, audit, claimLimits, elsewhere, live, refused, sandbox, workspace } from "./samples.ts";
import { fillQueue } from "./sending.ts";

const repeatMs = 5_000;
const off = "The webhook was inactive.";

type Changes = Partial<Parameters<DeliveryStore["resendUndelivered"]>[0]>;

/** The end of a delivery whose webhook was inactive when it was due. */
function skipped({ scope, deliveryId, epoch }: ClaimedDelivery): DeliverySettlement {
  return { scope, deliveryId, epoch, error: off, next: { status: "skipped" } };
}

function failed(delivery: ClaimedDelivery): DeliverySettlement {
  return { ...refused(delivery, 0), next: { status: "failed" } };
}

export function describeResendingUndelivered(options: ConformanceOptions): void {
  describe("undelivered deliveries", () => {
    const harness = useHarness(options);

    const claim = async (): Promise<readonly ClaimedDelivery[]> => {
      const request = { workspace, limits: claimLimits(99), leaseMs: 1_000 };
      return (await harness().storage.deliveries.claim(request)).deliveries;
    };
    const list = async () =>
      (await harness().storage.deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 99 })).items.toReversed();
    const statuses = async () => (await list()).map(({ status }) => status);
    const resend = (changes: Changes = {}) =>
      harness().storage.deliveries.resendUndelivered({
        scope: sandbox,
        webhookId: "hook-1",
        statuses: ["failed", "skipped"],
        sinceMs: 0,
        limit: 99,
        repeatMs,
        ...changes,
      });
    const all = (deliveries: number) => ({ status: "resent", deliveries, nextCursor: undefined });

    /** Deliveries, one for each end, in this order. */
    const end = async (...ways: readonly ((delivery: ClaimedDelivery) => DeliverySettlement)[]): Promise<void> => {
      await fillQueue(harness(), ["hook-1"], { events: ways.length });
      const claimed = await claim();
      await harness().storage.deliveries.settle(claimed.map((delivery, index) => (ways[index] ?? accepted)(delivery)));
      harness().clock.advance(repeatMs);
    };

    it("a skipped delivery has ended without an attempt, with the reason, and is never sent", async () => {
      await end(skipped);
      expect(await list()).toMatchObject([
        { status: "skipped", attemptCount: 0, error: off, url: undefined, responseCode: undefined, dueAtMs: undefined },
      ]);
      harness().clock.advance(100_000);
      expect(await claim()).toEqual([]);
    });

    it("a delivery that is skipped after attempts keeps them, and does not count against its webhook", async () => {
      await fillQueue(harness(), ["hook-1"]);
      const { deliveries } = harness().storage;
      await deliveries.settle((await claim()).map((delivery) => refused(delivery, startMs)));
      const [again] = await claim();
      if (again === undefined) throw new Error("It is due again.");
      expect(await deliveries.settle([skipped(again)])).toEqual([{ status: "settled", failingSinceMs: undefined }]);
      expect(await list()).toMatchObject([{ status: "skipped", attemptCount: 1, responseCode: 503, error: off }]);
      expect(await deliveries.attempts(again)).toHaveLength(1);
    });

    describe("deliveries.resendUndelivered", () => {
      it("resends failed and skipped deliveries, oldest first, with the whole schedule ahead", async () => {
        await end(failed, accepted, skipped, failed);
        const [first, , third, fourth] = await list();
        expect(await resend()).toEqual(all(3));
        expect(await statuses()).toEqual(["pending", "delivered", "pending", "pending"]);
        const again = await claim();
        expect(again.map(({ deliveryId }) => deliveryId)).toEqual([first, third, fourth].map((one) => one?.deliveryId));
        expect(again).toMatchObject(Array(3).fill({ epoch: 2, attempt: 1, manual: false }));
      });

      it("resends only the requested statuses", async () => {
        await end(failed, skipped, accepted);
        expect(await resend({ statuses: ["skipped"] })).toEqual(all(1));
        expect(await statuses()).toEqual(["failed", "pending", "delivered"]);
        expect(await resend({ statuses: [] })).toEqual(all(0));
        expect(await resend({ statuses: ["failed"] })).toEqual(all(1));
      });

      it("resends only deliveries of events since a time, of this webhook and scope", async () => {
        await end(skipped, skipped);
        expect(await resend({ sinceMs: startMs + 1 })).toEqual(all(0));
        for (const changes of [{ webhookId: "hook-2" }, { scope: live }, { scope: elsewhere }]) {
          expect(await resend(changes)).toEqual(all(0));
        }
        expect(await claim()).toEqual([]);
        expect(await resend({ sinceMs: startMs })).toEqual(all(2));
      });

      it("examines at most the limit per call, and continues from the cursor", async () => {
        await end(skipped, accepted, accepted, failed, skipped);
        const counts: number[] = [];
        let cursor: string | undefined;
        do {
          const answer = await resend({ limit: 2, ...(cursor !== undefined && { cursor }) });
          if (answer.status !== "resent") throw new Error("There is no audit entry.");
          counts.push(answer.deliveries);
          cursor = answer.nextCursor;
        } while (cursor !== undefined);
        expect(counts).toEqual([1, 1, 1]);
        expect(await statuses()).toEqual(["pending", "delivered", "delivered", "pending", "pending"]);
      });

      it("refuses a cursor of another time or another list", async () => {
        await end(skipped, skipped);
        const first = await resend({ limit: 1 });
        const { nextCursor: cursor = "" } = first.status === "resent" ? first : {};
        expect(await codeOf(resend({ cursor, sinceMs: 1 }))).toBe("invalid_cursor");
        expect(await codeOf(resend({ cursor, webhookId: "hook-2" }))).toBe("invalid_cursor");
        expect(await resend({ cursor })).toEqual(all(1));
      });

      it("resends each delivery once when it is called 20 times concurrently", async () => {
        await end(failed, skipped, skipped);
        const answers = await Promise.all(Array.from({ length: 20 }, () => resend()));
        const counts = answers.map((answer) => (answer.status === "resent" ? answer.deliveries : 0));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
        expect(await claim()).toHaveLength(3);
      });

      it("does not change pending deliveries, or those that failed again just after a resend", async () => {
        await end(failed);
        expect(await resend()).toEqual(all(1));
        expect(await resend()).toEqual(all(0));
        await harness().storage.deliveries.settle((await claim()).map(failed));
        harness().clock.advance(repeatMs - 1);
        expect(await resend()).toEqual(all(0));
        harness().clock.advance(1);
        expect(await resend()).toEqual(all(1));
      });

      it("is stored with its audit entry or not at all, and without an entry when nothing changes", async () => {
        await end(skipped);
        const { audit: chain } = harness().storage;
        expect(await resend({ audit: audit(2) })).toEqual({ status: "audit_behind" });
        expect(await statuses()).toEqual(["skipped"]);
        expect(await resend({ audit: audit(1) })).toEqual(all(1));
        expect(await resend({ audit: audit(2) })).toEqual(all(0));
        expect(await chain.head(sandbox)).toEqual(audit(1));
      });
    });
  });
}
