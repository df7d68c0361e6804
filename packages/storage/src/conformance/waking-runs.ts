import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { awaiting, elsewhere, firstRow, hot, live, post, row, sandbox, worker, workspace } from "./samples.ts";
import type { RunPlace } from "../runs.ts";

const weekMs = 604_800_000;

function waiting(waitsFor: string, wakeAtMs: number | undefined = startMs + weekMs): RunPlace {
  return { kind: "parked", status: "running", wakeAtMs, waitsFor };
}

export function describeWakingRuns(options: ConformanceOptions): void {
  describe("runs.wake", () => {
    const harness = useHarness(options);
    const wake = (waitsFor: string, limit = 100, scope = sandbox): Promise<number> =>
      harness().storage.runs.wake({ scope, waitsFor, limit });
    const claimed = async (of = workspace): Promise<readonly string[]> => {
      const { runs } = await harness().storage.runs.claim({ workspace: of, workerId: worker, limit: 100 });
      return runs.map(({ runId }) => runId).sort();
    };

    it("makes the runs that wait for a connection claimable, and announces it", async () => {
      const { storage } = harness();
      const announced: string[] = [];
      for (const id of ["run-1", "run-2"]) await storage.runs.commit(firstRow(id, { then: waiting("con-1") }));
      await storage.runs.commit(firstRow("run-3", { then: waiting("con-2") }));
      await storage.runs.commit(firstRow("run-4", { then: waiting("con-1", undefined) }));
      expect(await claimed()).toEqual([]);
      const stop = storage.watch(({ type }) => announced.push(type));
      expect(await wake("con-1")).toBe(3);
      await expect.poll(() => announced).toContain("claimable");
      stop();
      expect(await claimed()).toEqual(["run-1", "run-2", "run-4"]);
    });

    it("wakes at most as many as its limit, each once, until none is left", async () => {
      const { storage } = harness();
      for (let number = 1; number <= 5; number++) {
        await storage.runs.commit(firstRow(`run-${number}`, { then: waiting("con-1") }));
      }
      expect([await wake("con-1", 2), await wake("con-1", 2), await wake("con-1", 2), await wake("con-1", 2)]).toEqual([
        2, 2, 1, 0,
      ]);
      expect(await claimed()).toHaveLength(5);
    });

    it("wakes no run of another environment or workspace, or of another connection", async () => {
      const { storage } = harness();
      await storage.runs.commit(firstRow("run-1", { scope: live, then: waiting("con-1") }));
      await storage.runs.commit(firstRow("run-2", { scope: elsewhere, then: waiting("con-1") }));
      expect([await wake("con-1"), await wake("con"), await wake("con-1", 100, elsewhere)]).toEqual([0, 0, 1]);
      expect([await claimed(), await claimed(elsewhere.workspace)]).toEqual([[], ["run-2"]]);
    });

    it("wakes no run that has gone on", async () => {
      const { storage, clock } = harness();
      const { runs } = storage;
      await runs.commit(firstRow("run-hot", { then: waiting("con-1", startMs) }));
      await runs.claim({ workspace, workerId: worker, limit: 1 });
      await runs.commit(firstRow("run-asking", { then: waiting("con-1", startMs) }));
      const [asking] = (await runs.claim({ workspace, workerId: worker, limit: 1 })).runs;
      await runs.commit(row("run-asking", 2, { epoch: asking?.epoch ?? 0, then: awaiting }));
      await runs.commit(firstRow("run-moved", { then: waiting("con-1", startMs) }));
      const [moved] = (await runs.claim({ workspace, workerId: worker, limit: 1 })).runs;
      await runs.commit(row("run-moved", 2, { epoch: moved?.epoch ?? 0, then: waiting("con-2") }));
      await runs.commit(firstRow("run-due", { then: waiting("con-1", startMs + 5) }));
      clock.advance(5);
      expect([await wake("con-1"), await wake("con-2")]).toEqual([0, 1]);
    });

    it("does not count a run that a notification has made claimable", async () => {
      const { storage } = harness();
      await storage.runs.commit(firstRow("run-1", { then: waiting("con-1") }));
      await storage.inbox.post([post("run-1", "cancel")]);
      expect(await wake("con-1")).toBe(0);
      expect(await claimed()).toEqual(["run-1"]);
    });

    it("wakes a run again that waits again", async () => {
      const { storage } = harness();
      const { runs } = storage;
      await runs.commit(firstRow("run-1", { then: waiting("con-1") }));
      for (let time = 1; time <= 3; time++) {
        expect(await wake("con-1")).toBe(1);
        const [claim] = (await runs.claim({ workspace, workerId: worker, limit: 1 })).runs;
        const epoch = claim?.epoch ?? 0;
        await runs.commit(row("run-1", 2 * time, { epoch, then: hot }));
        await runs.commit(row("run-1", 2 * time + 1, { epoch, then: waiting("con-1") }));
      }
    });

    it("wakes each run once for concurrent callers", async () => {
      const { storage } = harness();
      for (let number = 1; number <= 20; number++) {
        await storage.runs.commit(firstRow(`run-${number}`, { then: waiting("con-1") }));
      }
      const woken = await Promise.all(Array.from({ length: 5 }, () => wake("con-1")));
      expect(woken.reduce((sum, count) => sum + count, 0)).toBe(20);
      expect(await claimed()).toHaveLength(20);
    });
  });
}
