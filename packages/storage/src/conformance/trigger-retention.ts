import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import { completed, elsewhere, live, row, sandbox } from "./samples.ts";
import type { Scope } from "../scope.ts";
import {
  asked,
  claim,
  claimOne,
  firingsOf,
  incoming,
  outcomes,
  put,
  skipped,
  starting,
  take,
  takeEach,
  trigger,
} from "./trigger-samples.ts";

const never = 1_000_000;

export function describeTriggerRetention(options: ConformanceOptions): void {
  describe("triggers.removeExpired", () => {
    const harness = useHarness(options);

    const remove = (contentsOlderThanMs: number, firingsOlderThanMs: number, limit = 100, scope: Scope = sandbox) =>
      harness().storage.triggers.removeExpired({ scope, contentsOlderThanMs, firingsOlderThanMs, limit });
    const contents = async () => {
      const { storage } = harness();
      const firings = await firingsOf(storage, "trg-1");
      const found = await Promise.all(firings.map((firing) => storage.triggers.get(firing)));
      return found.map((firing) => firing?.content?.body);
    };
    const endAll = async () => {
      const { storage } = harness();
      await storage.triggers.settle((await claim(storage)).firings.map((firing) => skipped(firing)));
    };

    it("removes the contents of old events, and keeps their facts", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      clock.advance(10);
      await takeEach(storage, ["evt-2"]);
      await endAll();
      expect(await remove(10, never)).toBe(0);
      expect(await remove(9, never)).toBe(1);
      expect(await contents()).toEqual([undefined, '{"id":"evt-2"}']);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([
        { event: { id: "evt-1", digest: "digest-evt-1" } },
        { event: { id: "evt-2" } },
      ]);
      expect(await remove(9, never)).toBe(0);
      const [first] = await firingsOf(storage, "trg-1");
      const again = asked("again", { refireOf: first?.firingId ?? "" });
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [again] });
      expect(await claimOne(storage)).toMatchObject({ event: { id: "evt-1", content: undefined } });
    });

    it("keeps the contents of events whose firings have not ended", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1", { isHeld: true }));
      await takeEach(storage, ["evt-1"]);
      await claim(storage);
      clock.advance(1);
      expect(await remove(0, 0)).toBe(0);
      expect(await contents()).toEqual(['{"id":"evt-1"}']);
    });

    it("removes old firings that ended, then their events, and keeps those that have not", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await take(
        storage,
        ["evt-1", "evt-2", "evt-3", "evt-4"].map((id) => incoming(id, { dedupeForMs: 50 })),
      );
      const [first, second, third] = (await claim(storage, { limit: 3 })).firings;
      if (first === undefined || second === undefined || third === undefined) throw new Error("Three are due.");
      await storage.triggers.settle([skipped(first)]);
      await storage.runs.commit(starting(second, "run-2", completed));
      await storage.runs.commit(starting(third, "run-3"));
      clock.advance(50);
      expect(await remove(never, 50)).toBe(0);
      // Two firings and their events, whose contents go with them.
      expect(await remove(never, 49)).toBe(4);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-3: started", "evt-4: pending"]);
      await storage.runs.commit(row("run-3", 2, { then: completed }));
      expect(await remove(never, 0)).toBe(2);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-4: pending"]);
      expect(await storage.runs.get({ scope: sandbox, runId: "run-2" })).toMatchObject({
        trigger: expect.stringContaining("trg-1") as unknown,
      });
    });

    it("keeps an event as long as it is known, so that it does not fire again", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      const one = incoming("evt-1", { dedupeForMs: 100 });
      await take(storage, [one]);
      await endAll();
      clock.advance(99);
      // The content and the firing, not the event.
      expect(await remove(0, 0)).toBe(2);
      expect(await take(storage, [one])).toEqual([{ status: "known" }]);
      expect(await firingsOf(storage, "trg-1")).toEqual([]);
      clock.advance(1);
      expect(await remove(0, 0)).toBe(1);
      expect(await take(storage, [one])).toEqual([{ status: "taken", firings: 1 }]);
    });

    it("keeps an event while a firing of another trigger refers to it", async () => {
      const { storage, clock } = harness();
      for (const id of ["trg-1", "trg-2"]) await put(storage, trigger(id, { isHeld: id === "trg-2" }));
      await take(storage, [incoming("evt-1", { dedupeForMs: 1 })]);
      await endAll();
      clock.advance(1);
      expect(await remove(never, 0)).toBe(1);
      expect(await outcomes(storage, "trg-2")).toEqual(["evt-1: waiting"]);
    });

    it("removes at most the limit of each, and nothing of another scope", async () => {
      const { storage, clock } = harness();
      for (const scope of [sandbox, live]) await put(storage, trigger(`trg-${scope.environment}`, {}, { scope }));
      await put(storage, trigger("trg-globex", {}, { scope: elsewhere }));
      const events = (scope: Scope) => [1, 2, 3].map((id) => incoming(`evt-${id}`, { scope, dedupeForMs: 1 }));
      for (const scope of [sandbox, live, elsewhere]) await take(storage, events(scope), { scope });
      await endAll();
      clock.advance(1);
      expect(await remove(0, 0, 100, live)).toBe(9);
      expect(await remove(0, 0, 2)).toBe(6);
      expect(await remove(0, 0, 2)).toBe(3);
      expect(await remove(0, 0, 2)).toBe(0);
      expect(await firingsOf(storage, "trg-globex", elsewhere)).toHaveLength(3);
      expect(await remove(0, 0, 2, { workspace: "initech", environment: "live" })).toBe(0);
    });
  });
}
