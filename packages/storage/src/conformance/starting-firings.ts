import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { awaiting, commitAll, committed, completed, fenced, firstRow, live, review, row, sandbox } from "./samples.ts";
import {
  claim,
  claimOne,
  firingsOf,
  leaseMs,
  outcomes,
  put,
  skipped,
  starting,
  takeEach,
  trigger,
} from "./trigger-samples.ts";

export function describeStartingFirings(options: ConformanceOptions): void {
  describe("the commit that creates the run of a firing", () => {
    const harness = useHarness(options);

    async function claimed(...ids: readonly string[]): Promise<Awaited<ReturnType<typeof claimOne>>> {
      const { storage } = harness();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ids);
      return claimOne(storage);
    }

    it("ends the firing as started, with its run", async () => {
      const { storage, clock } = harness();
      const firing = await claimed("evt-1");
      expect(await storage.runs.commit(starting(firing, "run-1"))).toEqual(committed);
      const run = { runId: "run-1", procedureVersion: "v1" };
      expect(await firingsOf(storage, "trg-1")).toMatchObject([
        { status: "started", reason: undefined, startedAtMs: startMs, run: { ...run, status: "running" } },
      ]);
      await storage.runs.commit(row("run-1", 2, { then: awaiting }));
      expect(await firingsOf(storage, "trg-1")).toMatchObject([{ run: { ...run, status: "awaiting_review" } }]);
      clock.advance(leaseMs);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
      expect(await storage.triggers.settle([skipped(firing)])).toEqual(["fenced"]);
    });

    it("creates nothing unless the firing is claimed under its epoch", async () => {
      const { storage, clock } = harness();
      const late = await claimed("evt-1");
      clock.advance(leaseMs);
      const owned = await claimOne(storage);
      const bad = [
        late,
        { ...owned, epoch: 3 },
        { ...owned, firingId: "fir_unknown" },
        { ...owned, triggerId: "trg-2" },
        { ...owned, scope: live },
      ];
      const results = await commitAll(
        storage.runs,
        bad.map((firing, index) => starting(firing, `run-${index}`)),
      );
      expect(results).toEqual(bad.map(() => fenced));
      for (const scope of [sandbox, live]) expect((await storage.runs.list({ scope, limit: 9 })).items).toEqual([]);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: pending"]);
      expect(await storage.runs.commit(starting(owned, "run-9"))).toEqual(committed);
    });

    it("creates nothing once the trigger was stored again, since the firing was judged by the former trigger", async () => {
      const { storage } = harness();
      const firing = await claimed("evt-1");
      await put(storage, trigger("trg-1", { isHeld: true }));
      expect(await storage.runs.commit(starting(firing, "run-1"))).toEqual(fenced);
      expect(await storage.triggers.settle([skipped(firing)])).toEqual(["fenced"]);
      expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: undefined });
      await put(storage, trigger("trg-1"));
      const again = await claimOne(storage);
      expect(again).toMatchObject({ firingId: firing.firingId, epoch: 2 });
      expect(await storage.runs.commit(starting(again, "run-2"))).toEqual(committed);
      expect((await storage.runs.list({ scope: sandbox, limit: 9 })).items).toMatchObject([{ runId: "run-2" }]);
    });

    it("holds no idempotency key after it was fenced", async () => {
      const { storage } = harness();
      const firing = await claimed("evt-1");
      const item = starting({ ...firing, epoch: 7 }, "run-1");
      const idempotency = { key: "key-1", digest: "digest", expiresAtMs: startMs + 9_000 };
      const create = { ...firstRow("run-1").create, ...item.create, idempotency };
      expect(await storage.runs.commit(firstRow("run-1", { create }))).toEqual(fenced);
      expect(await storage.runs.commit(firstRow("run-2", { create: { idempotency } }))).toEqual(committed);
    });

    it("starts one run of a firing for concurrent commits, and for one that is repeated", async () => {
      const { storage } = harness();
      const firing = await claimed("evt-1");
      const items = Array.from({ length: 8 }, (_, index) => starting(firing, `run-${index}`));
      const results = await commitAll(storage.runs, items);
      expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
      expect(results.filter(({ status }) => status === "fenced")).toHaveLength(7);
      const winner = items[results.findIndex(({ status }) => status === "committed")];
      if (winner !== undefined) expect(await storage.runs.commit(winner)).toEqual(committed);
      expect((await storage.runs.list({ scope: sandbox, limit: 9 })).items).toHaveLength(1);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([{ run: { runId: winner?.runId } }]);
    });

    it("leaves the firing claimed when the commit is refused", async () => {
      const { storage } = harness();
      const firing = await claimed("evt-1");
      await storage.runs.commit(firstRow("run-0", { openReview: review("taken") }));
      const bad = { ...starting(firing, "run-1"), openReview: review("taken") };
      const results = await commitAll(storage.runs, [bad, firstRow("run-2")]);
      expect(results.map(({ status }) => status)).toEqual(["refused", "committed"]);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: pending"]);
      expect(await storage.runs.commit(starting(firing, "run-1"))).toEqual(committed);
    });

    it("is fenced by a settlement that came first, and the other way round", async () => {
      const { storage } = harness();
      await claimed("evt-1", "evt-2");
      await claim(storage);
      harness().clock.advance(leaseMs);
      const [first, second] = (await claim(storage)).firings;
      if (first === undefined || second === undefined) throw new Error("Two are due.");
      expect(await storage.triggers.settle([skipped(first)])).toEqual(["settled"]);
      expect(await storage.runs.commit(starting(first, "run-1"))).toEqual(fenced);
      expect(await storage.runs.commit(starting(second, "run-2"))).toEqual(committed);
      expect(await storage.triggers.settle([skipped(second)])).toEqual(["fenced"]);
      expect(await outcomes(storage, "trg-1")).toEqual(["evt-1: filtered", "evt-2: started"]);
    });

    it("may end the run at once", async () => {
      const { storage } = harness();
      const firing = await claimed("evt-1");
      expect(await storage.runs.commit(starting(firing, "run-1", completed))).toEqual(committed);
      expect(await firingsOf(storage, "trg-1")).toMatchObject([{ status: "started", run: { status: "completed" } }]);
    });
  });
}
