import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { audit, elsewhere, fenced, live, record, sandbox, workspace } from "./samples.ts";
import {
  advance,
  asked,
  claim,
  claimEvents,
  claimOne,
  firingsOf,
  leaseMs,
  outcomes,
  put,
  skipped,
  starting,
  stateOf,
  take,
  takeEach,
  incoming,
  trigger,
} from "./trigger-samples.ts";

const schedule = { accountedAtMs: startMs, dueAtMs: startMs };
const address = { workspace, kind: "trigger", id: "trg-1" } as const;

export function describeTriggerRecords(options: ConformanceOptions): void {
  describe("records of triggers", () => {
    const harness = useHarness(options);

    it("are read without their gates", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule }));
      expect(await storage.records.get(address)).not.toHaveProperty("trigger");
      const { items } = await storage.records.list({ workspace, kind: "trigger", limit: 9 });
      expect(items).toHaveLength(1);
      expect(items[0]).not.toHaveProperty("trigger");
    });

    it("have a gate and an environment, and no other record has", async () => {
      const { storage } = harness();
      const { trigger: gate, ...without } = trigger("trg-1");
      const misfits = [
        without,
        trigger("trg-1", {}, { environment: undefined }),
        { ...record("con-1"), ...(gate && { trigger: gate }) },
      ];
      for (const written of misfits) {
        expect(await codeOf(storage.records.put({ record: written, ifRevision: 0 }))).toBe("internal");
      }
      expect(await stateOf(storage, "trg-1")).toBeUndefined();
    });

    it("announce that firings may pass", async () => {
      const { storage, changes } = harness();
      await put(storage, trigger("trg-1", { schedule }));
      expect(changes.map(({ type }) => type)).toEqual(["record_changed", "fireable"]);
    });

    it("end their firings when they are removed, and keep those that ended before", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1", { overlap: "queue" }));
      await put(storage, trigger("trg-2", { isHeld: true }));
      await takeEach(storage, ["evt-1", "evt-2", "evt-3"]);
      await storage.runs.commit(starting(await claimOne(storage), "run-1"));
      await claim(storage);
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a")] });
      const claimed = await claimOne(storage);
      expect(await storage.records.remove({ ...address, audit: audit(1) })).toBe("removed");
      expect(await outcomes(storage, "trg-1")).toEqual([
        "evt-1: started",
        "evt-2: deleted",
        "evt-3: deleted",
        "none: deleted",
      ]);
      expect(await outcomes(storage, "trg-2")).toEqual(["evt-1: waiting", "evt-2: waiting", "evt-3: waiting"]);
      expect(await storage.runs.commit(starting(claimed, "run-2"))).toEqual(fenced);
      expect(await storage.triggers.settle([skipped(claimed)])).toEqual(["fenced"]);
      expect(await stateOf(storage, "trg-1")).toBeUndefined();
      clock.advance(leaseMs);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
      expect(await take(storage, [incoming("evt-4")])).toEqual([{ status: "taken", firings: 1 }]);
    });

    it("end nothing when the removal is refused", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule }));
      await takeEach(storage, ["evt-1"]);
      expect(await storage.records.remove({ ...address, ifRevision: 7 })).toBe("conflict");
      expect(await storage.records.remove({ ...address, audit: audit(3) })).toBe("audit_behind");
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: pending"]);
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule });
    });

    it("have no schedule after they were removed, and a new one when they are created again", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule }));
      await storage.records.remove(address);
      expect((await storage.triggers.due({ workspace, limit: 9 })).schedules).toEqual([]);
      expect(await storage.triggers.advance([advance("trg-1", { dueAtMs: startMs })])).toEqual(["stale"]);
      await put(storage, trigger("trg-1", { schedule: "kept" }));
      expect(await stateOf(storage, "trg-1")).toMatchObject({ schedule: undefined });
    });

    it("of other environments and workspaces with the same id keep their firings", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await put(storage, trigger("trg-1", {}, { scope: elsewhere }));
      await takeEach(storage, ["evt-1"]);
      await takeEach(storage, ["evt-1"], elsewhere);
      await storage.records.remove(address);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: deleted"]);
      expect(await outcomes(storage, "trg-1", elsewhere)).toEqual(["evt-1: pending"]);
    });

    it("that move to the other environment are removed from their previous one", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { schedule }));
      await takeEach(storage, ["evt-1"]);
      await put(storage, trigger("trg-1", { schedule: "kept" }, { scope: live }));
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: deleted"]);
      expect(await stateOf(storage, "trg-1")).toBeUndefined();
      expect(await stateOf(storage, "trg-1", live)).toMatchObject({ schedule: undefined });
    });
  });

  describe("triggers.add", () => {
    const harness = useHarness(options);

    const add = (...firings: readonly ReturnType<typeof asked>[]) =>
      harness().storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings });

    it("adds firings with their person, time and event", async () => {
      const { storage, changes } = harness();
      await put(storage, trigger("trg-1"));
      const before = changes.length;
      const own = { id: "mine", type: "manual", digest: "d", body: "{}", headers: undefined };
      const added = await add(asked("a", { event: own }), { dedupeKey: "b", scheduledAtMs: startMs - 9 });
      expect(added.map(({ status }) => status)).toEqual(["added", "added"]);
      expect(changes.slice(before)).toEqual([{ type: "fireable" }]);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([
        { firingId: added[0]?.firingId, requestedBy: "ada", event: { id: "mine", type: "manual", digest: "d" } },
        { firingId: added[1]?.firingId, requestedBy: undefined, scheduledAtMs: startMs - 9, event: undefined },
      ]);
      expect((await claim(storage)).firings).toMatchObject([
        { requestedBy: "ada", event: { content: { body: "{}", headers: undefined }, chainDepth: 0 } },
        { scheduledAtMs: startMs - 9 },
      ]);
    });

    it("stores a dedupe key once, also after its firing has ended, and for concurrent calls", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      const answers = (await Promise.all(Array.from({ length: 5 }, () => add(asked("a"), asked("a"))))).flat();
      expect(answers.filter(({ status }) => status === "added")).toHaveLength(1);
      expect(new Set(answers.map(({ firingId }) => firingId)).size).toBe(1);
      await storage.triggers.settle([skipped(await claimOne(storage))]);
      expect(await add(asked("a"))).toMatchObject([{ status: "known" }]);
      expect(await firingsOf(storage, "trg-1")).toHaveLength(1);
    });

    it("fires an earlier firing again: a new one with its event and times", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await take(storage, [incoming("evt-1", { occurredAtMs: startMs - 7 })]);
      const first = await claimOne(storage);
      await storage.triggers.settle([skipped(first)]);
      const [again] = await add(asked("again", { refireOf: first.firingId }));
      expect(again?.status).toBe("added");
      expect(await firingsOf(storage, "trg-1")).toMatchObject([
        { status: "skipped", refireOf: undefined },
        { status: "pending", refireOf: first.firingId, occurredAtMs: startMs - 7, event: { id: "evt-1" } },
      ]);
      expect(await claimOne(storage)).toMatchObject({
        firingId: again?.firingId,
        refireOf: first.firingId,
        event: { id: "evt-1", content: { body: '{"id":"evt-1"}' } },
      });
      await take(storage, [incoming("evt-1")]);
      expect((await firingsOf(storage, "trg-1")).map(({ duplicates }) => duplicates)).toEqual([1, 1]);
    });

    it("finds no firing of another trigger or scope, and no trigger that does not exist", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await put(storage, trigger("trg-2"));
      await put(storage, trigger("trg-1", {}, { scope: elsewhere }));
      await takeEach(storage, ["evt-1"]);
      const [other] = await firingsOf(storage, "trg-2");
      const refireOf = other?.firingId ?? "";
      expect(await add(asked("a", { refireOf }), asked("b"))).toMatchObject([
        { status: "not_found" },
        { status: "added" },
      ]);
      const [own] = await firingsOf(storage, "trg-1");
      const foreign = [asked("c", { refireOf: own?.firingId ?? "" })];
      expect(await storage.triggers.add({ scope: elsewhere, triggerId: "trg-1", firings: foreign })).toMatchObject([
        { status: "not_found" },
      ]);
      for (const scope of [live, { workspace: "initech", environment: "live" } as const]) {
        expect(await storage.triggers.add({ scope, triggerId: "trg-1", firings: [asked("d")] })).toMatchObject([
          { status: "not_found" },
        ]);
      }
      expect(await claimEvents(storage, { of: elsewhere.workspace })).toEqual([]);
    });

    it("refuses texts that cannot be stored", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      expect(await codeOf(add(asked("a"), asked("b\0")))).toBe("invalid_input");
      expect(await firingsOf(storage, "trg-1")).toEqual([]);
    });
  });
}
