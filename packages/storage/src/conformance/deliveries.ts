import { describe, expect, it } from "vitest";
import { webhookEventKey } from "../deliveries.ts";
import type { DeliveryQuery, DeliveryRow } from "../deliveries.ts";
import type { Scope } from "../scope.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { accepted, audit, claimLimits, event, firstRow, live, record, row, sandbox, workspace } from "./samples.ts";

export function describeDeliveries(options: ConformanceOptions): void {
  describe("deliveries", () => {
    const harness = useHarness(options);

    async function subscribe(id: string, events: readonly string[], scope: Scope = sandbox): Promise<void> {
      const { workspace, environment } = scope;
      const keys = events.map((name) => webhookEventKey(scope, name));
      const hook = record(id, { workspace, environment, kind: "webhook", keys });
      const chain = (await harness().storage.audit.head({ workspace }))?.seq ?? 0;
      await harness().storage.records.put({ record: hook, ifRevision: 0, audit: audit(chain + 1) });
    }

    const of = async (webhookId: string, scope: Scope = sandbox): Promise<readonly DeliveryRow[]> =>
      (await harness().storage.deliveries.list({ scope, webhookId, limit: 100 })).items;

    it("are stored with the commit, one for each webhook that subscribes to the event in this scope", async () => {
      await subscribe("hook-1", ["run_completed", "run_failed"]);
      await subscribe("hook-2", ["run_completed"]);
      await subscribe("hook-3", ["run_failed"]);
      await subscribe("hook-4", ["run_completed"], live);
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1", { events: [event("event-1", { createdAtMs: startMs + 5 })] }));
      const [delivery] = await of("hook-1");
      expect(delivery).toEqual({
        deliveryId: delivery?.deliveryId,
        webhookId: "hook-1",
        eventId: "event-1",
        runId: "run-1",
        event: "run_completed",
        createdAtMs: startMs + 5,
        data: event("event-1").data,
        status: "pending",
        attemptCount: 0,
        url: undefined,
        responseCode: undefined,
        error: undefined,
        deliveredAtMs: undefined,
        dueAtMs: startMs,
      });
      const one = { scope: sandbox, webhookId: "hook-1", deliveryId: delivery?.deliveryId ?? "" };
      const { deliveries } = harness().storage;
      expect(await deliveries.get(one)).toEqual(delivery);
      for (const other of [{ scope: live }, { webhookId: "hook-2" }, { deliveryId: "unknown" }]) {
        expect(await deliveries.get({ ...one, ...other })).toBeUndefined();
      }
      expect(await of("hook-2")).toHaveLength(1);
      expect((await of("hook-2"))[0]?.deliveryId).not.toBe(delivery?.deliveryId);
      expect(await of("hook-3")).toEqual([]);
      expect(await of("hook-4")).toEqual([]);
      expect(await of("hook-4", live)).toEqual([]);
      expect(await of("hook-1", live)).toEqual([]);
    });

    it("are not stored for an event without subscribers", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1", { events: [event("event-1")] }));
      await subscribe("hook-1", ["run_completed"]);
      expect(await of("hook-1")).toEqual([]);
      await runs.commit(row("run-1", 2, { events: [event("event-1")] }));
      expect(await of("hook-1")).toHaveLength(1);
    });

    it("use a webhook's keys at the time of the commit", async () => {
      const { runs, records } = harness().storage;
      await subscribe("hook-1", ["run_completed"]);
      const changed = record("hook-1", { kind: "webhook", keys: [webhookEventKey(sandbox, "run_failed")] });
      await records.put({ record: changed, ifRevision: 1, audit: audit(2) });
      await runs.commit(firstRow("run-1", { events: [event("event-1"), event("event-2", { event: "run_failed" })] }));
      expect((await of("hook-1")).map(({ eventId }) => eventId)).toEqual(["event-2"]);
      await records.remove({ workspace: "acme", kind: "webhook", id: "hook-1", audit: audit(3) });
      await runs.commit(row("run-1", 2, { events: [event("event-3", { event: "run_failed" })] }));
      expect((await of("hook-1")).map(({ eventId }) => eventId)).toEqual(["event-2"]);
    });

    it("are not created for records of another kind", async () => {
      const { runs, records } = harness().storage;
      const other = record("other", { kind: "connection", keys: [webhookEventKey(sandbox, "run_completed")] });
      await records.put({ record: other, ifRevision: 0, audit: audit(1) });
      await runs.commit(firstRow("run-1", { events: [event("event-1")] }));
      expect(await of("other")).toEqual([]);
    });

    it("are listed newest first, page by page", async () => {
      await subscribe("hook-1", ["run_completed"]);
      const { runs, deliveries } = harness().storage;
      const events = Array.from({ length: 7 }, (_, index) =>
        event(`event-${index}`, { createdAtMs: startMs + Math.floor(index / 2) }),
      );
      await runs.commit(firstRow("run-1", { events }));
      const query = { scope: sandbox, webhookId: "hook-1" };
      for (const limit of [1, 3, 7]) {
        const rows = await readAll(limit, (page) => deliveries.list({ ...query, ...page }));
        expect(rows.map(({ eventId }) => eventId)).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `event-${index}`));
      }
      const cursor = (await deliveries.list({ ...query, limit: 1 })).nextCursor ?? "";
      expect(await codeOf(deliveries.list({ ...query, webhookId: "hook-2", limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(deliveries.list({ ...query, scope: live, limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(deliveries.list({ ...query, status: "pending", limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(deliveries.list({ ...query, event: "a", limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(deliveries.list({ ...query, runId: "run-1", limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(deliveries.list({ ...query, fromMs: 0, limit: 1, cursor }))).toBe("invalid_cursor");
    });

    const filters: readonly (readonly [
      query: Omit<DeliveryQuery, "scope" | "webhookId">,
      expected: readonly number[],
    ])[] = [
      [{ status: "pending" }, [6, 5, 4, 3]],
      [{ status: "delivered" }, [2, 1, 0]],
      [{ status: "failed" }, []],
      [{ event: "run_failed" }, [5, 3, 1]],
      [{ event: "unknown" }, []],
      [{ status: "pending", event: "run_failed" }, [5, 3]],
      [{ runId: "run-4" }, [4]],
      [{ runId: "run-4", status: "delivered" }, []],
      [{ runId: "unknown" }, []],
      [{ fromMs: startMs + 1 }, [6, 5, 4, 3, 2]],
      [{ toMs: startMs + 1 }, [1, 0]],
      [{ fromMs: startMs + 1, toMs: startMs + 3, status: "pending" }, [5, 4, 3]],
      [{ fromMs: startMs + 3, toMs: startMs + 1 }, []],
    ];
    it.each(filters)("are filtered by %j, in pages of any size", async (filter, expected) => {
      await subscribe("hook-1", ["run_completed", "run_failed"]);
      await subscribe("hook-2", ["run_completed", "run_failed"]);
      const { runs, deliveries } = harness().storage;
      for (let index = 0; index < 7; index++) {
        const name = index % 2 === 0 ? "run_completed" : "run_failed";
        const events = [event(`event-${index}`, { event: name, createdAtMs: startMs + Math.floor(index / 2) })];
        await runs.commit(firstRow(`run-${index}`, { events }));
        harness().clock.advance(1);
      }
      const claim = { workspace, limits: claimLimits(6, 3), leaseMs: 1_000 };
      const claimed = (await deliveries.claim(claim)).deliveries.filter(({ webhookId }) => webhookId === "hook-1");
      await deliveries.settle(claimed.map(accepted));
      const query = { scope: sandbox, webhookId: "hook-1", ...filter };
      for (const limit of [1, 2, 100]) {
        const rows = await readAll(limit, (page) => deliveries.list({ ...query, ...page }));
        expect(rows.map(({ eventId }) => Number(eventId.slice("event-".length)))).toEqual(expected);
        expect(rows.filter(({ data }) => !data.includes("event-"))).toEqual([]);
      }
    });
  });
}
