import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  committed,
  completed,
  elsewhere,
  fenced,
  firstRow,
  hot,
  live,
  otherWorker,
  parked,
  row,
  sandbox,
  worker,
  workspace,
} from "./samples.ts";

export function describeWorkers(options: ConformanceOptions): void {
  describe("workers", () => {
    const harness = useHarness(options);

    it("extends a lease from now with each heartbeat", async () => {
      const { storage, clock } = harness();
      const claimable = async (): Promise<number> =>
        (await storage.runs.claim({ workspace, workerId: otherWorker, limit: 10 })).runs.length;
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 100 });
      await storage.runs.commit(firstRow("run-1"));
      clock.advance(99);
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 100 });
      clock.advance(99);
      expect(await claimable()).toBe(0);
      clock.advance(1);
      expect(await claimable()).toBe(1);
    });

    it("revives a worker whose lease has ended", async () => {
      const { storage, clock } = harness();
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 100 });
      await storage.runs.commit(firstRow("run-1"));
      clock.advance(86_400_000 * 3);
      await storage.workers.heartbeat({ workerId: otherWorker, leaseMs: 100 });
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 100 });
      expect((await storage.runs.claim({ workspace, workerId: otherWorker, limit: 10 })).runs).toEqual([]);
      expect(await storage.runs.commit(row("run-1", 2))).toEqual(committed);
    });

    it("keeps the runs of a worker that is long dead", async () => {
      const { storage, clock } = harness();
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 100 });
      await storage.runs.commit(firstRow("run-1"));
      clock.advance(86_400_000 * 3);
      await storage.workers.heartbeat({ workerId: otherWorker, leaseMs: 100 });
      expect((await storage.runs.claim({ workspace, workerId: otherWorker, limit: 10 })).runs).toMatchObject([
        { runId: "run-1", takenOver: true },
      ]);
    });

    it("reports whether any worker is working: its lease was neither released nor has ended", async () => {
      const { storage, clock } = harness();
      const { workers } = storage;
      expect(await workers.areWorking()).toBe(false);
      await workers.heartbeat({ workerId: worker, leaseMs: 100 });
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 200 });
      expect(await workers.areWorking()).toBe(true);
      clock.advance(199);
      expect(await workers.areWorking()).toBe(true);
      clock.advance(1);
      expect(await workers.areWorking()).toBe(false);
      await workers.heartbeat({ workerId: worker, leaseMs: 100 });
      await workers.release({ workerId: worker });
      expect(await workers.areWorking()).toBe(false);
    });

    it("releases all runs of a worker at once, without takenOver", async () => {
      const { storage } = harness();
      const { runs, workers } = storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 60_000 });
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      await commitAll(runs, [
        firstRow("run-1"),
        firstRow("run-2"),
        firstRow("others", { then: { ...hot, workerId: otherWorker } }),
        firstRow("parked", { then: parked() }),
        firstRow("ended", { then: completed }),
      ]);
      await workers.release({ workerId: worker });
      const claimed = await runs.claim({ workspace, workerId: otherWorker, limit: 10 });
      expect(claimed.runs.map(({ runId, takenOver }) => [runId, takenOver])).toEqual([
        ["run-1", false],
        ["run-2", false],
      ]);
      expect(await runs.commit(row("run-1", 2))).toEqual(fenced);
      expect(await runs.get({ scope: sandbox, runId: "ended" })).toMatchObject({ status: "completed" });
    });

    it("ends the lease with the release", async () => {
      const { runs, workers } = harness().storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 60_000 });
      await workers.release({ workerId: worker });
      await runs.commit(firstRow("run-1"));
      expect((await runs.claim({ workspace, workerId: otherWorker, limit: 1 })).runs).toMatchObject([
        { takenOver: true },
      ]);
    });

    it("releases the listed runs that the worker owns, and no others", async () => {
      const { storage } = harness();
      const { runs, workers } = storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 60_000 });
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      await commitAll(runs, [
        firstRow("run-1"),
        firstRow("kept"),
        firstRow("others", { then: { ...hot, workerId: otherWorker } }),
        firstRow("parked", { then: parked() }),
        firstRow("ended", { then: completed }),
      ]);
      await workers.releaseRuns({ workerId: worker, runIds: ["run-1", "others", "parked", "ended", "unknown"] });
      const claimed = await runs.claim({ workspace, workerId: "worker-3", limit: 10 });
      expect(claimed.runs.map(({ runId, takenOver }) => [runId, takenOver])).toEqual([["run-1", false]]);
      expect(await runs.commit(row("kept", 2))).toEqual(committed);
    });

    it("lists the runs of a worker", async () => {
      const { runs, workers } = harness().storage;
      await commitAll(runs, [
        firstRow("run-1"),
        firstRow("live-1", { scope: live }),
        firstRow("globex-1", { scope: elsewhere }),
        firstRow("others", { then: { ...hot, workerId: otherWorker } }),
        firstRow("parked", { then: parked() }),
        firstRow("ended", { then: completed }),
        firstRow("due", { then: parked(startMs) }),
      ]);
      const held = async (): Promise<readonly string[]> => [...(await workers.listRuns({ workerId: worker }))].sort();
      expect(await held()).toEqual(["globex-1", "live-1", "run-1"]);
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 1_000 });
      await runs.claim({ workspace, workerId: worker, limit: 10 });
      expect(await held()).toEqual(["due", "globex-1", "live-1", "run-1"]);
      expect(await workers.listRuns({ workerId: "nobody" })).toEqual([]);
      await workers.release({ workerId: worker });
      expect(await held()).toEqual([]);
    });

    it("accepts releases for a worker without runs", async () => {
      const { storage, changes } = harness();
      await storage.workers.release({ workerId: "nobody" });
      await storage.workers.releaseRuns({ workerId: "nobody", runIds: ["run-1"] });
      await storage.workers.releaseRuns({ workerId: "nobody", runIds: [] });
      expect(changes).toEqual([]);
    });
  });
}
