import { describe, expect, it } from "vitest";
import type { ClaimedDelivery } from "../deliveries.ts";
import type { Scope } from "../scope.ts";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { accepted, audit, claimLimits, live, refused, sandbox, workspace } from "./samples.ts";
import { fillQueue } from "./sending.ts";

const limit = 9;
const error = "It was pending in a backup that was restored.";

export function describeEndingDeliveries(options: ConformanceOptions): void {
  describe("deliveries.endPending", () => {
    const harness = useHarness(options);

    const claim = async (): Promise<readonly ClaimedDelivery[]> => {
      const request = { workspace, limits: claimLimits(9, 1), leaseMs: 1_000 };
      return (await harness().storage.deliveries.claim(request)).deliveries;
    };
    const list = async (scope: Scope = sandbox) =>
      (await harness().storage.deliveries.list({ scope, webhookId: "hook-1", limit: 9 })).items;

    it("ends waiting and claimed deliveries as failed, and none is sent later", async () => {
      const { storage, clock } = harness();
      await fillQueue(harness(), ["hook-1"], { events: 2 });
      const [claimed] = await claim();
      if (claimed === undefined) throw new Error("Nothing is due.");
      expect(await storage.deliveries.endPending({ scope: sandbox, error, limit, audit: audit(1) })).toEqual({
        status: "ended",
        deliveries: 2,
      });
      clock.advance(10_000);
      expect(await claim()).toEqual([]);
      expect(await list()).toMatchObject([
        { status: "failed", error, dueAtMs: undefined },
        { status: "failed", error, dueAtMs: undefined },
      ]);
      expect(await storage.deliveries.settle([accepted(claimed)])).toEqual([{ status: "fenced" }]);
      expect((await list()).map(({ status }) => status)).toEqual(["failed", "failed"]);
      expect(await storage.audit.head({ workspace })).toEqual(audit(1));
    });

    it("does not change deliveries that have ended, or those of another scope", async () => {
      const { storage, clock } = harness();
      await fillQueue(harness(), ["hook-1"], { events: 3 });
      const [first] = await claim();
      if (first !== undefined) await storage.deliveries.settle([accepted(first)]);
      const [second] = await claim();
      if (second !== undefined) await storage.deliveries.settle([refused(second, clock.now() + 60_000)]);
      const before = await list();
      expect(await storage.deliveries.endPending({ scope: live, error, limit })).toEqual({
        status: "ended",
        deliveries: 0,
      });
      expect(await list()).toEqual(before);
      expect(await storage.deliveries.endPending({ scope: sandbox, error, limit })).toEqual({
        status: "ended",
        deliveries: 2,
      });
      expect((await list()).map(({ status }) => status).sort()).toEqual(["delivered", "failed", "failed"]);
      expect(await storage.deliveries.endPending({ scope: sandbox, error, limit })).toEqual({
        status: "ended",
        deliveries: 0,
      });
    });

    it("ends at most the limit per call, until there are no more", async () => {
      const { storage } = harness();
      await fillQueue(harness(), ["hook-1"], { events: 5 });
      await claim();
      const request = { scope: sandbox, error, limit: 2 };
      const counts = [2, 2, 1, 0].map((deliveries) => ({ status: "ended", deliveries }));
      for (const expected of counts) expect(await storage.deliveries.endPending(request)).toEqual(expected);
      expect((await list()).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "failed"));
    });

    it("allows an ended delivery to be resent", async () => {
      const { storage } = harness();
      await fillQueue(harness(), ["hook-1"]);
      await storage.deliveries.endPending({ scope: sandbox, error, limit });
      const [{ deliveryId = "" } = {}] = await list();
      await storage.deliveries.resend({ scope: sandbox, webhookId: "hook-1", deliveryId, repeatMs: 0 });
      expect(await claim()).toMatchObject([{ deliveryId, manual: true, attempt: 1 }]);
    });

    it("changes nothing when its audit entry does not follow the chain, or cannot be stored", async () => {
      const { storage } = harness();
      await fillQueue(harness(), ["hook-1"]);
      const request = { scope: sandbox, error, limit, audit: audit(2) };
      expect(await storage.deliveries.endPending(request)).toEqual({ status: "audit_behind" });
      expect(await codeOf(storage.deliveries.endPending({ scope: sandbox, error: "\0", limit }))).toBe("invalid_input");
      expect(await claim()).toHaveLength(1);
    });
  });
}
