import { describe, expect, it } from "vitest";
import type { RunPlace } from "../runs.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  firstRow,
  hot,
  otherWorker,
  parked,
  post,
  review,
  row,
  sandbox,
  worker,
  workspace,
} from "./samples.ts";

export function describeCommit(options: ConformanceOptions): void {
  describe("runs.commit", () => {
    const harness = useHarness(options);

    it("stores rows in order, byte for byte", async () => {
      const { runs } = harness().storage;
      const body = '{ "b":1,\n  "a": [1.0, 1e2, "\\u00e9é😀"] }';
      await runs.commit(firstRow("run-1", { body }));
      await runs.commit(row("run-1", 2));
      const rows = await runs.journal({ scope: sandbox, runId: "run-1" });
      expect(rows).toEqual([
        { seq: 1, hash: "hash-run-1-1", body },
        { seq: 2, hash: "hash-run-1-2", body: row("run-1", 2).body },
      ]);
    });

    it("creates the run with its first row", async () => {
      const { runs } = harness().storage;
      expect(await runs.commit(firstRow("run-1"))).toEqual(committed);
      expect(await runs.get({ scope: sandbox, runId: "run-1" })).toEqual({
        scope: sandbox,
        runId: "run-1",
        procedureId: "vendor-payment",
        procedureVersion: "v1",
        status: "running",
        startedBy: "key-1",
        reference: undefined,
        createdAtMs: startMs,
        endedAtMs: undefined,
        error: undefined,
      });
    });

    it("returns the result of each item of a batch in its place", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      const items = [firstRow("run-2"), row("unknown", 2), row("run-1", 2), row("run-1", 9), firstRow("run-3")];
      const results = await commitAll(runs, items);
      expect(results.map(({ status }) => status)).toEqual(["committed", "fenced", "committed", "fenced", "committed"]);
      expect(await commitAll(runs, [])).toEqual([]);
    });

    it("shows the place of the run after its last row", async () => {
      const { runs } = harness().storage;
      const statusAfter = async (seq: number, then: RunPlace): Promise<unknown> => {
        await runs.commit(row("run-1", seq, { then }));
        return (await runs.get({ scope: sandbox, runId: "run-1" }))?.status;
      };
      await runs.commit(firstRow("run-1"));
      expect(await statusAfter(2, awaiting)).toBe("awaiting_review");
      expect(await statusAfter(3, hot)).toBe("running");
      expect(await statusAfter(4, parked(startMs + 1))).toBe("running");
      expect(await statusAfter(5, { kind: "ended", status: "failed", error: "No.", endedAtMs: startMs + 7 })).toBe(
        "failed",
      );
      expect(await runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({
        error: "No.",
        endedAtMs: startMs + 7,
      });
    });

    it("makes the worker that the row names the owner of the run", async () => {
      const { runs, workers } = harness().storage;
      await runs.commit(firstRow("run-1"));
      await runs.commit(row("run-1", 2, { then: { kind: "hot", workerId: otherWorker } }));
      expect(await workers.listRuns({ workerId: worker })).toEqual([]);
      expect(await workers.listRuns({ workerId: otherWorker })).toEqual(["run-1"]);
    });

    it("creates a run in any place", async () => {
      const { runs } = harness().storage;
      await commitAll(runs, [
        firstRow("hot", { then: { kind: "hot", workerId: otherWorker } }),
        firstRow("parked", { then: parked(startMs) }),
        firstRow("ended", { then: completed }),
      ]);
      const claimed = await runs.claim({ workspace, workerId: worker, limit: 10 });
      expect(claimed.runs.map(({ runId, takenOver }) => [runId, takenOver])).toEqual([
        ["hot", true],
        ["parked", false],
      ]);
      expect(await runs.get({ scope: sandbox, runId: "ended" })).toMatchObject({ status: "completed" });
    });

    it("consumes the notifications that a row lists, and no others", async () => {
      const { runs, inbox } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2")]);
      await inbox.post([post("run-1", "a"), post("run-1", "b"), post("run-2", "a")]);
      await runs.commit(row("run-1", 2, { consume: ["a"] }));
      const unread = async (runId: string): Promise<readonly string[]> =>
        (await inbox.read({ scope: sandbox, runId })).map(({ effectKey }) => effectKey);
      expect(await unread("run-1")).toEqual(["b"]);
      expect(await unread("run-2")).toEqual(["a"]);
    });

    it("makes a run that parks with unread notifications claimable at once", async () => {
      const { storage, clock } = harness();
      const { runs, inbox } = storage;
      await storage.workers.heartbeat({ workerId: worker, leaseMs: 60_000 });
      await commitAll(runs, [firstRow("news"), firstRow("no-news"), firstRow("timer")]);
      await inbox.post([post("news", "a"), post("no-news", "a"), post("timer", "a")]);
      await commitAll(runs, [
        row("news", 2, { then: awaiting }),
        row("no-news", 2, { then: awaiting, consume: ["a"] }),
        row("timer", 2, { then: parked(clock.now() + 5_000) }),
      ]);
      const claimed = await runs.claim({ workspace, workerId: otherWorker, limit: 10 });
      expect(claimed.runs.map(({ runId }) => runId)).toEqual(["news", "timer"]);
      expect(claimed.runs[0]?.inbox.map(({ effectKey }) => effectKey)).toEqual(["a"]);
      expect(claimed.nextWakeAtMs).toBeUndefined();
    });

    it("opens a review with its row, and closes it with the row that no longer needs it", async () => {
      const { storage, clock } = harness();
      const { runs, reviews } = storage;
      const statusOf = async (reviewId: string): Promise<unknown> =>
        (await reviews.get({ scope: sandbox, reviewId }))?.status;
      await runs.commit(firstRow("run-1", { openReview: review("first"), then: awaiting }));
      expect(await statusOf("first")).toBe("open");
      clock.advance(50);
      await runs.commit(
        row("run-1", 2, { closeReview: { status: "settled" }, openReview: review("second"), then: awaiting }),
      );
      expect(await statusOf("first")).toBe("settled");
      expect(await statusOf("second")).toBe("open");
      expect((await reviews.get({ scope: sandbox, reviewId: "first" }))?.closedAtMs).toBe(clock.now());
      await runs.commit(row("run-1", 3, { closeReview: { status: "cancelled" }, then: completed }));
      expect(await statusOf("first")).toBe("settled");
      expect(await statusOf("second")).toBe("cancelled");
    });

    it("closes no review when none is open", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      const results = await commitAll(runs, [row("run-1", 2, { closeReview: { status: "settled" } })]);
      expect(results).toEqual([committed]);
    });
  });
}
