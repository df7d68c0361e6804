import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  elsewhere,
  firstRow,
  hot,
  live,
  otherWorker,
  parked,
  post,
  row,
  sandbox,
  worker,
  workspace,
} from "./samples.ts";

export function describeClaim(options: ConformanceOptions): void {
  describe("runs.claim", () => {
    const harness = useHarness(options);

    it("claims a parked run that is due, with all that is needed to continue it", async () => {
      const { storage, clock } = harness();
      const { runs, inbox } = storage;
      await runs.commit(firstRow("run-1", { scope: elsewhere, then: parked(startMs + 10) }));
      expect((await runs.claim({ ...elsewhere, workerId: worker, limit: 10 })).runs).toEqual([]);
      clock.advance(10);
      await inbox.post([post("run-1", "b", { scope: elsewhere }), post("run-1", "a", { scope: elsewhere })]);
      expect(await runs.claim({ ...elsewhere, workerId: worker, limit: 10 })).toEqual({
        runs: [
          {
            scope: elsewhere,
            runId: "run-1",
            procedureId: "vendor-payment",
            procedureVersion: "v1",
            epoch: 2,
            takenOver: false,
            dueAtMs: startMs + 10,
            journal: [{ seq: 1, hash: "hash-run-1-1", body: row("run-1", 1).body }],
            inbox: [
              { effectKey: "b", body: '{"effect":"b"}' },
              { effectKey: "a", body: '{"effect":"a"}' },
            ],
          },
        ],
        nextWakeAtMs: undefined,
      });
    });

    it("claims a run for one worker only", async () => {
      const { storage } = harness();
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 1_000 });
      await storage.runs.commit(firstRow("run-1", { then: parked(startMs) }));
      expect((await storage.runs.claim({ workspace, workerId: worker, limit: 1 })).runs).toHaveLength(1);
      expect((await storage.runs.claim({ workspace, workerId: otherWorker, limit: 1 })).runs).toEqual([]);
    });

    it("gives concurrent claimers different runs", async () => {
      const { storage } = harness();
      const claimers = Array.from({ length: 8 }, (_, index) => `claimer-${index}`);
      await Promise.all(claimers.map((workerId) => storage.workers.heartbeat({ workerId, leaseMs: 1_000 })));
      await commitAll(
        storage.runs,
        Array.from({ length: 40 }, (_, index) => firstRow(`run-${index}`, { then: parked(startMs) })),
      );
      const claims = await Promise.all(
        [...claimers, ...claimers].map((workerId) => storage.runs.claim({ workspace, workerId, limit: 3 })),
      );
      const claimed = claims.flatMap(({ runs }) => runs.map(({ runId }) => runId));
      expect(claimed).toHaveLength(40);
      expect(new Set(claimed).size).toBe(40);
    });

    it("never claims a run that waits for a notification only, is owned by a live worker, or has ended", async () => {
      const { storage, clock } = harness();
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 1_000 });
      await commitAll(storage.runs, [
        firstRow("waits", { then: awaiting }),
        firstRow("held"),
        firstRow("ended", { then: completed }),
      ]);
      clock.advance(999);
      expect(await storage.runs.claim({ workspace, workerId: otherWorker, limit: 10 })).toEqual({
        runs: [],
        nextWakeAtMs: undefined,
      });
    });

    it("takes over the runs of a worker whose lease has ended, and reports it", async () => {
      const { storage, clock } = harness();
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 1_000 });
      await storage.runs.commit(firstRow("run-1"));
      clock.advance(1_000);
      const { runs } = await storage.runs.claim({ workspace, workerId: otherWorker, limit: 10 });
      expect(runs).toMatchObject([{ runId: "run-1", epoch: 2, takenOver: true }]);
    });

    it("takes over the runs of a worker without heartbeats", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      expect((await runs.claim({ workspace, workerId: otherWorker, limit: 1 })).runs).toMatchObject([
        { takenOver: true },
      ]);
    });

    it("never claims a worker's own runs, although its lease has ended", async () => {
      const { storage, clock } = harness();
      const { runs, workers } = storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 10 });
      await commitAll(runs, [firstRow("own-1"), firstRow("own-2"), firstRow("due", { then: parked(startMs + 20) })]);
      clock.advance(20);
      const claims = [
        await runs.claim({ workspace, workerId: worker, limit: 1 }),
        await runs.claim({ workspace, workerId: worker, limit: 10 }),
      ];
      expect(claims.map((claim) => claim.runs.map(({ runId }) => runId))).toEqual([["due"], []]);
      expect(await runs.commit(row("own-1", 2))).toEqual(committed);
      const { runs: takenOver } = await runs.claim({ workspace, workerId: otherWorker, limit: 10 });
      expect(takenOver.map(({ runId, epoch }) => [runId, epoch])).toEqual([
        ["own-1", 2],
        ["own-2", 2],
        ["due", 3],
      ]);
    });

    it("claims runs of both environments of the workspace, those that have waited longest first", async () => {
      const { storage, clock } = harness();
      const { runs, workers } = storage;
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      await commitAll(runs, [
        firstRow("third", { then: parked(startMs - 1) }),
        firstRow("second", { scope: live, then: parked(startMs - 2) }),
        firstRow("first", { then: parked(startMs - 3) }),
        firstRow("fourth", { scope: live, then: parked(startMs) }),
        firstRow("later", { scope: live, then: parked(startMs + 5) }),
        firstRow("later-still", { then: parked(startMs + 6) }),
        firstRow("last", { scope: live, then: parked(startMs + 7) }),
      ]);
      const first = await runs.claim({ workspace, workerId: otherWorker, limit: 3 });
      expect(first.runs.map(({ runId }) => runId)).toEqual(["first", "second", "third"]);
      const next = await runs.claim({ workspace, workerId: otherWorker, limit: 3 });
      expect(next.runs.map(({ runId, scope }) => [runId, scope])).toEqual([["fourth", live]]);
      clock.advance(5);
      const later = await runs.claim({ workspace, workerId: otherWorker, limit: 3 });
      expect([first, next, later].map(({ nextWakeAtMs }) => nextWakeAtMs)).toEqual([
        startMs + 5,
        startMs + 5,
        startMs + 6,
      ]);
    });

    it("lets environments take turns, so that a backlog of one does not delay the other", async () => {
      const { storage } = harness();
      const { runs, workers } = storage;
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      const flood = Array.from({ length: 8 }, (_, at) => firstRow(`flood-${at}`, { then: parked(startMs - 100 + at) }));
      await commitAll(runs, [
        ...flood,
        firstRow("live-2", { scope: live, then: parked(startMs - 1) }),
        firstRow("live-1", { scope: live, then: parked(startMs - 2) }),
        // Left behind by a worker without heartbeats.
        firstRow("live-0", { scope: live }),
      ]);
      const claim = async (limit: number) =>
        (await runs.claim({ workspace, workerId: otherWorker, limit })).runs.map(({ runId }) => runId);
      expect(await claim(4)).toEqual(["live-0", "flood-0", "flood-1", "live-1"]);
      expect(await claim(4)).toEqual(["flood-2", "live-2", "flood-3", "flood-4"]);
      expect(await claim(9)).toEqual(["flood-5", "flood-6", "flood-7"]);
    });

    it("claims no more runs of an environment than its limit, and fills up with runs of the other", async () => {
      const { storage } = harness();
      const { runs } = storage;
      const due = parked(startMs);
      await commitAll(runs, [
        ...["s-0", "s-1", "s-2"].map((runId) => firstRow(runId, { then: due })),
        ...["l-0", "l-1", "l-2"].map((runId) => firstRow(runId, { scope: live, then: due })),
        firstRow("later", { then: parked(startMs + 70) }),
      ]);
      const claim = async (perEnvironment: { readonly sandbox: number; readonly live: number }) => {
        const claimed = await runs.claim({ workspace, workerId: worker, limit: 4, perEnvironment });
        return { runIds: claimed.runs.map(({ runId }) => runId), nextWakeAtMs: claimed.nextWakeAtMs };
      };
      const nextWakeAtMs = startMs + 70;
      expect(await claim({ sandbox: 1, live: 9 })).toEqual({ runIds: ["s-0", "l-0", "l-1", "l-2"], nextWakeAtMs });
      expect(await claim({ sandbox: 0, live: 9 })).toEqual({ runIds: [], nextWakeAtMs });
      expect(await claim({ sandbox: 9, live: 0 })).toEqual({ runIds: ["s-1", "s-2"], nextWakeAtMs });
    });

    it("raises the epoch with each claim", async () => {
      const { storage, clock } = harness();
      await storage.runs.commit(firstRow("run-1", { then: parked(startMs) }));
      const epochs: number[] = [];
      for (let turn = 0; turn < 4; turn++) {
        await storage.workers.heartbeat({ workerId: `worker-${turn}`, leaseMs: 10 });
        const { runs } = await storage.runs.claim({ workspace, workerId: `worker-${turn}`, limit: 1 });
        epochs.push(...runs.map(({ epoch }) => epoch));
        clock.advance(10);
      }
      expect(epochs).toEqual([2, 3, 4, 5]);
    });

    it("starts with the runs that have waited longest, whether parked or left behind", async () => {
      const { storage, clock } = harness();
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 20 });
      await storage.workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      await commitAll(storage.runs, [
        firstRow("third", { then: parked(startMs + 30) }),
        firstRow("second"),
        firstRow("first", { then: parked(startMs + 10) }),
        firstRow("later", { then: parked(startMs + 90) }),
      ]);
      clock.advance(50);
      const first = await storage.runs.claim({ workspace, workerId: otherWorker, limit: 2 });
      expect(first.runs.map(({ runId }) => runId)).toEqual(["first", "second"]);
      const next = await storage.runs.claim({ workspace, workerId: otherWorker, limit: 2 });
      expect(next.runs.map(({ runId }) => runId)).toEqual(["third"]);
    });

    it("returns the earliest time at which another run becomes claimable", async () => {
      const { storage, clock } = harness();
      await storage.workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      await commitAll(storage.runs, [
        firstRow("due-1", { then: parked(startMs) }),
        firstRow("due-2", { then: parked(startMs - 5) }),
        firstRow("later", { then: parked(startMs + 70) }),
        firstRow("much-later", { then: parked(startMs + 700) }),
      ]);
      const claims = [
        await storage.runs.claim({ workspace, workerId: otherWorker, limit: 1 }),
        await storage.runs.claim({ workspace, workerId: otherWorker, limit: 0 }),
      ];
      expect(claims.map(({ nextWakeAtMs }) => nextWakeAtMs)).toEqual([startMs + 70, startMs + 70]);
      expect(claims[1]?.runs).toEqual([]);
      clock.advance(70);
      expect((await storage.runs.claim({ workspace, workerId: otherWorker, limit: 9 })).nextWakeAtMs).toBe(
        startMs + 700,
      );
    });

    it("sets the status of a claimed run to running", async () => {
      const { storage } = harness();
      await storage.workers.heartbeat({ workerId: otherWorker, leaseMs: 1_000 });
      const then = { ...awaiting, wakeAtMs: startMs };
      await storage.runs.commit(firstRow("run-1", { then }));
      const status = async (): Promise<unknown> => (await storage.runs.get({ scope: sandbox, runId: "run-1" }))?.status;
      expect(await status()).toBe("awaiting_review");
      expect((await storage.runs.claim({ workspace, workerId: otherWorker, limit: 1 })).runs).toHaveLength(1);
      expect(await status()).toBe("running");
      await storage.runs.commit(row("run-1", 2, { epoch: 2, then: { ...hot, workerId: otherWorker } }));
      expect(await status()).toBe("running");
      expect((await storage.runs.claim({ workspace, workerId: worker, limit: 1 })).runs).toEqual([]);
    });
  });
}
