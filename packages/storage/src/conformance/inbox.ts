import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  firstRow,
  live,
  otherWorker,
  parked,
  post,
  review,
  row,
  sandbox,
  waitingRun,
  worker,
  workspace,
} from "./samples.ts";

const accepted = { status: "accepted", claimed: undefined } as const;

export function describeInbox(options: ConformanceOptions): void {
  describe("inbox.post", () => {
    const harness = useHarness(options);

    it("keeps the first notification of an effect key permanently, and answers later ones with it", async () => {
      const { runs, inbox } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2")]);
      const first = post("run-1", "a");
      const later = post("run-1", "a", { body: '"late"' });
      const superseded = { status: "superseded", winner: { effectKey: "a", body: first.body } };
      expect(await inbox.post([first])).toEqual([accepted]);
      expect(await inbox.post([later])).toEqual([superseded]);
      await runs.commit(row("run-1", 2, { consume: ["a"] }));
      expect(await inbox.post([later])).toEqual([superseded]);
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
      expect(await inbox.post([post("run-2", "a")])).toEqual([accepted]);
      await runs.commit(row("run-1", 3, { then: completed }));
      expect(await inbox.post([later])).toEqual([superseded]);
    });

    it("accepts one of a hundred concurrent posts, and answers the others with the winner", async () => {
      const { runs, inbox } = harness().storage;
      await runs.commit(firstRow("run-1", { then: awaiting }));
      const results = (
        await Promise.all(
          Array.from({ length: 100 }, (_, index) => inbox.post([post("run-1", "a", { body: `${index}` })])),
        )
      ).flat();
      const winner = results.findIndex(({ status }) => status === "accepted");
      expect(results.filter(({ status }) => status === "accepted")).toHaveLength(1);
      for (const [index, result] of results.entries()) {
        if (index !== winner) expect(result).toMatchObject({ winner: { body: `${winner}` } });
      }
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([{ effectKey: "a", body: `${winner}` }]);
    });

    it("returns the result of each post of a batch in its place", async () => {
      const { runs, inbox } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("ended", { then: completed })]);
      const posts = [
        post("run-1", "a"),
        post("unknown", "a"),
        post("ended", "a"),
        post("run-1", "a"),
        post("run-1", "b"),
        post("run-1", "c", { scope: live }),
      ];
      expect((await inbox.post(posts)).map(({ status }) => status)).toEqual([
        "accepted",
        "unknown_run",
        "ended",
        "superseded",
        "accepted",
        "unknown_run",
      ]);
      expect(await inbox.read({ scope: sandbox, runId: "ended" })).toEqual([]);
    });

    it("returns notifications that are not consumed, oldest first", async () => {
      const { runs, inbox } = harness().storage;
      await runs.commit(firstRow("run-1"));
      await inbox.post([post("run-1", "z"), post("run-1", "a")]);
      await inbox.post([post("run-1", "m")]);
      await runs.commit(row("run-1", 2, { consume: ["a"] }));
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([
        { effectKey: "z", body: '{"effect":"z"}' },
        { effectKey: "m", body: '{"effect":"m"}' },
      ]);
      expect(await inbox.read({ scope: sandbox, runId: "unknown" })).toEqual([]);
    });

    it("closes the review of the same effect key, and no other", async () => {
      const { storage, clock } = harness();
      const { runs, inbox, reviews } = storage;
      await commitAll(runs, [waitingRun("run-1", "review-1"), waitingRun("run-2", "review-2")]);
      clock.advance(7);
      await inbox.post([post("run-1", "effect-review-1", { closeReview: "expired" })]);
      await inbox.post([post("run-2", "another-effect", { closeReview: "settled" })]);
      const row1 = await reviews.get({ scope: sandbox, reviewId: "review-1" });
      const row2 = await reviews.get({ scope: sandbox, reviewId: "review-2" });
      expect([row1?.status, row1?.closedAtMs]).toEqual(["expired", startMs + 7]);
      expect([row2?.status, row2?.closedAtMs]).toEqual(["open", undefined]);
    });

    it("does not close the review when the post is superseded", async () => {
      const { runs, inbox, reviews } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      await inbox.post([post("run-1", "effect-review-1")]);
      await inbox.post([post("run-1", "effect-review-1", { closeReview: "expired" })]);
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({ status: "open" });
    });

    it("makes a parked run claimable at once, as running", async () => {
      const { runs, inbox } = harness().storage;
      await commitAll(runs, [
        firstRow("run-1", { then: awaiting }),
        firstRow("run-2", { then: parked(startMs + 9_000) }),
        firstRow("run-3", { then: parked(startMs + 9_000) }),
      ]);
      await inbox.post([post("run-1", "a"), post("run-2", "a")]);
      expect(await runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "running" });
      const claimed = await runs.claim({ workspace, workerId: worker, limit: 10 });
      expect(claimed.runs.map(({ runId }) => runId)).toEqual(["run-1", "run-2"]);
      expect(claimed.nextWakeAtMs).toBe(startMs + 9_000);
    });

    it("claims a parked run for the worker in claimFor", async () => {
      const { storage } = harness();
      const { runs, inbox, workers } = storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 1_000 });
      await runs.commit(firstRow("run-1", { openReview: review("review-1"), then: awaiting }));
      const [result] = await inbox.post([post("run-1", "a", { claimFor: worker })]);
      expect(result).toMatchObject({
        status: "accepted",
        claimed: { runId: "run-1", epoch: 2, takenOver: false, inbox: [{ effectKey: "a" }] },
      });
      expect((await runs.claim({ workspace, workerId: otherWorker, limit: 10 })).runs).toEqual([]);
      expect(await runs.commit(row("run-1", 2))).toEqual({ status: "fenced" });
      expect(await runs.commit(row("run-1", 2, { epoch: 2, consume: ["a"] }))).toEqual(committed);
    });

    it("leaves a hot run with its owner", async () => {
      const { runs, inbox } = harness().storage;
      await runs.commit(firstRow("run-1"));
      expect(await inbox.post([post("run-1", "a", { claimFor: otherWorker })])).toEqual([accepted]);
      expect(await runs.commit(row("run-1", 2, { consume: ["a"] }))).toEqual(committed);
    });
  });
}
