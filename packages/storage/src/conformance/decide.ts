import { describe, expect, it } from "vitest";
import type { DecideResult } from "../reviews.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  decision,
  elsewhere,
  firstRow,
  live,
  otherWorker,
  post,
  review,
  row,
  sandbox,
  waitingRun,
  worker,
  workspace,
} from "./samples.ts";

const recorded = { status: "recorded", closed: true, claimed: undefined } as const;

export function describeDecide(options: ConformanceOptions): void {
  describe("reviews.decide", () => {
    const harness = useHarness(options);

    it("closes the review, notifies the run and wakes it", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      const approval = decision("run-1", "review-1");
      expect(await reviews.decide(approval)).toEqual(recorded);
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({
        status: "approved",
        closedAtMs: startMs + 100,
        decisions: [approval.body],
      });
      expect((await runs.claim({ workspace, workerId: worker, limit: 10 })).runs).toMatchObject([
        { runId: "run-1", inbox: [{ effectKey: "effect-review-1", body: `[${approval.body}]` }] },
      ]);
    });

    it("claims a parked run for the worker in claimFor, and leaves a hot run with its owner", async () => {
      const { runs, reviews } = harness().storage;
      await commitAll(runs, [waitingRun("run-1", "review-1"), firstRow("run-2", { openReview: review("review-2") })]);
      expect(await reviews.decide(decision("run-1", "review-1", { claimFor: worker }))).toMatchObject({
        claimed: { runId: "run-1", epoch: 2, takenOver: false, inbox: [{ effectKey: "effect-review-1" }] },
      });
      expect(await reviews.decide(decision("run-2", "review-2", { claimFor: otherWorker }))).toEqual(recorded);
      expect(await runs.commit(row("run-2", 2, { consume: ["effect-review-2"] }))).toEqual(committed);
    });

    describe("with the run's next row", () => {
      const next = row("run-1", 2, { epoch: 2, consume: ["effect-review-1"] });
      const decided = decision("run-1", "review-1", { claimFor: worker, next });

      /** An adapter may ignore the row, and claim the run instead. */
      const continued = (result: DecideResult): boolean => {
        expect(result).toMatchObject({ status: "recorded", closed: true });
        return result.status === "recorded" && result.continued === true;
      };

      it("makes both durable together, and the worker owns the run", async () => {
        const { runs, reviews, inbox, workers } = harness().storage;
        await runs.commit(waitingRun("run-1", "review-1"));
        const result = await reviews.decide(decided);
        if (!continued(result)) expect(result).toMatchObject({ claimed: { runId: "run-1", epoch: 2 } });
        else expect(result).toMatchObject({ claimed: undefined });
        expect(await runs.commit(next)).toEqual(committed);
        expect(await runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(2);
        expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
        expect(await workers.listRuns({ workerId: worker })).toEqual(["run-1"]);
        expect(await runs.commit(row("run-1", 3, { epoch: 2, then: completed }))).toEqual(committed);
        expect(await reviews.decide(decided)).toEqual({ status: "replayed", body: decided.body });
      });

      it("lets that row end the run, or park it at its next review", async () => {
        const { runs, reviews } = harness().storage;
        await commitAll(runs, [waitingRun("run-1", "review-1"), waitingRun("run-2", "review-2")]);
        const ends = { ...next, then: completed };
        if (!continued(await reviews.decide({ ...decided, next: ends }))) await runs.commit(ends);
        expect(await runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "completed" });
        const consume = ["effect-review-2"];
        const asks = row("run-2", 2, { epoch: 2, consume, openReview: review("review-3"), then: awaiting });
        const second = decision("run-2", "review-2", { claimFor: worker, next: asks });
        if (!continued(await reviews.decide(second))) await runs.commit(asks);
        expect(await runs.get({ scope: sandbox, runId: "run-2" })).toMatchObject({ status: "awaiting_review" });
        expect(await reviews.get({ scope: sandbox, reviewId: "review-3" })).toMatchObject({ status: "open" });
      });

      it.each([
        ["does not follow the last one", { seq: 3 }],
        ["is of another epoch", { epoch: 3 }],
        ["cannot be stored", { body: "half an emoji: \ud83d" }],
      ])("claims the run without the row when it %s", async (_why, changes) => {
        const { runs, reviews } = harness().storage;
        await runs.commit(waitingRun("run-1", "review-1"));
        const result = await reviews.decide({ ...decided, next: { ...next, ...changes } });
        expect(continued(result)).toBe(false);
        expect(result).toMatchObject({
          claimed: { epoch: 2, journal: [{ seq: 1 }], inbox: [{ effectKey: "effect-review-1" }] },
        });
        expect(await runs.commit(next)).toEqual(committed);
      });

      it("claims the run without the row when its inbox holds another notification", async () => {
        const { runs, reviews, inbox } = harness().storage;
        await runs.commit(waitingRun("run-1", "review-1"));
        await inbox.post([post("run-1", "cancel")]);
        const result = await reviews.decide(decided);
        expect(continued(result)).toBe(false);
        expect(result).toMatchObject({
          claimed: { inbox: [{ effectKey: "cancel" }, { effectKey: "effect-review-1" }] },
        });
        expect(await runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
      });

      it("does not change a run that another worker owns, or that waits for more decisions", async () => {
        const { runs, reviews } = harness().storage;
        await commitAll(runs, [firstRow("run-1", { openReview: review("review-1") }), waitingRun("run-2", "review-2")]);
        expect(await reviews.decide({ ...decided, claimFor: otherWorker })).toEqual(recorded);
        const another = row("run-2", 2, { epoch: 2, consume: ["effect-review-2"] });
        const first = decision("run-2", "review-2", { claimFor: worker, next: another, approvalsNeeded: 2 });
        expect(await reviews.decide(first)).toEqual({ status: "recorded", closed: false, claimed: undefined });
        for (const runId of ["run-1", "run-2"]) {
          expect(await runs.journal({ scope: sandbox, runId })).toHaveLength(1);
        }
      });
    });

    it("is not lost when it arrives before the run is parked", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(firstRow("run-1", { openReview: review("review-1") }));
      await reviews.decide(decision("run-1", "review-1"));
      await runs.commit(row("run-1", 2, { then: awaiting }));
      expect(await runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "running" });
      expect((await runs.claim({ workspace, workerId: otherWorker, limit: 1 })).runs).toMatchObject([
        { runId: "run-1", inbox: [{ effectKey: "effect-review-1" }] },
      ]);
    });

    it("ends with one rejection, for any quorum", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      const approval = decision("run-1", "review-1", { approvalsNeeded: 3 });
      const rejection = decision("run-1", "review-1", { person: "bob", approved: false, approvalsNeeded: 3 });
      await reviews.decide(approval);
      expect(await reviews.decide(rejection)).toEqual(recorded);
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({
        status: "rejected",
        decisions: [approval.body, rejection.body],
      });
    });

    it("waits for as many people as the quorum requires", async () => {
      const { runs, reviews, inbox } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      const by = (person: string): ReturnType<typeof decision> =>
        decision("run-1", "review-1", { person, approvalsNeeded: 3 });
      const open = { status: "recorded", closed: false, claimed: undefined };
      expect(await reviews.decide(by("ada"))).toEqual(open);
      expect(await reviews.decide(by("bob"))).toEqual(open);
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({
        status: "open",
        decisions: [by("ada").body, by("bob").body],
      });
      expect((await runs.claim({ workspace, workerId: worker, limit: 1 })).runs).toEqual([]);
      expect(await reviews.decide(by("cyd"))).toEqual(recorded);
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([
        { effectKey: "effect-review-1", body: `[${by("ada").body},${by("bob").body},${by("cyd").body}]` },
      ]);
    });

    it("counts each person once", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      const first = decision("run-1", "review-1", { approvalsNeeded: 2 });
      await reviews.decide(first);
      expect(await reviews.decide({ ...first, idempotencyKey: "another" })).toEqual({ status: "already_voted" });
      const twice = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          reviews.decide(
            decision("run-1", "review-1", { person: "bob", idempotencyKey: `bob-${index}`, approvalsNeeded: 9 }),
          ),
        ),
      );
      expect(twice.filter(({ status }) => status === "recorded")).toHaveLength(1);
      expect(twice.filter(({ status }) => status === "already_voted")).toHaveLength(9);
    });

    it("counts each person once, in any spelling of the name", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      const as = (person: string, key: string): ReturnType<typeof decision> =>
        decision("run-1", "review-1", { decisionId: key, person, idempotencyKey: key, approvalsNeeded: 3 });
      expect(await reviews.decide(as(" R\u00c9my@Example.com", "first"))).toMatchObject({ status: "recorded" });
      for (const [index, written] of [
        "r\u00e9my@example.com",
        "re\u0301my@example.com",
        "RE\u0301MY@EXAMPLE.COM ",
      ].entries()) {
        expect(await reviews.decide(as(written, `again-${index}`))).toEqual({ status: "already_voted" });
      }
      expect(await reviews.decide(as("remy@example.com", "another"))).toMatchObject({ status: "recorded" });
    });

    it("answers a repeated key with the first decision, even with another body or on a closed review", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      const first = decision("run-1", "review-1");
      await reviews.decide(first);
      const again = { ...first, approved: false, person: "bob", body: '"other"' };
      expect(await reviews.decide(again)).toEqual({ status: "replayed", body: first.body });
      await runs.commit(row("run-1", 2, { consume: ["effect-review-1"], then: completed }));
      expect(await reviews.decide(again)).toEqual({ status: "replayed", body: first.body });
      expect((await reviews.get({ scope: sandbox, reviewId: "review-1" }))?.decisions).toEqual([first.body]);
    });

    it("refuses a key that another run of the environment has used, but not one of another environment", async () => {
      const { runs, reviews } = harness().storage;
      await commitAll(runs, [
        waitingRun("run-1", "review-1"),
        waitingRun("run-2", "review-2"),
        { ...waitingRun("run-3", "review-3"), scope: live },
        { ...waitingRun("run-4", "review-4"), scope: elsewhere },
      ]);
      const idempotencyKey = "key-1";
      await reviews.decide(decision("run-1", "review-1", { idempotencyKey }));
      expect(await reviews.decide(decision("run-2", "review-2", { idempotencyKey }))).toEqual({ status: "key_reused" });
      expect(await reviews.decide(decision("run-3", "review-3", { idempotencyKey, scope: live }))).toEqual(recorded);
      const other = decision("run-4", "review-4", { idempotencyKey, scope: elsewhere });
      expect(await reviews.decide(other)).toEqual(recorded);
    });

    it("answers a decision on a closed review with its final state, and does not store the decision's key", async () => {
      const { runs, reviews } = harness().storage;
      await commitAll(runs, [waitingRun("run-1", "review-1"), waitingRun("run-2", "review-2")]);
      await reviews.decide(decision("run-1", "review-1"));
      const late = decision("run-1", "review-1", { person: "bob", idempotencyKey: "late" });
      expect(await reviews.decide(late)).toMatchObject({
        status: "not_open",
        review: { reviewId: "review-1", status: "approved", decisions: [decision("run-1", "review-1").body] },
      });
      expect(await reviews.decide(decision("run-2", "review-2", { idempotencyKey: "late" }))).toEqual(recorded);
    });

    it("finds no review under another run, another id or another scope", async () => {
      const { runs, reviews } = harness().storage;
      await commitAll(runs, [waitingRun("run-1", "review-1"), waitingRun("run-2", "review-2")]);
      const strays = [
        decision("run-2", "review-1", { idempotencyKey: "a" }),
        decision("run-1", "review-9", { idempotencyKey: "b" }),
        decision("run-9", "review-1", { idempotencyKey: "c" }),
        decision("run-1", "review-1", { idempotencyKey: "d", scope: live }),
        decision("run-1", "review-1", { idempotencyKey: "e", scope: elsewhere }),
      ];
      for (const stray of strays) {
        expect(await reviews.decide(stray)).toEqual({ status: "not_open", review: undefined });
      }
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({ status: "open" });
    });

    it("is too late when the effect was settled without it", async () => {
      const { runs, reviews, inbox } = harness().storage;
      await commitAll(runs, [waitingRun("run-1", "review-1"), waitingRun("run-2", "review-2")]);
      await inbox.post([post("run-1", "effect-review-1")]);
      const late = decision("run-1", "review-1", { idempotencyKey: "late" });
      expect(await reviews.decide(late)).toMatchObject({ status: "not_open", review: { status: "settled" } });
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({
        status: "settled",
        closedAtMs: startMs + 100,
        decisions: [],
      });
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([
        { effectKey: "effect-review-1", body: post("run-1", "effect-review-1").body },
      ]);
      expect(await reviews.decide(decision("run-2", "review-2", { idempotencyKey: "late" }))).toEqual(recorded);
    });

    it("is too late when the run has ended with its review open", async () => {
      const { runs, reviews, inbox } = harness().storage;
      await runs.commit(waitingRun("run-1", "review-1"));
      await runs.commit(row("run-1", 2, { then: completed }));
      expect(await reviews.decide(decision("run-1", "review-1"))).toMatchObject({
        status: "not_open",
        review: { status: "settled" },
      });
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
    });

    it("accepts one of a hundred concurrent decisions of ten people", async () => {
      const { storage, changes } = harness();
      await storage.runs.commit(waitingRun("run-1", "review-1"));
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          storage.reviews.decide(
            decision("run-1", "review-1", {
              person: `person-${index % 10}`,
              approved: index % 2 === 0,
              idempotencyKey: `key-${index}`,
            }),
          ),
        ),
      );
      const winners = results.flatMap(({ status }, index) => (status === "recorded" ? [index] : []));
      expect(winners).toHaveLength(1);
      expect(results.filter(({ status }) => status === "not_open")).toHaveLength(99);
      const stored = await storage.reviews.get({ scope: sandbox, reviewId: "review-1" });
      expect(stored?.decisions).toHaveLength(1);
      expect(stored?.status).toBe((winners[0] ?? 0) % 2 === 0 ? "approved" : "rejected");
      expect(changes.filter(({ type }) => type === "claimable")).toHaveLength(1);
    });

    it("has one outcome when a decision, an expiry and a cancellation by the owner race", async () => {
      const { storage } = harness();
      await storage.runs.commit(firstRow("run-1", { openReview: review("review-1") }));
      const [decided, [expired], [ended]] = await Promise.all([
        storage.reviews.decide(decision("run-1", "review-1")),
        storage.inbox.post([post("run-1", "effect-review-1", { closeReview: "expired" })]),
        commitAll(storage.runs, [row("run-1", 2, { closeReview: { status: "cancelled" }, then: completed })]),
      ]);
      const outcomes = [
        ["approved", decided.status === "recorded"],
        ["expired", expired?.status === "accepted"],
        ["cancelled", ended?.status === "committed"],
      ] as const;
      const won = outcomes.flatMap(([status, wins]) => (wins ? [status] : []));
      expect(won).toHaveLength(1);
      expect((await storage.reviews.get({ scope: sandbox, reviewId: "review-1" }))?.status).toBe(won[0]);
    });
  });
}
