import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { audit, elsewhere, fenced, live, sandbox, workspace } from "./samples.ts";
import {
  asked,
  claim,
  claimEvents,
  claimOne,
  firingsOf,
  outcomes,
  put,
  skipped,
  starting,
  stateOf,
  takeEach,
  trigger,
} from "./trigger-samples.ts";

const request = { scope: sandbox, reason: "restored", limit: 9 };

export function describeEndingFirings(options: ConformanceOptions): void {
  describe("triggers.endPending", () => {
    const harness = useHarness(options);

    it("ends pending, waiting, claimed and requested firings as skipped, and none starts a run later", async () => {
      const { storage, clock } = harness();
      await put(storage, trigger("trg-1"));
      await put(storage, trigger("trg-2", { isHeld: true }));
      await takeEach(storage, ["evt-1"]);
      const { firings: claimed } = await claim(storage);
      await takeEach(storage, ["evt-2"]);
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a")] });
      expect((await firingsOf(storage, "trg-2")).map(({ status }) => status)).toEqual(["waiting", "pending"]);

      const ended = await storage.triggers.endPending({ ...request, audit: audit(1) });
      expect(ended).toEqual({ status: "ended", firings: 5 });
      expect(await storage.audit.head({ workspace })).toEqual(audit(1));
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: restored", "evt-2: restored", "none: restored"]);
      expect(await outcomes(storage, "trg-2")).toEqual(["evt-1: restored", "evt-2: restored"]);
      expect(await stateOf(storage, "trg-1")).toMatchObject({ waiting: 0 });

      const [held] = claimed;
      if (held === undefined) throw new Error("One was claimed.");
      expect(await storage.triggers.settle([skipped(held)])).toEqual(["fenced"]);
      expect(await storage.runs.commit(starting(held, "run-1"))).toEqual(fenced);
      clock.advance(10_000);
      expect(await claim(storage)).toMatchObject({ firings: [], nextDueAtMs: undefined });
    });

    it("does not change firings that have ended or started, or those of another scope", async () => {
      const { storage } = harness();
      for (const scope of [sandbox, live, elsewhere]) {
        await put(storage, trigger(`trg-${scope.workspace}-${scope.environment}`, {}, { scope }));
      }
      await takeEach(storage, ["evt-1", "evt-2", "evt-3"]);
      await storage.triggers.settle([skipped(await claimOne(storage))]);
      await storage.runs.commit(starting(await claimOne(storage), "run-1"));
      await takeEach(storage, ["evt-4"], live);
      await takeEach(storage, ["evt-5"], elsewhere);
      const ofSandbox = `trg-${workspace}-sandbox`;
      expect(await storage.triggers.endPending(request)).toEqual({ status: "ended", firings: 1 });
      expect(await outcomes(storage, ofSandbox)).toEqual(["evt-1: filtered", "evt-2: started", "evt-3: restored"]);
      expect(await storage.triggers.endPending(request)).toEqual({ status: "ended", firings: 0 });
      expect(await claimEvents(storage)).toEqual(["evt-4"]);
      expect(await claimEvents(storage, { of: elsewhere.workspace })).toEqual(["evt-5"]);
    });

    it("ends at most the limit per call, until there are no more", async () => {
      const { storage } = harness();
      for (const id of ["trg-1", "trg-2"]) await put(storage, trigger(id, { overlap: "queue" }));
      await takeEach(storage, ["evt-1", "evt-2"]);
      await claim(storage);
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a")] });
      for (const firings of [2, 2, 1, 0]) {
        const answer = await storage.triggers.endPending({ ...request, limit: 2 });
        expect(answer).toEqual({ status: "ended", firings });
      }
      expect(await claim(storage)).toMatchObject({ firings: [] });
    });

    it("ends each firing once when several callers end them together", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1", "evt-2", "evt-3", "evt-4", "evt-5"]);
      const answers = await Promise.all([1, 2, 3].map(() => storage.triggers.endPending({ ...request, limit: 2 })));
      const counts = answers.map((answer) => (answer.status === "ended" ? answer.firings : 0));
      expect(counts.toSorted()).toEqual([1, 2, 2]);
    });

    it("keeps the event of an ended firing, so that it can be fired again", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      await storage.triggers.endPending(request);
      const [{ firingId = "" } = {}] = await firingsOf(storage, "trg-1");
      const again = asked("again", { refireOf: firingId });
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [again] });
      expect((await claim(storage)).firings).toMatchObject([
        { refireOf: firingId, event: { id: "evt-1", content: { body: '{"id":"evt-1"}' } } },
      ]);
    });

    it("changes nothing when its audit entry does not follow the chain, or cannot be stored", async () => {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1"]);
      expect(await storage.triggers.endPending({ ...request, audit: audit(2) })).toEqual({ status: "audit_behind" });
      expect(await codeOf(storage.triggers.endPending({ ...request, reason: "\0" }))).toBe("invalid_input");
      expect(await claimEvents(storage)).toEqual(["evt-1"]);
    });
  });
}
