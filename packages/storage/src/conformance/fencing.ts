import { describe, expect, it } from "vitest";
import type { RunCommit } from "../runs.ts";
import type { Harness, ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import {
  commitAll,
  audit,
  awaiting,
  committed,
  completed,
  event,
  fenced,
  firstRow,
  live,
  otherWorker,
  parked,
  post,
  record,
  review,
  row,
  sandbox,
  worker,
  workspace,
} from "./samples.ts";

export function describeFencing(options: ConformanceOptions): void {
  describe("the fence of runs.commit", () => {
    const harness = useHarness(options);

    it("answers a repeated row as committed and changes nothing", async () => {
      const { storage } = harness();
      const { runs, inbox, deliveries } = storage;
      await storage.records.put({
        record: record("hook", { kind: "webhook", keys: ["acme/sandbox/run_completed"] }),
        ifRevision: 0,
        audit: audit(1),
      });
      const first = firstRow("run-1");
      const second = row("run-1", 2, { openReview: review("review-1"), events: [event("event-1")], then: awaiting });
      await runs.commit(first);
      await runs.commit(second);
      await inbox.post([post("run-1", "a")]);
      const before = await readAll(harness(), "run-1");
      expect(await runs.commit(first)).toEqual(committed);
      expect(await runs.commit({ ...second, consume: ["a"] })).toEqual(committed);
      expect(await readAll(harness(), "run-1")).toEqual(before);
      expect((await deliveries.list({ scope: sandbox, webhookId: "hook", limit: 10 })).items).toHaveLength(1);
    });

    it("answers a repeated row as committed to the owner that wrote it, also after the run has ended", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      await runs.claim({ workspace, workerId: otherWorker, limit: 1 });
      await runs.commit(row("run-1", 2, { epoch: 2, then: completed }));
      expect(await runs.commit(row("run-1", 2, { epoch: 2, then: completed }))).toEqual(committed);
      expect(await runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "completed" });
    });

    it("fences a repeated row once another worker has claimed the run: only one owner may act on it", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      await runs.claim({ workspace, workerId: otherWorker, limit: 1 });
      expect(await runs.commit(firstRow("run-1"))).toEqual({ status: "fenced" });
      expect(await runs.commit(row("run-1", 2, { epoch: 2 }))).toEqual(committed);
      expect(await runs.commit(row("run-1", 2, { epoch: 1 }))).toEqual({ status: "fenced" });
    });

    const refusals: readonly (readonly [name: string, item: RunCommit])[] = [
      ["a seq that a row with another hash has taken", row("run-1", 2, { hash: "another" })],
      ["a creation of a run that exists with another first row", firstRow("run-1", { hash: "another" })],
      ["a gap", row("run-1", 4)],
      ["an earlier epoch", row("run-1", 3, { epoch: 0 })],
      ["an epoch that was never assigned", row("run-1", 3, { epoch: 2 })],
      ["a run that does not exist", row("run-9", 2)],
      ["a run of another environment", row("run-1", 3, { scope: live })],
      ["a creation that takes another environment's run id", firstRow("run-1", { scope: live })],
      ["a row on a run that has ended", row("run-2", 2)],
    ];
    it.each(refusals)("fences %s, and changes nothing", async (_name, item) => {
      const { runs } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2", { then: completed })]);
      await runs.commit(row("run-1", 2));
      const before = [await readAll(harness(), "run-1"), await readAll(harness(), "run-2")];
      const effects = { openReview: review("review-1"), events: [event("event-1")], then: awaiting };
      expect(await runs.commit({ ...item, ...effects })).toEqual(fenced);
      expect([await readAll(harness(), "run-1"), await readAll(harness(), "run-2")]).toEqual(before);
    });

    it("fences the previous owner as soon as another worker has claimed the run", async () => {
      const { runs, workers } = harness().storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 1_000 });
      await runs.commit(firstRow("run-1"));
      harness().clock.advance(1_001);
      const { runs: claimed } = await runs.claim({ workspace, workerId: otherWorker, limit: 1 });
      expect(claimed[0]).toMatchObject({ runId: "run-1", epoch: 2, takenOver: true });
      expect(await runs.commit(row("run-1", 2))).toEqual(fenced);
      expect(await runs.commit(row("run-1", 2, { epoch: 2, then: { kind: "hot", workerId: otherWorker } }))).toEqual(
        committed,
      );
    });

    it("still fences the previous owner when the new owner has parked the run again", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      await runs.claim({ workspace, workerId: otherWorker, limit: 1 });
      await runs.commit(row("run-1", 2, { epoch: 2, then: parked() }));
      expect(await runs.commit(row("run-1", 3))).toEqual(fenced);
    });

    it("accepts one of several concurrent writers of the same row", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1"));
      const writers = Array.from({ length: 20 }, (_, index) => row("run-1", 2, { hash: `hash-${index}` }));
      const results = await Promise.all(writers.map(async (item) => (await commitAll(runs, [item]))[0]?.status));
      expect(results.filter((status) => status === "committed")).toHaveLength(1);
      expect(results.filter((status) => status === "fenced")).toHaveLength(19);
      const journal = await runs.journal({ scope: sandbox, runId: "run-1" });
      expect(journal[1]?.hash).toBe(`hash-${results.indexOf("committed")}`);
    });
  });
}

/** All readable data of a run. */
async function readAll({ storage }: Harness, runId: string): Promise<unknown> {
  const run = { scope: sandbox, runId };
  return {
    row: await storage.runs.get(run),
    journal: await storage.runs.journal(run),
    inbox: await storage.inbox.read(run),
    reviews: await storage.reviews.ofRun(run),
  };
}
