import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { elsewhere, live, sandbox } from "./samples.ts";
import {
  claim,
  claimEvents,
  claimOne,
  failed,
  firingsOf,
  incoming,
  leaseMs,
  outcomes,
  put,
  returned,
  skipped,
  starting,
  take,
  takeEach,
  trigger,
} from "./trigger-samples.ts";

export function describeClaimingFirings(options: ConformanceOptions): void {
  describe("triggers.claim", () => {
    const harness = useHarness(options);

    it("claims due firings with all that is needed to start their runs", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await take(storage, [incoming("evt-1", { occurredAtMs: startMs - 5, headers: "{}" })]);
      const { firings, ...rest } = await claim(storage);
      expect(rest).toEqual({ skipped: [], nextDueAtMs: undefined });
      expect(firings).toEqual([
        {
          scope: sandbox,
          triggerId: "trg-1",
          firingId: firings[0]?.firingId,
          epoch: 1,
          requestedBy: undefined,
          scheduledAtMs: undefined,
          occurredAtMs: startMs - 5,
          receivedAtMs: startMs,
          refireOf: undefined,
          event: {
            id: "evt-1",
            type: "payment",
            digest: "digest-evt-1",
            chainDepth: 0,
            content: { body: '{"id":"evt-1"}', headers: "{}" },
          },
        },
      ]);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([{ status: "pending" }]);
    });

    it("leases a firing to one worker only, until the lease ends", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      await claim(storage);
      clock.advance(leaseMs - 1);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: startMs + leaseMs });
      clock.advance(1);
      expect(await claim(storage)).toMatchObject({ firings: [{ epoch: 2 }], nextDueAtMs: undefined });
      expect((await claim(storage)).firings).toEqual([]);
    });

    it("gives each firing to one of several concurrent workers", async () => {
      const { storage } = harness();
      for (const id of ["trg-1", "trg-2", "trg-3"]) await put(storage, trigger(id));
      await take(
        storage,
        Array.from({ length: 20 }, (_, index) => incoming(`evt-${index}`)),
      );
      const ids: string[] = [];
      // Storage may claim fewer while another transaction holds a gate.
      for (let round = 0; ids.length < 60 && round < 60; round++) {
        const claims = await Promise.all(Array.from({ length: 16 }, () => claim(storage, { limit: 4 })));
        ids.push(...claims.flatMap(({ firings }) => firings.map(({ firingId }) => firingId)));
      }
      expect(ids).toHaveLength(60);
      expect(new Set(ids).size).toBe(60);
    });

    it("gives one of concurrent workers the only firing that may pass", async () => {
      const { storage } = harness();
      for (const [index, overlap] of (["skip", "queue", "queue_one"] as const).entries()) {
        await put(storage, trigger(`trg-${index}`, { overlap }));
      }
      await put(storage, trigger("trg-3", { overlap: "allow", maxOpenRuns: 1 }));
      await takeEach(storage, ["evt-1", "evt-2", "evt-3"]);
      const claims = await Promise.all(Array.from({ length: 16 }, () => claim(storage)));
      const claimed = claims.flatMap(({ firings }) => firings.map(({ triggerId }) => triggerId));
      expect(claimed.toSorted()).toEqual(["trg-0", "trg-1", "trg-2", "trg-3"]);
    });

    it("claims the firings of a trigger in the order of their creation, up to the limit", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-b", "evt-a", "evt-c"]);
      expect(await claimEvents(storage, { limit: 2 })).toEqual(["evt-b", "evt-a"]);
      expect(await claimEvents(storage, { limit: 2 })).toEqual(["evt-c"]);
      expect(await claimEvents(storage, { limit: 0 })).toEqual([]);
    });

    it("lets triggers take turns: a backlog of one does not delay another", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await take(
        storage,
        Array.from({ length: 30 }, (_, index) => incoming(`evt-${index}`)),
      );
      clock.advance(10);
      await put(storage, trigger("trg-1", {}, { keys: [] }));
      for (const id of ["trg-2", "trg-3"]) await put(storage, trigger(id));
      await takeEach(storage, ["new-1", "new-2"]);
      const triggersOf = async (limit: number) =>
        (await claim(storage, { limit })).firings.map(({ triggerId }) => triggerId);
      expect((await triggersOf(3)).toSorted()).toEqual(["trg-1", "trg-2", "trg-3"]);
      expect((await triggersOf(4)).slice(0, 3).toSorted()).toEqual(["trg-1", "trg-2", "trg-3"]);
    });

    it("claims as many of one environment as if nothing were due in the other", async () => {
      const { storage } = harness();
      for (const scope of [sandbox, live]) await put(storage, trigger(`trg-${scope.environment}`, {}, { scope }));
      await takeEach(storage, ["evt-1", "evt-2", "evt-3", "evt-4"]);
      await takeEach(storage, ["evt-5", "evt-6"], live);
      const { firings } = await claim(storage, { limit: 2 });
      expect(firings.map(({ scope }) => scope.environment).toSorted()).toEqual(["live", "live", "sandbox", "sandbox"]);
    });

    it("claims firings of one environment while there is no room for those of the other", async () => {
      const { storage } = harness();
      for (const scope of [sandbox, live]) await put(storage, trigger(`trg-${scope.environment}`, {}, { scope }));
      for (const scope of [sandbox, live]) await takeEach(storage, ["evt-1", "evt-2"], scope);
      const { firings } = await claim(storage, { limits: { sandbox: 0, live: 5 } });
      expect(firings.map(({ scope }) => scope.environment)).toEqual(["live", "live"]);
      expect((await claim(storage)).firings.map(({ scope }) => scope.environment)).toEqual(["sandbox", "sandbox"]);
    });

    it("claims nothing of another workspace, and returns no time of one", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1", {}, { scope: elsewhere }));
      await takeEach(storage, ["evt-1"], elsewhere);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
      expect((await claim(storage, { of: elsewhere.workspace })).firings).toMatchObject([{ scope: elsewhere }]);
      expect((await claim(storage)).nextDueAtMs).toBeUndefined();
    });

    it("returns the earliest time at which another firing becomes due", async () => {
      const { storage, clock } = harness();
      for (const id of ["trg-1", "trg-2"]) await put(storage, trigger(id));
      await takeEach(storage, ["evt-1", "evt-2"]);
      const { firings } = await claim(storage);
      const afterMs = [70, 700, 7_000, 50];
      await storage.triggers.settle(firings.map((firing, index) => returned(firing, afterMs[index] ?? 0)));
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: startMs + 50 });
      clock.advance(70);
      const later = await claim(storage, { limit: 1 });
      expect(later).toMatchObject({ firings: [{ epoch: 2 }], nextDueAtMs: startMs + 700 });
    });

    it.each(["allow", "queue", "queue_one", "skip"] as const)(
      "returns the end of a dead worker's lease, at which its firing is claimed and not before, with `%s`",
      async (overlap) => {
        const { storage, clock } = harness();
        for (const id of ["trg-1", "trg-2"]) await put(storage, trigger(id, { overlap }));
        await takeEach(storage, ["evt-1"]);
        await claim(storage, { limit: 1 });
        clock.advance(30);
        await claim(storage, { limit: 1, forMs: 5_000 });
        await takeEach(storage, ["evt-2"]);
        // The firings of the second event are claimed beside the leased ones, or wait for the end of their leases.
        await claim(storage);
        const { firings, nextDueAtMs } = await claim(storage);
        expect({ firings, nextDueAtMs }).toEqual({ firings: [], nextDueAtMs: startMs + leaseMs });
        clock.advance(leaseMs - 31);
        expect((await claim(storage)).firings).toEqual([]);
        clock.advance(1);
        expect((await claim(storage, { limit: 1 })).firings).toHaveLength(1);
      },
    );

    it("returns no time for firings that only a write lets pass", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1", { overlap: "queue" }));
      await put(storage, trigger("trg-2", { isHeld: true }));
      await takeEach(storage, ["evt-1"]);
      await storage.runs.commit(starting(await claimOne(storage), "run-1"));
      await takeEach(storage, ["evt-2"]);
      await claim(storage);
      clock.advance(leaseMs);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: started", "evt-2: waiting"]);
    });
  });

  describe("triggers.settle", () => {
    const harness = useHarness(options);

    it("ends a firing as skipped or failed", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1", "evt-2"]);
      const [first, second] = (await claim(storage)).firings;
      if (first === undefined || second === undefined) throw new Error("Two are due.");
      expect(await storage.triggers.settle([skipped(first), failed(second)])).toEqual(["settled", "settled"]);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([
        { status: "skipped", reason: "filtered", error: undefined, run: undefined },
        { status: "failed", reason: "input_invalid", error: '{"code":"x"}', run: undefined },
      ]);
      clock.advance(leaseMs);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
    });

    it("gives a firing back until it is due again, by the time of the settlement", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      const first = await claimOne(storage);
      clock.advance(200);
      expect(await storage.triggers.settle([returned(first, 50)])).toEqual(["settled"]);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: pending"]);
      clock.advance(49);
      expect(await claimEvents(storage)).toEqual([]);
      clock.advance(1);
      expect(await claimOne(storage)).toMatchObject({ firingId: first.firingId, epoch: 2 });
    });

    it("fences a worker whose firing was claimed by another, ended, or never claimed", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      const [waiting] = await firingsOf(storage, "trg-1");
      const unclaimed = { scope: sandbox, firingId: waiting?.firingId ?? "", epoch: 0 };
      const reason = { next: { status: "skipped", reason: "filtered" } } as const;
      expect(await storage.triggers.settle([{ ...unclaimed, ...reason }])).toEqual(["fenced"]);
      const late = await claimOne(storage);
      clock.advance(leaseMs);
      const owned = await claimOne(storage);
      const others = [late, { ...owned, scope: live }, { ...owned, firingId: "fir_unknown" }, { ...owned, epoch: 3 }];
      expect(await storage.triggers.settle(others.map((firing) => failed(firing)))).toEqual(others.map(() => "fenced"));
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: pending"]);
      expect(await storage.triggers.settle([skipped(owned), failed(owned)])).toEqual(["settled", "fenced"]);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: filtered"]);
    });

    it("accepts a settlement after the lease while no other worker has claimed the firing", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      const firing = await claimOne(storage);
      clock.advance(10 * leaseMs);
      expect(await storage.triggers.settle([skipped(firing)])).toEqual(["settled"]);
    });

    it("fences a firing that its gate holds back after the lease", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      const late = await claimOne(storage);
      await put(storage, trigger("trg-1", { isHeld: true }));
      clock.advance(leaseMs);
      await claim(storage);
      expect(await storage.triggers.settle([skipped(late)])).toEqual(["fenced"]);
      expect(await storage.runs.commit(starting(late, "run-1"))).toEqual({ status: "fenced" });
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: waiting"]);
    });

    it("refuses texts that cannot be stored", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      const firing = await claimOne(storage);
      await expect(storage.triggers.settle([skipped(firing, "a\0b")])).rejects.toMatchObject({ code: "invalid_input" });
      expect(await storage.triggers.settle([skipped(firing)])).toEqual(["settled"]);
    });
  });
}
