import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { elsewhere, live, sandbox, workspace } from "./samples.ts";
import { advance, asked, claim, firingsOf, put, stateOf, trigger } from "./trigger-samples.ts";
import { scheduledDedupeKey } from "../firing-id.ts";

const schedule = (dueAtMs: number | undefined) => ({ accountedAtMs: startMs, dueAtMs });

export function describeAdvancingSchedules(options: ConformanceOptions): void {
  describe("triggers.due", () => {
    const harness = useHarness(options);

    it("returns due schedules of both environments, the earliest first, and the time of the next one", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs + 20) }));
      await put(storage, trigger("trg-2", { schedule: schedule(startMs + 10) }, { scope: live }));
      await put(storage, trigger("trg-3", { schedule: schedule(startMs + 30) }));
      await put(storage, trigger("trg-4", { schedule: schedule(undefined) }));
      await put(storage, trigger("trg-5"));
      await put(storage, trigger("trg-6", { schedule: schedule(startMs + 5) }, { scope: elsewhere }));
      const due = (limit = 9, beforeMs?: number) =>
        storage.triggers.due({ workspace, limit, ...(beforeMs === undefined ? {} : { beforeMs }) });
      expect(await due()).toEqual({ nowMs: startMs, schedules: [], nextDueAtMs: startMs + 10 });
      clock.advance(20);
      const second = {
        scope: live,
        triggerId: "trg-2",
        revision: 1,
        accountedAtMs: startMs,
        dueAtMs: startMs + 10,
      };
      const first = { ...second, scope: sandbox, triggerId: "trg-1", dueAtMs: startMs + 20 };
      expect(await due()).toEqual({ nowMs: startMs + 20, schedules: [second, first], nextDueAtMs: startMs + 30 });
      expect(await due(1)).toMatchObject({ schedules: [second], nextDueAtMs: startMs + 30 });
      expect(await due(9, startMs + 30)).toMatchObject({ schedules: [second, first, {}], nextDueAtMs: undefined });
      expect(await due(9, startMs + 9)).toMatchObject({ schedules: [], nextDueAtMs: startMs + 10 });
    });
  });

  describe("triggers.advance", () => {
    const harness = useHarness(options);

    it("stores the firings of times and the next due time, and leaves the record as it is", async () => {
      const { storage, changes } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      const before = changes.length;
      const next = { accountedAtMs: startMs, dueAtMs: startMs + 60 };
      const firings = [
        { scheduledAtMs: startMs - 10, skipped: { reason: "missed", count: 7 } } as const,
        { scheduledAtMs: startMs },
      ];
      const item = advance("trg-1", { dueAtMs: startMs, firings, next });
      expect(await storage.triggers.advance([item])).toEqual(["advanced"]);
      expect(changes.slice(before)).toEqual([{ type: "fireable" }]);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([
        { status: "skipped", reason: "missed", count: 7, scheduledAtMs: startMs - 10, event: undefined },
        { status: "pending", reason: undefined, count: 1, scheduledAtMs: startMs, receivedAtMs: startMs },
      ]);
      expect(await storage.records.get(trigger("trg-1"))).toMatchObject({ revision: 1 });
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: next });
      expect((await claim(storage)).firings).toMatchObject([
        { triggerId: "trg-1", scheduledAtMs: startMs, event: undefined, requestedBy: undefined },
      ]);
    });

    it("is stale, and changes nothing, unless revision and due time are those that were read", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      await put(storage, trigger("trg-2", { schedule: schedule(undefined) }));
      await put(storage, trigger("trg-3"));
      const firings = [{ scheduledAtMs: startMs }];
      const items = [
        advance("trg-1", { dueAtMs: startMs, revision: 2, firings }),
        advance("trg-1", { dueAtMs: startMs + 1, firings }),
        advance("trg-1", { dueAtMs: undefined, firings }),
        advance("trg-1", { dueAtMs: startMs, scope: live, firings }),
        advance("trg-2", { dueAtMs: startMs, firings }),
        advance("trg-3", { dueAtMs: undefined, firings }),
        advance("trg-9", { dueAtMs: startMs, firings }),
      ];
      expect(await storage.triggers.advance(items)).toEqual(items.map(() => "stale"));
      for (const id of ["trg-1", "trg-2", "trg-3"]) expect(await firingsOf(storage, id)).toEqual([]);
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: schedule(startMs) });
      expect(await stateOf(storage, "trg-3")).toMatchObject({ schedule: undefined });
      expect(await storage.triggers.advance([advance("trg-2", { firings })])).toEqual(["advanced"]);
    });

    it("advances a schedule for one of three nodes at once", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      const next = { accountedAtMs: startMs, dueAtMs: startMs + 60 };
      const item = advance("trg-1", { dueAtMs: startMs, firings: [{ scheduledAtMs: startMs }], next });
      const answers = await Promise.all([1, 2, 3].map(() => storage.triggers.advance([item])));
      expect(answers.flat().sort()).toEqual(["advanced", "stale", "stale"]);
      expect(await firingsOf(storage, "trg-1")).toHaveLength(1);
    });

    it("advances other schedules of a call beside a stale one", async () => {
      const { storage } = harness();
      for (const id of ["trg-1", "trg-2"]) await put(storage, trigger(id, { schedule: schedule(startMs) }));
      const items = ["trg-1", "trg-1", "trg-2"].map((id) =>
        advance(id, { dueAtMs: startMs, firings: [{ scheduledAtMs: startMs }] }),
      );
      expect(await storage.triggers.advance(items)).toEqual(["advanced", "stale", "advanced"]);
    });

    it("leaves out a time that was accounted for: after a set-back clock, or by a backfill", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      const dedupeKey = scheduledDedupeKey({ scheduledAtMs: startMs + 1 });
      const backfilled = { dedupeKey, scheduledAtMs: startMs + 1 };
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [backfilled] });
      const times = (...atMs: readonly number[]) => atMs.map((scheduledAtMs) => ({ scheduledAtMs }));
      const next = { accountedAtMs: startMs, dueAtMs: startMs };
      const item = advance("trg-1", { dueAtMs: startMs, firings: times(startMs, startMs + 1), next });
      expect(await storage.triggers.advance([item])).toEqual(["advanced"]);
      expect(await storage.triggers.advance([item])).toEqual(["advanced"]);
      const firings = await firingsOf(storage, "trg-1");
      expect(firings.map(({ scheduledAtMs }) => scheduledAtMs)).toEqual([startMs + 1, startMs]);
    });

    it("announces nothing when no firing became pending", async () => {
      const { storage, changes } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      const before = changes.length;
      const firings = [{ scheduledAtMs: startMs, skipped: { reason: "paused", count: 1 } }] as const;
      await storage.triggers.advance([advance("trg-1", { dueAtMs: startMs, firings })]);
      expect(changes.slice(before)).toEqual([]);
    });
  });

  describe("the schedule in a trigger's record", () => {
    const harness = useHarness(options);

    it("stays as it is stored with `kept`, and is replaced or removed otherwise", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule: "kept" }));
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: undefined });
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      const next = { accountedAtMs: startMs + 5, dueAtMs: startMs + 60 };
      await storage.triggers.advance([advance("trg-1", { revision: 2, dueAtMs: startMs, next })]);
      await put(storage, trigger("trg-1", { schedule: "kept", overlap: "skip" }));
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: next });
      await put(storage, trigger("trg-1", { schedule: schedule(undefined) }));
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: schedule(undefined) });
      await put(storage, trigger("trg-1"));
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: undefined });
    });

    it("makes an advance stale that was read before the record was written", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      await put(storage, trigger("trg-1", { schedule: "kept" }));
      const item = advance("trg-1", { dueAtMs: startMs, firings: [{ scheduledAtMs: startMs }] });
      expect(await storage.triggers.advance([item])).toEqual(["stale"]);
      expect(await storage.triggers.advance([{ ...item, revision: 2 }])).toEqual(["advanced"]);
    });

    it("is kept when the record is not written", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule: schedule(startMs) }));
      const late = trigger("trg-1", { schedule: schedule(startMs + 9), isHeld: true });
      expect(await storage.records.put({ record: late, ifRevision: 0 })).toEqual({ status: "conflict" });
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: schedule(startMs) });
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a")] });
      expect((await claim(storage)).firings).toHaveLength(1);
    });
  });
}
