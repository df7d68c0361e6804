import { describe, expect, it } from "vitest";
import { triggerEventKey } from "../incoming-events.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { commitAll, committed, elsewhere, event, fenced, firstRow, live, row, sandbox } from "./samples.ts";
import {
  claim,
  claimEvents,
  emitted,
  firingsOf,
  incoming,
  outcomes,
  put,
  source,
  stateOf,
  take,
  takeEach,
  trigger,
} from "./trigger-samples.ts";

const known = { status: "known" } as const;
const untaken = { status: "untaken" } as const;
const taken = { status: "taken", firings: 1 } as const;

export function describeTakingEvents(options: ConformanceOptions): void {
  describe("triggers.take", () => {
    const harness = useHarness(options);

    it("stores an event with one pending firing for each trigger that holds one of its keys", async () => {
      const { storage, changes } = harness();
      const any = triggerEventKey(sandbox, source, undefined);
      const paid = triggerEventKey(sandbox, source, "payment");
      await put(storage, trigger("trg-1", {}, { keys: [any, paid] }));
      await put(storage, trigger("trg-2", {}, { keys: [paid] }));
      await put(storage, trigger("trg-3", {}, { keys: [triggerEventKey(sandbox, source, "refund")] }));
      await put(storage, trigger("trg-4", {}, { keys: [triggerEventKey(live, source, "payment")], scope: live }));
      const before = changes.length;
      const one = incoming("evt-1", { keys: [any, paid], occurredAtMs: startMs - 5, headers: '{"a":"b"}' });
      expect(await take(storage, [one])).toEqual([{ status: "taken", firings: 2 }]);
      expect(changes.slice(before)).toEqual([{ type: "fireable" }]);
      const [firing, ...others] = await firingsOf(storage, "trg-1");
      expect(others).toEqual([]);
      expect(firing).toEqual({
        scope: sandbox,
        triggerId: "trg-1",
        firingId: expect.stringMatching(/^fir_/) as unknown,
        status: "pending",
        requestedBy: undefined,
        reason: undefined,
        error: undefined,
        count: 1,
        scheduledAtMs: undefined,
        occurredAtMs: startMs - 5,
        receivedAtMs: startMs,
        startedAtMs: undefined,
        event: { id: "evt-1", type: "payment", digest: "digest-evt-1" },
        duplicates: 0,
        refireOf: undefined,
        run: undefined,
      });
      const address = { scope: sandbox, triggerId: "trg-1", firingId: firing?.firingId ?? "" };
      expect((await storage.triggers.get(address))?.content).toEqual({ body: '{"id":"evt-1"}', headers: '{"a":"b"}' });
      expect(await firingsOf(storage, "trg-2")).toHaveLength(1);
      expect(await firingsOf(storage, "trg-3")).toEqual([]);
      expect(await firingsOf(storage, "trg-4", live)).toEqual([]);
    });

    it("gives no event to a trigger of another environment or workspace, also when it holds the key", async () => {
      const { storage } = harness();
      for (const [index, scope] of [live, elsewhere].entries()) {
        await put(storage, trigger(`trg-${index}`, {}, { scope, keys: [triggerEventKey(sandbox, source, "payment")] }));
      }
      expect(await take(storage, [incoming("evt-1")])).toEqual([untaken]);
      const fires = {
        keys: [triggerEventKey(sandbox, source, "payment")],
        body: "{}",
        digest: "digest",
        chainDepth: 0,
      };
      await storage.runs.commit(firstRow("run-1", { events: [event("event-1", { event: "custom.paid", fires })] }));
      for (const of of [sandbox.workspace, elsewhere.workspace]) {
        expect(await claim(storage, { of })).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
      }
    });

    it("stores nothing of an event that no trigger takes, and takes it once a trigger does", async () => {
      const { storage, changes } = harness();
      expect(await take(storage, [incoming("evt-1")])).toEqual([untaken]);
      expect(changes).toEqual([]);
      await put(storage, trigger("trg-1"));
      expect(await take(storage, [incoming("evt-1"), incoming("evt-2", { keys: [] })])).toEqual([taken, untaken]);
    });

    it("counts an event that is known, also within one batch, and stores nothing else of it", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      const one = incoming("evt-1");
      expect(await take(storage, [one, incoming("evt-2"), one])).toEqual([taken, taken, known]);
      expect(await take(storage, [incoming("evt-3", { dedupeKey: "evt-1" })])).toEqual([known]);
      await put(storage, trigger("trg-2"));
      expect(await take(storage, [one])).toEqual([known]);
      expect((await firingsOf(storage, "trg-1")).map(({ duplicates }) => duplicates)).toEqual([3, 0]);
      expect(await firingsOf(storage, "trg-2")).toEqual([]);
    });

    it("takes one of fifty equal events at once, and counts forty-nine duplicates", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      const answers = await Promise.all(Array.from({ length: 50 }, () => take(storage, [incoming("evt-1")])));
      const statuses = answers.flatMap((answer) => (answer === "backlog" ? [] : answer.map(({ status }) => status)));
      expect(statuses.filter((status) => status === "taken")).toHaveLength(1);
      expect(statuses.filter((status) => status === "known")).toHaveLength(49);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([{ duplicates: 49 }]);
    });

    it("takes each event of concurrent batches that share events once", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      const ids = ["evt-1", "evt-2", "evt-3", "evt-4", "evt-5"];
      const batches = ids.flatMap((_id, by) => [ids, ids.toReversed(), [...ids.slice(by), ...ids.slice(0, by)]]);
      const answers = await Promise.all(
        batches.map((batch) =>
          take(
            storage,
            batch.map((id) => incoming(id)),
          ),
        ),
      );
      const statuses = answers.flatMap((answer) => (answer === "backlog" ? [] : answer.map(({ status }) => status)));
      expect(statuses.filter((status) => status === "taken")).toHaveLength(5);
      expect(statuses.filter((status) => status === "known")).toHaveLength(70);
      expect((await outcomes(storage, "trg-1")).toSorted()).toEqual(ids.map((id) => `${id}: pending`));
    });

    it("knows an event until its time has passed, and then fires again", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      const one = incoming("evt-1", { dedupeForMs: 100 });
      await take(storage, [one]);
      clock.advance(99);
      expect(await take(storage, [one])).toEqual([known]);
      clock.advance(1);
      expect(await take(storage, [one, one])).toEqual([taken, known]);
      clock.advance(100);
      expect(await take(storage, [one])).toEqual([taken]);
      const firings = await firingsOf(storage, "trg-1");
      expect(firings.map(({ duplicates }) => duplicates)).toEqual([1, 1, 0]);
      expect(new Set(firings.map(({ firingId }) => firingId)).size).toBe(3);
    });

    it("keeps events of different sources, environments and workspaces apart", async () => {
      const { storage } = harness();
      for (const scope of [sandbox, live]) await put(storage, trigger(`trg-${scope.environment}`, {}, { scope }));
      await put(storage, trigger("trg-globex", {}, { scope: elsewhere }));
      expect(await take(storage, [incoming("evt-1")])).toEqual([taken]);
      expect(await take(storage, [incoming("evt-1")], { source: "con-2" })).toEqual([taken]);
      for (const scope of [live, elsewhere]) {
        expect(await take(storage, [incoming("evt-1", { scope })], { scope })).toEqual([taken]);
      }
      expect(await claimEvents(storage)).toHaveLength(3);
      expect(await claimEvents(storage, { of: elsewhere.workspace })).toEqual(["evt-1"]);
    });

    it("makes the firings of an event that is too old skipped", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      expect(await take(storage, [incoming("evt-1", { skip: "too_old" })])).toEqual([taken]);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: too_old"]);
      expect((await claim(storage)).firings).toEqual([]);
      expect(await take(storage, [incoming("evt-1")])).toEqual([known]);
    });

    it("refuses a whole batch when a trigger has its backlog, and stores nothing of it", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await put(storage, trigger("trg-2", {}, { keys: [triggerEventKey(sandbox, source, "refund")] }));
      const refund = (id: string) => incoming(id, { keys: [triggerEventKey(sandbox, source, "refund")] });
      const many = ["evt-1", "evt-2", "evt-3"].map((id) => incoming(id));
      expect(await take(storage, many, { maxBacklog: 1 })).toEqual([taken, taken, taken]);
      const batch = [incoming("evt-1"), refund("evt-4"), incoming("evt-5")];
      expect(await take(storage, batch, { maxBacklog: 3 })).toBe("backlog");
      expect(await firingsOf(storage, "trg-2")).toEqual([]);
      expect((await firingsOf(storage, "trg-1")).map(({ duplicates }) => duplicates)).toEqual([0, 0, 0]);
      expect(await take(storage, [refund("evt-4")], { maxBacklog: 3 })).toEqual([taken]);
      expect(await take(storage, [incoming("evt-5")], { maxBacklog: 4 })).toEqual([taken]);
    });

    it("answers events that add nothing to a full trigger: those that are known, and those that are too old", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      const batch = [incoming("evt-1"), incoming("evt-2", { skip: "too_old" })];
      expect(await take(storage, batch, { maxBacklog: 1 })).toEqual([known, taken]);
    });

    it("counts waiting firings as backlog, and no ended ones", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", { isHeld: true }));
      await takeEach(storage, ["evt-1"]);
      await claim(storage);
      expect(await take(storage, [incoming("evt-2")], { maxBacklog: 1 })).toBe("backlog");
      await put(storage, trigger("trg-1"));
      const { firings } = await claim(storage);
      const next = { status: "skipped", reason: "filtered" } as const;
      await storage.triggers.settle(firings.map((firing) => ({ ...firing, next })));
      expect(await take(storage, [incoming("evt-2")], { maxBacklog: 1 })).toEqual([taken]);
    });

    it("refuses texts that cannot be stored, and stores nothing of their batch", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      for (const bad of [{ body: "a\0b" }, { id: "\ud83d" }, { dedupeKey: "\0" }, { headers: '"\udc00"' }]) {
        expect(await codeOf(take(storage, [incoming("evt-1"), incoming("evt-2", bad)]))).toBe("invalid_input");
      }
      expect(await firingsOf(storage, "trg-1")).toEqual([]);
    });
  });

  describe("events of runs that triggers take", () => {
    const harness = useHarness(options);

    it("get their firings with the row that causes them", async () => {
      const { storage, changes } = harness();
      await put(storage, trigger("trg-1"));
      await put(storage, trigger("trg-2"));
      const before = changes.length;
      expect(await storage.runs.commit(firstRow("run-1", { events: [emitted("evt-1"), event("evt-2")] }))).toEqual(
        committed,
      );
      expect(changes.slice(before)).toEqual([{ type: "fireable" }]);
      for (const triggerId of ["trg-1", "trg-2"]) {
        expect(await firingsOf(storage, triggerId)).toMatchObject([
          {
            status: "pending",
            occurredAtMs: startMs,
            event: { id: "evt-1", type: "custom.paid", digest: "digest-evt-1" },
            duplicates: 0,
          },
        ]);
      }
      const { firings } = await claim(storage);
      expect(firings.map((firing) => firing.event)).toMatchObject([
        { chainDepth: 2, content: { body: '{"emitted":"evt-1"}', headers: undefined } },
        { chainDepth: 2 },
      ]);
    });

    it("fire once for a row that is repeated, and not at all for one that is fenced or refused", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      const first = firstRow("run-1", { events: [emitted("evt-1")] });
      expect(await commitAll(storage.runs, [first])).toEqual([committed]);
      expect(await storage.runs.commit(first)).toEqual(committed);
      expect(await storage.runs.commit(row("run-1", 3, { events: [emitted("evt-2")] }))).toEqual(fenced);
      const twice = firstRow("run-2", { events: [emitted("evt-3"), emitted("evt-3")] });
      expect(await storage.runs.commit(twice)).toMatchObject({ status: "refused" });
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: pending"]);
      expect(await storage.runs.get({ scope: sandbox, runId: "run-2" })).toBeUndefined();
    });

    it("are refused by no backlog, and are untaken without a trigger", async () => {
      const { storage } = harness();
      expect(await storage.runs.commit(firstRow("run-1", { events: [emitted("evt-1")] }))).toEqual(committed);
      await put(storage, trigger("trg-1", { isHeld: true }));
      for (const number of [2, 3, 4]) {
        await storage.runs.commit(firstRow(`run-${number}`, { events: [emitted(`evt-${number}`)] }));
      }
      expect(await stateOf(storage, "trg-1")).toMatchObject({ waiting: 3 });
    });
  });
}
