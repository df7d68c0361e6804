import type { NewDecision, RunCommit } from "@procedo/storage";
import { expect, it } from "vitest";
import { openRecordedStorage } from "./recorded-statements.ts";
import { commitAll, firstRow, post, row, scope } from "./run-rows.ts";

function asking(runId: string): RunCommit {
  const shown = { nodeId: "approve", kind: "human_review", title: "Pay?", body: "{}", digest: "digest" };
  const openReview = { ...shown, reviewId: `review-of-${runId}`, effectKey: "approve-1", openedAtMs: 1 };
  return firstRow(runId, { openReview, then: { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } });
}

function deciding(runId: string, changes: Partial<NewDecision> = {}): NewDecision {
  return {
    scope,
    runId,
    reviewId: `review-of-${runId}`,
    decisionId: `decision-on-${runId}`,
    person: "ada",
    approved: true,
    idempotencyKey: `key-of-${runId}`,
    body: '{"approved":true}',
    approvalsNeeded: 1,
    atMs: 100,
    claimFor: "worker-1",
    next: row(runId, 2, { epoch: 2, consume: ["approve-1"] }),
    ...changes,
  };
}

const continued = { status: "recorded", closed: true, claimed: undefined, continued: true };

it("a decision with which a run continues is one statement, however concurrent decisions end", async () => {
  const { storage, asked } = await openRecordedStorage();
  const runIds = ["run-1", "run-2", "run-3"];
  await commitAll(storage.runs, runIds.map(asking));
  await storage.inbox.post([post("run-2")]);
  asked();
  expect(await storage.reviews.decide(deciding("run-1"))).toEqual(continued);
  expect(asked()).toEqual(["decide-and-continue"]);

  const answers = await Promise.all(runIds.map((runId) => storage.reviews.decide(deciding(runId))));
  expect(answers).toMatchObject([
    { status: "replayed", body: '{"approved":true}' },
    { status: "recorded", closed: true, claimed: { runId: "run-2", epoch: 2, journal: [{ seq: 1 }] } },
    continued,
  ]);
});

it("a decision stored with its row leaves the same behind as a decision and a later commit", async () => {
  const { storage } = await openRecordedStorage();
  await commitAll(storage.runs, [asking("run-1"), asking("run-2")]);
  expect(await storage.reviews.decide(deciding("run-1"))).toEqual(continued);
  const { next, ...first } = deciding("run-2");
  expect(await storage.reviews.decide(first)).toMatchObject({ status: "recorded", claimed: { epoch: 2 } });
  expect(await commitAll(storage.runs, next === undefined ? [] : [next])).toEqual([{ status: "committed" }]);
  const leftBy = async (runId: string) => {
    const review = await storage.reviews.get({ scope, reviewId: `review-of-${runId}` });
    const rows = await storage.runs.journal({ scope, runId });
    const unread = await storage.inbox.read({ scope, runId });
    const run = await storage.runs.get({ scope, runId });
    return JSON.parse(JSON.stringify({ review, rows, unread, run }).replaceAll(runId, "run")) as unknown;
  };
  expect(await leftBy("run-1")).toEqual(await leftBy("run-2"));
  expect(await storage.workers.listRuns({ workerId: "worker-1" })).toEqual(["run-1", "run-2"]);
  const again = deciding("run-1", { idempotencyKey: "another", person: "bob" });
  expect(await storage.reviews.decide(again)).toMatchObject({ status: "not_open" });
});

it("a decision on a run that a worker holds does not append its row, and notifies the owner", async () => {
  const { storage } = await openRecordedStorage();
  await storage.runs.commit({ ...asking("run-1"), then: { kind: "hot", workerId: "worker-2" } });
  const result = await storage.reviews.decide(deciding("run-1"));
  expect(result).toEqual({ status: "recorded", closed: true, claimed: undefined });
  expect(await storage.workers.listRuns({ workerId: "worker-2" })).toEqual(["run-1"]);
  expect(await storage.inbox.read({ scope, runId: "run-1" })).toMatchObject([{ effectKey: "approve-1" }]);
});

it("a row under another epoch, or with another number, is not stored with its decision", async () => {
  const { storage } = await openRecordedStorage();
  await commitAll(storage.runs, [asking("run-1"), asking("run-2")]);
  const wrongEpoch = row("run-1", 2, { epoch: 3, consume: ["approve-1"] });
  const wrongRow = row("run-2", 3, { epoch: 2, consume: ["approve-1"] });
  for (const next of [wrongEpoch, wrongRow]) {
    const result = await storage.reviews.decide(deciding(next.runId, { next }));
    expect(result).toMatchObject({ status: "recorded", claimed: { runId: next.runId, epoch: 2 } });
    expect(await storage.runs.journal({ scope, runId: next.runId })).toHaveLength(1);
  }
});
