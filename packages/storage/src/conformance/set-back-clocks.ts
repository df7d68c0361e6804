import { describe, expect, it } from "vitest";
import { clockToleranceMs } from "../clock-tolerance.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { connection, held } from "./invocation-harness.ts";
import {
  commitAll,
  awaiting,
  claimLimits,
  elsewhere,
  firstRow,
  invokingRun,
  live,
  otherWorker,
  parked,
  refused,
  worker,
  workspace,
} from "./samples.ts";
import { fillQueue } from "./sending.ts";
import { claim as claimFirings, claimEvents, put, returned, takeEach, trigger } from "./trigger-samples.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const leaseMs = 15_000;

export function describeSetBackClocks(options: ConformanceOptions): void {
  describe("a heartbeat after the clock was set back", () => {
    const harness = useHarness(options);

    const heartbeat = (workerId: string) => harness().storage.workers.heartbeat({ workerId, leaseMs });
    const claim = () => harness().storage.runs.claim({ workspace, workerId: otherWorker, limit: 10 });
    const claimedIds = async () => (await claim()).runs.map(({ runId }) => runId);
    const claimDeliveries = async () => {
      const request = { workspace, limits: claimLimits(9), leaseMs: minuteMs };
      return harness().storage.deliveries.claim(request);
    };

    it("moves the wake times of waiting runs in every scope, and returns when they were due", async () => {
      const { storage, clock } = harness();
      await heartbeat(otherWorker);
      await commitAll(storage.runs, [
        firstRow("run-1", { then: parked(startMs + 10 * minuteMs) }),
        firstRow("run-2", { scope: live, then: parked(startMs + 20 * minuteMs) }),
        firstRow("run-3", { scope: elsewhere, then: parked(startMs + 10 * minuteMs) }),
      ]);
      clock.advance(-hourMs);
      await heartbeat(otherWorker);
      clock.advance(10 * minuteMs - 1);
      expect(await claim()).toMatchObject({ runs: [], nextWakeAtMs: startMs - 50 * minuteMs });
      clock.advance(1);
      expect((await claim()).runs).toMatchObject([{ runId: "run-1", dueAtMs: startMs - 50 * minuteMs }]);
      expect((await storage.runs.claim({ ...elsewhere, workerId: otherWorker, limit: 9 })).runs).toHaveLength(1);
      clock.advance(10 * minuteMs);
      expect(await claimedIds()).toEqual(["run-2"]);
    });

    it("moves nothing twice, whichever worker's heartbeat comes next", async () => {
      const { storage, clock } = harness();
      await heartbeat(worker);
      await storage.runs.commit(firstRow("run-1", { then: parked(startMs + 5 * hourMs) }));
      clock.advance(-hourMs);
      await Promise.all([worker, otherWorker, "worker-3"].map(heartbeat));
      await heartbeat(otherWorker);
      expect(await claim()).toEqual({ runs: [], nextWakeAtMs: startMs + 4 * hourMs });
    });

    it("remembers the heartbeat of a worker that was released", async () => {
      const { storage, clock } = harness();
      await heartbeat(worker);
      await storage.runs.commit(firstRow("run-1", { then: parked(startMs + 10 * minuteMs) }));
      await storage.workers.release({ workerId: worker });
      clock.advance(-hourMs);
      expect(await storage.workers.areWorking()).toBe(false);
      await heartbeat(otherWorker);
      expect((await claim()).nextWakeAtMs).toBe(startMs - 50 * minuteMs);
    });

    it("does not move times within the tolerance, and ignores steps back of no more than that", async () => {
      const { storage, clock } = harness();
      await heartbeat(worker);
      await commitAll(storage.runs, [
        firstRow("run-1", { then: parked(startMs + 5) }),
        firstRow("run-2", { then: parked(startMs + hourMs) }),
      ]);
      clock.advance(-clockToleranceMs);
      await heartbeat(worker);
      expect(await claim()).toEqual({ runs: [], nextWakeAtMs: startMs + 5 });
      clock.advance(-hourMs);
      await storage.runs.commit(firstRow("run-3", { then: parked(startMs - hourMs) }));
      await heartbeat(worker);
      clock.advance(5);
      // The first one was moved; the one two minutes from now was not.
      expect(await claim()).toMatchObject({ runs: [{ runId: "run-1" }], nextWakeAtMs: startMs - hourMs });
    });

    it("does not move the expiry of a review, which is a date", async () => {
      const { storage, clock } = harness();
      await heartbeat(worker);
      await storage.runs.commit(firstRow("run-1", { then: { ...awaiting, wakeAtMs: startMs + 10 * minuteMs } }));
      clock.advance(-hourMs);
      await heartbeat(worker);
      expect(await claim()).toEqual({ runs: [], nextWakeAtMs: startMs + 10 * minuteMs });
    });

    it("neither extends the lease of a dead worker nor takes runs from a live one", async () => {
      const { storage, clock } = harness();
      await heartbeat(worker);
      await heartbeat("dead");
      await commitAll(storage.runs, [
        firstRow("run-1"),
        firstRow("run-2", { then: { kind: "hot", workerId: "dead" } }),
      ]);
      clock.advance(-hourMs);
      await heartbeat(otherWorker);
      expect(await claimedIds()).toEqual([]);
      clock.advance(leaseMs - 1);
      await heartbeat(worker);
      clock.advance(1);
      expect(await claimedIds()).toEqual(["run-2"]);
    });

    it("moves the due times of deliveries, also of those whose sender is gone", async () => {
      const { storage, clock } = harness();
      await fillQueue(harness(), ["hook-1", "hook-2"]);
      await heartbeat(worker);
      const [first] = (await claimDeliveries()).deliveries;
      if (first === undefined) throw new Error("Nothing is due.");
      await storage.deliveries.settle([refused(first, startMs + 10 * minuteMs)]);
      clock.advance(-hourMs);
      await heartbeat(worker);
      clock.advance(minuteMs);
      expect((await claimDeliveries()).deliveries).toMatchObject([{ webhookId: "hook-2", attempt: 2 }]);
      clock.advance(9 * minuteMs);
      expect((await claimDeliveries()).deliveries).toMatchObject([
        { webhookId: "hook-2", attempt: 3 },
        { webhookId: "hook-1", attempt: 2 },
      ]);
    });

    it("moves the lease of an invocation whose client is gone, so that it is leased again", async () => {
      const { storage, clock } = harness();
      await storage.runs.commit(invokingRun("run-1", "invocation-1", { deadlineMs: startMs + 5 * hourMs }));
      await heartbeat(worker);
      const request = { ...connection, functions: ["screen"], limit: 9, leaseMs: minuteMs };
      expect(await storage.invocations.lease({ ...request, leaseToken: "token-1" })).toHaveLength(1);
      clock.advance(-hourMs);
      await heartbeat(worker);
      clock.advance(minuteMs - 1);
      expect(await storage.invocations.lease({ ...request, leaseToken: "token-2" })).toEqual([]);
      clock.advance(1);
      const again = await storage.invocations.lease({ ...request, leaseToken: "token-3" });
      expect(again.map(({ invocationId }) => invocationId)).toEqual([held.invocationId]);
    });

    it("moves the due times and leases of firings, and no nominal time of a schedule", async () => {
      const { storage, clock } = harness();
      const schedule = { accountedAtMs: startMs, dueAtMs: startMs + 10 * minuteMs };
      await put(storage, trigger("trg-1", { schedule }));
      await takeEach(storage, ["evt-1", "evt-2"]);
      await heartbeat(worker);
      const [first] = (await claimFirings(storage, { forMs: minuteMs })).firings;
      if (first === undefined) throw new Error("Nothing is due.");
      await storage.triggers.settle([returned(first, 10 * minuteMs)]);
      clock.advance(-hourMs);
      await heartbeat(worker);
      clock.advance(minuteMs);
      expect(await claimEvents(storage)).toEqual(["evt-2"]);
      clock.advance(9 * minuteMs);
      expect(await claimEvents(storage)).toEqual(["evt-1", "evt-2"]);
      expect(await storage.triggers.due({ workspace, limit: 9 })).toMatchObject({
        schedules: [],
        nextDueAtMs: schedule.dueAtMs,
      });
    });

    it("announces that runs, deliveries and firings may be due", async () => {
      const { clock, changes } = harness();
      await heartbeat(worker);
      clock.advance(-hourMs);
      await heartbeat(worker);
      expect(changes).toContainEqual({ type: "claimable" });
      expect(changes).toContainEqual({ type: "deliverable" });
      expect(changes).toContainEqual({ type: "fireable" });
    });
  });

  if (options.reopen === undefined) return;
  describe("a heartbeat after a restart during which the clock was set back", () => {
    const harness = useHarness(options);

    it("moves the wake times of waiting runs, so that none waits longer than planned", async () => {
      const { clock } = harness();
      await harness().storage.workers.heartbeat({ workerId: worker, leaseMs });
      await harness().storage.runs.commit(firstRow("run-1", { then: parked(startMs + 10 * minuteMs) }));
      await harness().reopen();
      clock.advance(-hourMs);
      await harness().storage.workers.heartbeat({ workerId: otherWorker, leaseMs });
      clock.advance(10 * minuteMs);
      const { runs } = await harness().storage.runs.claim({ workspace, workerId: otherWorker, limit: 9 });
      expect(runs).toMatchObject([{ runId: "run-1" }]);
    });
  });
}
