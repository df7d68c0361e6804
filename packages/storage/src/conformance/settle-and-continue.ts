import { describe, expect, it } from "vitest";
import type { InvocationSettlement, NewResult } from "../invocations.ts";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  fenced,
  invocation,
  invokingRun,
  otherWorker,
  parked,
  post,
  review,
  row,
  sandbox,
  worker,
  workspace,
} from "./samples.ts";

const effectKey = "effect-invocation-1";
const next = row("run-1", 2, { epoch: 2, consume: [effectKey] });
const result: NewResult = {
  scope: sandbox,
  connectionId: "connection-1",
  invocationId: "invocation-1",
  leaseToken: "token-1",
  body: '{"ok":1}',
  claimFor: worker,
  next,
};
const notified = [{ effectKey, body: result.body }];

export function describeSettleAndContinue(options: ConformanceOptions): void {
  describe("a result with the run's next row", () => {
    const harness = useHarness(options);

    const lease = { leaseToken: "token-1", leaseMs: 1_000 };
    /** `run-1` waits for `invocation-1`, which a client holds. */
    const begin = async (commit: Parameters<typeof invokingRun>[3] = {}): Promise<void> => {
      const call = invokingRun("run-1", "invocation-1", { lease }, commit);
      expect(await harness().storage.runs.commit(call)).toEqual(committed);
    };
    const settle = (changes: Partial<NewResult> = {}): Promise<InvocationSettlement> =>
      harness().storage.invocations.settle({ ...result, ...changes });
    /** An adapter may ignore the row, and claim the run instead. */
    const continued = (settled: InvocationSettlement): boolean => {
      expect(settled).toMatchObject({ status: "accepted" });
      return settled.status === "accepted" && settled.continued === true;
    };
    const journal = (): Promise<readonly unknown[]> =>
      harness().storage.runs.journal({ scope: sandbox, runId: "run-1" });

    it("claims a parked run for the worker in claimFor, and leaves a hot run with its owner", async () => {
      const { runs, invocations } = harness().storage;
      await begin();
      const { next: _next, ...alone } = result;
      expect(await invocations.settle(alone)).toMatchObject({
        status: "accepted",
        claimed: { runId: "run-1", epoch: 2, takenOver: false, journal: [{ seq: 1 }], inbox: notified },
      });
      expect(await runs.commit(next)).toEqual(committed);
      const call = invokingRun("run-2", "invocation-2", { lease }, { then: { kind: "hot", workerId: otherWorker } });
      await runs.commit(call);
      expect(await invocations.settle({ ...alone, invocationId: "invocation-2" })).toEqual({
        status: "accepted",
        claimed: undefined,
      });
    });

    it("is durable together with that row, and the worker owns the run", async () => {
      const { runs, inbox, workers, invocations } = harness().storage;
      await begin();
      const settled = await settle();
      if (!continued(settled)) expect(settled).toMatchObject({ claimed: { runId: "run-1", epoch: 2 } });
      else expect(settled).toMatchObject({ claimed: undefined });
      expect(await runs.commit(next)).toEqual(committed);
      expect(await journal()).toHaveLength(2);
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
      expect(await workers.listRuns({ workerId: worker })).toEqual(["run-1"]);
      expect(await invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([{ status: "settled" }]);
      expect(await runs.commit(row("run-1", 3, { epoch: 2, then: completed }))).toEqual(committed);
      expect(await settle()).toEqual({ status: "repeated" });
    });

    it("may end the run, park it at its next call, or open a review", async () => {
      const { runs, invocations, reviews } = harness().storage;
      const rows = [
        { then: completed },
        { then: parked(), invocation: invocation("next-1", { lease: { ...lease, leaseToken: "token-2" } }) },
        { then: awaiting, openReview: review("review-1") },
      ];
      for (const [index, effects] of rows.entries()) {
        const runId = `run-${index}`;
        await runs.commit(invokingRun(runId, `call-${index}`, { lease }));
        const follows = row(runId, 2, { epoch: 2, consume: [`effect-call-${index}`], ...effects });
        if (!continued(await settle({ invocationId: `call-${index}`, next: follows }))) await runs.commit(follows);
      }
      expect(await runs.get({ scope: sandbox, runId: "run-0" })).toMatchObject({ status: "completed" });
      expect(await invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([
        { status: "settled" },
        { status: "leased" },
      ]);
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({ status: "open" });
      expect((await runs.claim({ workspace, workerId: worker, limit: 9 })).runs).toEqual([]);
    });

    it.each([
      ["does not follow the last one", { seq: 3 }],
      ["is of another epoch", { epoch: 3 }],
      ["cannot be stored", { body: "half an emoji: \ud83d" }],
      ["would end the run with the result unread", { consume: [], then: completed }],
    ])("claims the run without the row when it %s", async (_why, changes) => {
      const { runs } = harness().storage;
      await begin();
      const settled = await settle({ next: { ...next, ...changes } });
      expect(continued(settled)).toBe(false);
      expect(settled).toMatchObject({ claimed: { epoch: 2, journal: [{ seq: 1 }], inbox: notified } });
      expect(await runs.commit(next)).toEqual(committed);
    });

    it("claims the run without the row when its inbox holds another notification", async () => {
      const { inbox } = harness().storage;
      await begin();
      await inbox.post([post("run-1", "cancel")]);
      const settled = await settle();
      expect(continued(settled)).toBe(false);
      expect(settled).toMatchObject({ claimed: { inbox: [{ effectKey: "cancel" }, ...notified] } });
      expect(await journal()).toHaveLength(1);
    });

    it("is stored alone when another worker owns the run, whose next row is then committed", async () => {
      const { runs } = harness().storage;
      await begin();
      await runs.commit(row("run-1", 2, { hash: "other", then: { kind: "hot", workerId: otherWorker } }));
      expect(await settle()).toEqual({ status: "accepted", claimed: undefined });
      expect(await journal()).toMatchObject([{ seq: 1 }, { hash: "other" }]);
      expect(await runs.commit(row("run-1", 3, { consume: [effectKey] }))).toEqual(committed);
    });

    it("does not change a run when it is not accepted", async () => {
      const { runs, workers } = harness().storage;
      await begin();
      expect(await settle({ leaseToken: "token-0" })).toEqual({ status: "stale" });
      expect(await settle({ invocationId: "unknown" })).toEqual({ status: "not_found" });
      expect(await journal()).toHaveLength(1);
      expect(await workers.listRuns({ workerId: worker })).toEqual([]);
      expect(await runs.commit(next)).toEqual(fenced);
    });

    it("is accepted once among concurrent repetitions", async () => {
      await begin();
      const rows = Array.from({ length: 30 }, (_, index) => ({ ...next, hash: `hash-${index}`, body: `${index}` }));
      const settled = await Promise.all(rows.map((one) => settle({ next: one, body: one.body })));
      expect(settled.filter(({ status }) => status === "repeated")).toHaveLength(29);
      const first = settled.findIndex(({ status }) => status === "accepted");
      const answer = settled[first];
      if (answer === undefined || !continued(answer)) return;
      expect(await journal()).toMatchObject([{ seq: 1 }, { seq: 2, body: `${first}` }]);
    });

    it("leaves the run with one owner when it races a claim", async () => {
      const { runs, workers } = harness().storage;
      // Without a lease, the claim would take over a run that has already continued, as after a crash.
      await workers.heartbeat({ workerId: worker, leaseMs: 60_000 });
      const ids = Array.from({ length: 20 }, (_, index) => index);
      await commitAll(
        runs,
        ids.map((id) => invokingRun(`run-${id}`, `call-${id}`, { lease }, { then: parked(0) })),
      );
      const [claim, ...settled] = await Promise.all([
        runs.claim({ workspace, workerId: otherWorker, limit: 99 }),
        ...ids.map((id) =>
          settle({
            invocationId: `call-${id}`,
            next: row(`run-${id}`, 2, { epoch: 2, consume: [`effect-call-${id}`] }),
          }),
        ),
      ]);
      const taken = new Set(claim.runs.map(({ runId }) => runId));
      for (const [id, answer] of settled.entries()) {
        const isMine = answer.status === "accepted" && (answer.continued === true || answer.claimed !== undefined);
        expect(answer.status).toBe("accepted");
        expect(isMine).toBe(!taken.has(`run-${id}`));
      }
    });
  });
}
