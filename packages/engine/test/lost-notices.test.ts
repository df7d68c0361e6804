import { describe, expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, fails } from "./scripted-bank.ts";

/** A harness whose engine receives no notice of changes in storage. */
async function deafHarness() {
  const harness = await createHarness();
  harness.engine.way.deafen();
  return harness;
}

describe("without any notice, a read of storage finds", () => {
  test("a run that another engine started", async () => {
    const harness = await createHarness({ started: false });
    const worker = await harness.addEngine({ started: true });
    worker.way.deafen();
    const runId = await harness.runOf(procedure([call("a", "once")]));
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("a decision that another engine recorded", async () => {
    const harness = await deafHarness();
    const other = await harness.addEngine({ started: false });
    const runId = await harness.runOf(procedure([review("r")]));
    await other.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: alice,
    });
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("an expiry, and a backoff that is over", async () => {
    const harness = await deafHarness();
    harness.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: 10_000 }));
    await harness.publish(procedure([call("a", "read"), review("r", { expiresAfter: "PT1M" })]));
    const runId = await harness.run();
    await harness.clock.advance(11_500);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await harness.clock.advance(61_000);
    expect((await harness.read(runId)).status).toBe("failed");
  });

  test("a late answer", async () => {
    const harness = await deafHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 10_000, { id: "late" }));
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 1_000 })]));
    await harness.clock.advance(12_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("a cancellation during a call: no further call is made", async () => {
    const harness = await deafHarness();
    const other = await harness.addEngine({ started: false });
    harness.bank.plan("once", answersAfter(harness.clock, 20_000, {}));
    const runId = await harness.runOf(procedure([call("a", "once"), call("b", "once")]));
    await other.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.clock.advance(25_000);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("the outcome of a run", async () => {
    const harness = await createHarness({ started: false });
    harness.engine.way.deafen();
    await harness.publish(procedure([call("a", "once")]));
    await harness.storage.workers.heartbeat({ workerId: "wrk_other", leaseMs: 60_000 });
    const execution = harness.engine.runs.execute({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
    await harness.addEngine({ started: true });
    await harness.clock.advance(2_000);
    expect(await execution).toMatchObject({ status: "completed" });
  });
});
