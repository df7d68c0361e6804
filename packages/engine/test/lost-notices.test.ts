import { describe, expect, test } from "vitest";
import { alice, createBench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, fails } from "./scripted-bank.ts";

/** A bench whose engine hears of nothing that changes in storage. */
async function deafBench() {
  const bench = await createBench();
  bench.engine.way.deafen();
  return bench;
}

describe("without any notice of a change, everything is found by reading", () => {
  test("a run that another engine started", async () => {
    const bench = await createBench({ started: false });
    const worker = await bench.addEngine({ started: true });
    worker.way.deafen();
    const runId = await bench.runOf(procedure([call("a", "once")]));
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("a decision that another engine took", async () => {
    const bench = await deafBench();
    const other = await bench.addEngine({ started: false });
    const runId = await bench.runOf(procedure([review("r")]));
    await other.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: alice,
    });
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("an expiry, and a backoff that is over", async () => {
    const bench = await deafBench();
    bench.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: 10_000 }));
    await bench.publish(procedure([call("a", "read"), review("r", { expiresAfter: "PT1M" })]));
    const runId = await bench.run();
    await bench.clock.advance(11_500);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await bench.clock.advance(61_000);
    expect((await bench.read(runId)).status).toBe("failed");
  });

  test("a late answer", async () => {
    const bench = await deafBench();
    bench.bank.plan("once", answersAfter(bench.clock, 10_000, { id: "late" }));
    const runId = await bench.runOf(procedure([call("a", "once", { timeoutMs: 1_000 })]));
    await bench.clock.advance(12_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("a cancel while a call is under way: no further call is made", async () => {
    const bench = await deafBench();
    const other = await bench.addEngine({ started: false });
    bench.bank.plan("once", answersAfter(bench.clock, 20_000, {}));
    const runId = await bench.runOf(procedure([call("a", "once"), call("b", "once")]));
    await other.runs.cancel({ environment: "sandbox", runId, by: alice });
    await bench.clock.advance(25_000);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("that a run has come to rest", async () => {
    const bench = await createBench({ started: false });
    bench.engine.way.deafen();
    await bench.publish(procedure([call("a", "once")]));
    await bench.storage.workers.heartbeat({ workerId: "wrk_other", leaseMs: 60_000 });
    const execution = bench.engine.runs.execute({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
    await bench.addEngine({ started: true });
    await bench.clock.advance(2_000);
    expect(await execution).toMatchObject({ status: "completed" });
  });
});
