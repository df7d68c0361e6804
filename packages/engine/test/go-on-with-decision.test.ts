import type { NewDecision } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { firstBrokenRow } from "../src/journal/chain.ts";
import { deriveKey } from "../src/secrets/derive-key.ts";
import { alice, carol, createBench, testKey, uuid, type Bench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { unavailable } from "./interruptible-storage.ts";

const reviewers = { people: ["bob", "carol"] };
const document = procedure([call("look", "read"), review("r", { reviewers }), call("a", "once")]);
const environment = "sandbox";

/** What came to an end as it should: one call, a journal that verifies, nobody asked twice. */
async function expectOneCall(bench: Bench, runId: string): Promise<void> {
  expect((await bench.read(runId)).status).toBe("completed");
  expect(bench.bank.callsOf("once")).toHaveLength(1);
  expect(await bench.reviews(runId)).toHaveLength(1);
  const rows = await bench.engine.runs.journal({ environment, runId });
  expect(firstBrokenRow(deriveKey(testKey, "journal"), runId, rows)).toBeUndefined();
}

describe("a decision on a run that came to rest in this process", () => {
  test("goes with the run's next row: two durable writes from the decision to the end, and its past is not read", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    const { way } = bench.engine;
    const before = ["runs.commit", "reviews.ofRun", "inbox.read", "runs.journal"].map((verb) => way.count(verb));
    expect(await bench.decide(runId)).toMatchObject({ status: "approved" });
    const after = ["runs.commit", "reviews.ofRun", "inbox.read", "runs.journal"].map((verb) => way.count(verb));
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 0, 0]);
    await expectOneCall(bench, runId);
  });

  test("resumes the run from memory when it comes as soon as a caller hears of the review", async () => {
    const bench = await createBench();
    await bench.publish(document);
    const { way, runs } = bench.engine;
    const outcome = await runs.execute({ procedureId: "p", environment, data: { amount: 1 }, by: alice });
    const before = way.count("reviews.ofRun");
    expect(await bench.decide(outcome.runId)).toMatchObject({ status: "approved" });
    expect(way.count("reviews.ofRun")).toBe(before);
    await expectOneCall(bench, outcome.runId);
  });

  test("is the same with a storage that leaves the row out of account", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    bench.engine.way.on("reviews.decide", async (_work, request) => {
      const { next: _next, ...decision } = request as NewDecision;
      return await bench.storage.reviews.decide(decision);
    });
    expect(await bench.decide(runId)).toMatchObject({ status: "approved" });
    await expectOneCall(bench, runId);
  });

  test("is the same when a rejection ends the run", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    expect(await bench.decide(runId, { approved: false, rejectionReason: "No." })).toMatchObject({
      status: "rejected",
    });
    expect(await bench.read(runId)).toMatchObject({ status: "failed" });
    expect(bench.bank.callsOf("once")).toHaveLength(0);
  });

  test("lets a run go on to its next review", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([call("look", "read"), review("r"), review("s"), call("a", "once")]));
    const first = await bench.decide(runId);
    const second = await bench.decide(runId);
    expect(second.reviewId).not.toBe(first.reviewId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.callsOf("once")).toHaveLength(1);
  });

  test("leaves a cancel its place: what was accepted before is not overlooked", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    const cancelled = await bench.addEngine({ started: false });
    bench.engine.way.on("runs.claim", async () => ({ runs: [], nextWakeAtMs: undefined }));
    await cancelled.runs.cancel({ environment, runId, by: alice });
    await bench.decide(runId);
    expect(await bench.read(runId)).toMatchObject({ status: "failed" });
    expect(bench.bank.callsOf("once")).toHaveLength(0);
    expect(await bench.reviews(runId)).toMatchObject([{ status: "approved" }]);
  });

  test("is refused as ever when somebody has decided elsewhere meanwhile", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    const other = await bench.addEngine();
    await other.reviews.decide({ environment, runId, approved: true, idempotencyKey: uuid(), by: carol });
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "already_decided" });
    await bench.clock.advance(10_000);
    await expectOneCall(bench, runId);
  });

  test("is told what is wrong with it as ever, and the run waits on", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    await expect(bench.decide(runId, { by: { person: "mallory", roles: [] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(bench.decide(runId, { idempotencyKey: "no uuid" })).rejects.toMatchObject({
      code: "invalid_decision",
    });
    await expect(bench.decide(runId, { reviewId: "rev_another" })).rejects.toMatchObject({ code: "review_not_found" });
    await bench.decide(runId);
    await expectOneCall(bench, runId);
  });

  test("of two at the same time one is recorded", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    const results = await Promise.allSettled([bench.decide(runId), bench.decide(runId, { by: carol })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await bench.clock.settle();
    await expectOneCall(bench, runId);
  });

  test.each([
    ["was stored", "replayed"],
    ["was not stored", "approved"],
  ])("whose answer is lost can be repeated, and the call is made once (it %s)", async (when, repeated) => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    let lose = true;
    bench.engine.way.on("reviews.decide", async (work) => {
      if (!lose) return await work();
      lose = false;
      if (when === "was stored") await work();
      throw unavailable();
    });
    const idempotencyKey = uuid();
    await expect(bench.decide(runId, { idempotencyKey })).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await bench.decide(runId, { idempotencyKey })).toMatchObject({ status: repeated });
    await bench.clock.advance(60_000);
    await expectOneCall(bench, runId);
  });

  test("that was not stored does not come before the one that was stored after it, of which the run came back here", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    const { way } = bench.engine;
    let lose = true;
    way.on("reviews.decide", async (work) => {
      if (!lose) return await work();
      lose = false;
      throw unavailable();
    });
    // The worker looks what became of the approval when the rejection is stored, and before its row is.
    const rejected = Promise.withResolvers<void>();
    way.on("workers.listRuns", (work) => rejected.promise.then(work));
    const looked = Promise.withResolvers<void>();
    way.on("inbox.read", (work) => looked.promise.then(work));

    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "storage_unavailable" });
    await bench.decide(runId, { approved: false, rejectionReason: "No.", by: carol });
    rejected.resolve();
    await bench.clock.settle();
    looked.resolve();
    await bench.clock.advance(60_000);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "No." });
    expect(bench.bank.callsOf("once")).toHaveLength(0);
    expect(await bench.reviews(runId)).toMatchObject([{ status: "rejected" }]);
  });

  test("that was stored after a cancel that nobody had read lets no call pass when its answer is lost", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    const { way } = bench.engine;
    const scope = { workspace: "default", environment: "sandbox" } as const;
    way.on("reviews.decide", async (work) => {
      const body = JSON.stringify({ type: "cancel", by: "alice" });
      await bench.storage.inbox.post([{ scope, runId, effectKey: "cancel", body }]);
      await work();
      throw unavailable();
    });
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "storage_unavailable" });
    await bench.clock.advance(60_000);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: expect.stringContaining("ancelled") });
    expect(bench.bank.callsOf("once")).toHaveLength(0);
  });

  test("does not wait for a connection that has to be read first", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(document);
    // A new connection makes engines read anew what they know of integrations that need none.
    await bench.engine.connections.create({ name: "office", integration: "private_connection", by: alice });
    let reachable = false;
    bench.engine.way.on("records.find", async (work) => {
      if (!reachable) throw unavailable();
      return await work();
    });
    expect(await bench.decide(runId)).toMatchObject({ status: "approved" });
    expect(bench.bank.callsOf("once")).toHaveLength(0);
    reachable = true;
    await bench.clock.advance(10_000);
    await expectOneCall(bench, runId);
  });
});
