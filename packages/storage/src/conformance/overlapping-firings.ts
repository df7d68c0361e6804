import { describe, expect, it } from "vitest";
import type { Overlap, TriggerGate } from "../triggers.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { completed, fenced, row, sandbox } from "./samples.ts";
import {
  asked,
  claim,
  claimEvents,
  claimOne,
  firingsOf,
  leaseMs,
  outcomes,
  put,
  returned,
  skipped,
  starting,
  stateOf,
  takeEach,
  trigger,
} from "./trigger-samples.ts";

export function describeOverlappingFirings(options: ConformanceOptions): void {
  describe("overlapping firings", () => {
    const harness = useHarness(options);

    const gate = (overlap: Overlap, changes: Partial<TriggerGate> = {}) =>
      put(harness().storage, trigger("trg-1", { overlap, ...changes }));
    const arrive = (...ids: readonly string[]) => takeEach(harness().storage, ids);
    const start = async (runId: string): Promise<void> => {
      await harness().storage.runs.commit(starting(await claimOne(harness().storage), runId));
    };
    const end = (runId: string) => harness().storage.runs.commit(row(runId, 2, { then: completed }));
    const got = () => outcomes(harness().storage, "trg-1");

    it("with `skip`, the oldest passes, and those that arrive while it is open are skipped", async () => {
      const { storage } = harness();
      await gate("skip");
      await arrive("evt-1", "evt-2");
      await start("run-1");
      await arrive("evt-3");
      expect(await claim(storage)).toEqual({
        firings: [],
        skipped: [{ scope: sandbox, triggerId: "trg-1", reason: "overlap", count: 2 }],
        nextDueAtMs: undefined,
      });
      expect(await got()).toEqual(["evt-1: started", "evt-2: overlap", "evt-3: overlap"]);
      await end("run-1");
      await arrive("evt-4");
      expect(await claimEvents(storage)).toEqual(["evt-4"]);
    });

    it("with `skip`, a run that waits for a review is open", async () => {
      const { storage } = harness();
      await gate("skip");
      await arrive("evt-1");
      await start("run-1");
      await storage.runs.commit(
        row("run-1", 2, { then: { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } }),
      );
      await arrive("evt-2");
      await claim(storage);
      expect(await got()).toEqual(["evt-1: started", "evt-2: overlap"]);
    });

    it.each(["skip", "queue_one", "queue"] as const)(
      "with `%s`, nothing is decided while a firing is leased, and the next passes once it ends without a run",
      async (overlap) => {
        const { storage } = harness();
        await gate(overlap);
        await arrive("evt-1");
        const first = await claimOne(storage);
        await arrive("evt-2");
        expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: startMs + leaseMs });
        expect(await got()).toEqual(["evt-1: pending", "evt-2: pending"]);
        await storage.triggers.settle([skipped(first)]);
        expect(await claimEvents(storage)).toEqual(["evt-2"]);
      },
    );

    it("with `queue`, all wait, and pass one after another in the order of their creation", async () => {
      const { storage } = harness();
      await gate("queue");
      await arrive("evt-1", "evt-2", "evt-3");
      await start("run-1");
      expect((await claim(storage)).firings).toEqual([]);
      expect(await got()).toEqual(["evt-1: started", "evt-2: waiting", "evt-3: waiting"]);
      await end("run-1");
      expect(await claimEvents(storage)).toEqual(["evt-2"]);
      expect(await got()).toEqual(["evt-1: started", "evt-2: pending", "evt-3: waiting"]);
    });

    it("with `queue`, a firing that is not due yet is overtaken by none", async () => {
      const { storage, clock } = harness();
      await gate("queue");
      await arrive("evt-1", "evt-2");
      await storage.triggers.settle([returned(await claimOne(storage), 50)]);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: startMs + 50 });
      clock.advance(50);
      expect(await claimEvents(storage)).toEqual(["evt-1"]);
    });

    it("with `queue_one`, the newest waits, and older ones are superseded", async () => {
      const { storage } = harness();
      await gate("queue_one");
      await arrive("evt-1");
      await start("run-1");
      await arrive("evt-2", "evt-3");
      expect((await claim(storage)).skipped).toEqual([
        { scope: sandbox, triggerId: "trg-1", reason: "superseded", count: 1 },
      ]);
      await arrive("evt-4");
      await claim(storage);
      expect(await got()).toEqual(["evt-1: started", "evt-2: superseded", "evt-3: superseded", "evt-4: waiting"]);
      await end("run-1");
      expect(await claimEvents(storage)).toEqual(["evt-4"]);
    });

    it("with `queue_one` and none open, the newest passes, and older ones are superseded", async () => {
      const { storage } = harness();
      await gate("queue_one");
      await arrive("evt-1", "evt-2", "evt-3");
      expect(await claim(storage)).toMatchObject({
        firings: [{ event: { id: "evt-3" } }],
        skipped: [{ reason: "superseded", count: 2 }],
      });
      expect(await got()).toEqual(["evt-1: superseded", "evt-2: superseded", "evt-3: pending"]);
    });

    it("with `allow`, all pass beside open ones", async () => {
      const { storage } = harness();
      await gate("allow");
      await arrive("evt-1");
      await start("run-1");
      await arrive("evt-2", "evt-3");
      expect(await claimEvents(storage)).toEqual(["evt-2", "evt-3"]);
    });

    it("with `allow` and a bound, leased and open firings stay within it, and the others wait", async () => {
      const { storage } = harness();
      await gate("allow", { maxOpenRuns: 2 });
      await arrive("evt-1", "evt-2", "evt-3", "evt-4");
      await start("run-1");
      expect(await claimEvents(storage)).toEqual(["evt-2"]);
      expect(await got()).toEqual(["evt-1: started", "evt-2: pending", "evt-3: waiting", "evt-4: waiting"]);
      await end("run-1");
      expect(await claimEvents(storage)).toEqual(["evt-3"]);
      // Storing the trigger again gives its claimed firings back.
      await gate("allow", { maxOpenRuns: undefined });
      expect(await claimEvents(storage)).toEqual(["evt-2", "evt-3", "evt-4"]);
    });

    it("counts the open runs that were started before the gate became exclusive", async () => {
      const { storage } = harness();
      await gate("allow");
      await arrive("evt-1", "evt-2");
      await start("run-1");
      await start("run-2");
      await end("run-1");
      await gate("skip");
      await arrive("evt-3");
      await claim(storage);
      expect(await got()).toEqual(["evt-1: started", "evt-2: started", "evt-3: overlap"]);
    });

    it.each(["skip", "queue_one", "queue", "allow"] as const)(
      "a held gate of `%s` lets all wait, and passes them in order once it is open",
      async (overlap) => {
        const { storage } = harness();
        await gate(overlap, { isHeld: true });
        await arrive("evt-1", "evt-2");
        expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
        expect(await got()).toEqual(["evt-1: waiting", "evt-2: waiting"]);
        expect(await stateOf(storage, "trg-1")).toMatchObject({ waiting: 2 });
        await gate(overlap);
        const passed = { skip: ["evt-1"], queue: ["evt-1"], queue_one: ["evt-2"], allow: ["evt-1", "evt-2"] };
        expect(await claimEvents(storage)).toEqual(passed[overlap]);
      },
    );

    it.each(["skip", "queue_one", "queue", "allow"] as const)(
      "a firing that a person asked for passes a held gate of `%s`, beside an open run and a leased firing",
      async (overlap) => {
        const { storage } = harness();
        await gate(overlap);
        await arrive("evt-1");
        await start("run-1");
        await gate(overlap, { isHeld: true });
        await arrive("evt-2");
        await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a"), asked("b")] });
        const requestedBy = "ada";
        expect(await claim(storage)).toMatchObject({ firings: [{ requestedBy }, { requestedBy }], skipped: [] });
        expect(await got()).toEqual(["evt-1: started", "evt-2: waiting", "none: pending", "none: pending"]);
      },
    );

    it("an open run that a person asked for counts as open", async () => {
      const { storage } = harness();
      await gate("skip");
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a")] });
      await start("run-1");
      await arrive("evt-1");
      await claim(storage);
      expect(await got()).toEqual(["none: started", "evt-1: overlap"]);
    });

    it("one trigger's open run holds back no other trigger", async () => {
      const { storage } = harness();
      await gate("skip");
      await arrive("evt-1");
      await start("run-1");
      await put(storage, trigger("trg-2", { overlap: "skip" }));
      await arrive("evt-2");
      expect((await claim(storage)).firings).toMatchObject([{ triggerId: "trg-2", event: { id: "evt-2" } }]);
    });

    it("a firing whose worker died is claimed again before newer ones", async () => {
      const { storage, clock } = harness();
      await gate("queue");
      await arrive("evt-1", "evt-2");
      const late = await claimOne(storage);
      clock.advance(leaseMs);
      expect(await claimEvents(storage)).toEqual(["evt-1"]);
      expect(await storage.runs.commit(starting(late, "run-1"))).toEqual(fenced);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([{ run: undefined }, {}]);
    });
  });
}
