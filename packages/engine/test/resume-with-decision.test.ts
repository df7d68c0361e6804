import { storageUnavailable } from "@procedo-testing/faults";
import type { NewDecision } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { firstBrokenRow } from "../src/journal/chain.ts";
import { deriveKey } from "../src/secrets/derive-key.ts";
import { alice, carol, createHarness, testKey, uuid, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const reviewers = { people: ["bob", "carol"] };
const document = procedure([call("look", "read"), review("r", { reviewers }), call("a", "once")]);
const environment = "sandbox";

/** The run ended as expected: one call, a journal that verifies, one review. */
async function expectOneCall(harness: Harness, runId: string): Promise<void> {
  expect((await harness.read(runId)).status).toBe("completed");
  expect(harness.bank.callsOf("once")).toHaveLength(1);
  expect(await harness.reviews(runId)).toHaveLength(1);
  const rows = await harness.engine.runs.journal({ environment, runId });
  expect(firstBrokenRow(deriveKey(testKey, "journal"), runId, rows)).toBeUndefined();
}

describe("a decision on a run that was parked in this process", () => {
  test("is stored with the run's next row: two durable writes from the decision to the end, without reading its journal", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    const { way } = harness.engine;
    const verbs = ["runs.commit", "reviews.ofRun", "inbox.read", "runs.journal"] as const;
    const before = verbs.map((verb) => way.count(verb));
    expect(await harness.decide(runId)).toMatchObject({ status: "approved" });
    const after = verbs.map((verb) => way.count(verb));
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 0, 0]);
    await expectOneCall(harness, runId);
  });

  test("resumes the run from memory as soon as a caller sees the review", async () => {
    const harness = await createHarness();
    await harness.publish(document);
    const { way, runs } = harness.engine;
    const outcome = await runs.execute({ procedureId: "p", environment, data: { amount: 1 }, by: alice });
    const before = way.count("reviews.ofRun");
    expect(await harness.decide(outcome.runId)).toMatchObject({ status: "approved" });
    expect(way.count("reviews.ofRun")).toBe(before);
    await expectOneCall(harness, outcome.runId);
  });

  test("has the same result with a storage that does not store the row with it", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    harness.engine.way.on("reviews.decide", async (_work, request) => {
      const { next: _next, ...decision } = request as NewDecision;
      return await harness.storage.reviews.decide(decision);
    });
    expect(await harness.decide(runId)).toMatchObject({ status: "approved" });
    await expectOneCall(harness, runId);
  });

  test("has the same result if a rejection ends the run", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    expect(await harness.decide(runId, { approved: false, rejectionReason: "No." })).toMatchObject({
      status: "rejected",
    });
    expect(await harness.read(runId)).toMatchObject({ status: "failed" });
    expect(harness.bank.callsOf("once")).toHaveLength(0);
  });

  test("resumes a run up to its next review", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([call("look", "read"), review("r"), review("s"), call("a", "once")]));
    const first = await harness.decide(runId);
    const second = await harness.decide(runId);
    expect(second.reviewId).not.toBe(first.reviewId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.callsOf("once")).toHaveLength(1);
  });

  test("does not overtake a cancellation that was accepted before", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    const cancelled = await harness.addEngine({ started: false });
    harness.engine.way.on("runs.claim", async () => ({ runs: [], nextWakeAtMs: undefined }));
    await cancelled.runs.cancel({ environment, runId, by: alice });
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({ status: "failed" });
    expect(harness.bank.callsOf("once")).toHaveLength(0);
    expect(await harness.reviews(runId)).toMatchObject([{ status: "approved" }]);
  });

  test("is refused as usual if another engine has recorded one meanwhile", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    const other = await harness.addEngine();
    await other.reviews.decide({ environment, runId, approved: true, idempotencyKey: uuid(), by: carol });
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "already_decided" });
    await harness.clock.advance(10_000);
    await expectOneCall(harness, runId);
  });

  test("is refused as usual if it is invalid, and the run keeps waiting", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    await expect(harness.decide(runId, { by: { person: "mallory", roles: [] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(harness.decide(runId, { idempotencyKey: "no uuid" })).rejects.toMatchObject({
      code: "invalid_decision",
    });
    await expect(harness.decide(runId, { reviewId: "rev_another" })).rejects.toMatchObject({
      code: "review_not_found",
    });
    await harness.decide(runId);
    await expectOneCall(harness, runId);
  });

  test("concurrent with another one is refused or recorded, and one is recorded", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    const results = await Promise.allSettled([harness.decide(runId), harness.decide(runId, { by: carol })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await harness.clock.settle();
    await expectOneCall(harness, runId);
  });

  test.each([
    ["was stored", "replayed"],
    ["was not stored", "approved"],
  ])("can be repeated after a lost answer, and the call is made once (it %s)", async (when, repeated) => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    let lose = true;
    harness.engine.way.on("reviews.decide", async (work) => {
      if (!lose) return await work();
      lose = false;
      if (when === "was stored") await work();
      throw storageUnavailable();
    });
    const idempotencyKey = uuid();
    await expect(harness.decide(runId, { idempotencyKey })).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await harness.decide(runId, { idempotencyKey })).toMatchObject({ status: repeated });
    await harness.clock.advance(60_000);
    await expectOneCall(harness, runId);
  });

  test("that was not stored does not precede a later one that was stored and returned the run here", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    const { way } = harness.engine;
    let lose = true;
    way.on("reviews.decide", async (work) => {
      if (!lose) return await work();
      lose = false;
      throw storageUnavailable();
    });
    // The worker looks for the approval after the rejection was stored, and before its row is.
    const rejected = Promise.withResolvers<void>();
    way.on("workers.listRuns", (work) => rejected.promise.then(work));
    const looked = Promise.withResolvers<void>();
    way.on("inbox.read", (work) => looked.promise.then(work));

    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "storage_unavailable" });
    await harness.decide(runId, { approved: false, rejectionReason: "No.", by: carol });
    rejected.resolve();
    await harness.clock.settle();
    looked.resolve();
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "No." });
    expect(harness.bank.callsOf("once")).toHaveLength(0);
    expect(await harness.reviews(runId)).toMatchObject([{ status: "rejected" }]);
  });

  test("that was stored after an unread cancellation allows no call when its answer is lost", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    const { way } = harness.engine;
    const scope = { workspace: "default", environment: "sandbox" } as const;
    way.on("reviews.decide", async (work) => {
      const body = JSON.stringify({ type: "cancel", by: "alice" });
      await harness.storage.inbox.post([{ scope, runId, effectKey: "cancel", body }]);
      await work();
      throw storageUnavailable();
    });
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "storage_unavailable" });
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: expect.stringContaining("ancelled") });
    expect(harness.bank.callsOf("once")).toHaveLength(0);
  });

  test("does not wait for a connection that must be read first", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(document);
    // A new connection makes engines read the integrations again that need no connection.
    await harness.engine.connections.create({ name: "office", integration: "private_connection", by: alice });
    let reachable = false;
    harness.engine.way.on("records.find", async (work) => {
      if (!reachable) throw storageUnavailable();
      return await work();
    });
    expect(await harness.decide(runId)).toMatchObject({ status: "approved" });
    expect(harness.bank.callsOf("once")).toHaveLength(0);
    reachable = true;
    await harness.clock.advance(10_000);
    await expectOneCall(harness, runId);
  });
});
