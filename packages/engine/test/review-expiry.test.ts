import { describe, expect, test } from "vitest";
import { carol, createBench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";

describe("expiry", () => {
  const expiring = procedure([review("r", { title: "Quick?", expiresAfter: "PT1M" }), call("a", "once")]);

  test("fails the run, never approves", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    expect((await bench.reviews(runId))[0]?.rules.expiresAtMs).toBe(bench.clock.now() + 60_000);
    await bench.clock.advance(59_000);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await bench.clock.advance(2_000);
    const run = await bench.read(runId);
    expect(run).toMatchObject({ status: "failed", error: 'Review "Quick?" expired without a decision.' });
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["expired"]);
    expect(bench.bank.calls).toEqual([]);
  });

  test("a decision after it finds no review", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.clock.advance(62_000);
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
  });

  test("a decision after it is refused even when nobody was there to write the expiry down", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.engine.stop();
    await bench.clock.advance(60_000);
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await bench.addEngine();
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("failed");
  });

  test("a decision in the last millisecond counts", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.clock.advance(59_999);
    await bench.decide(runId);
    await bench.clock.advance(60_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("an approval that does not complete the quorum does not stop it", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r", { approvals: 2, expiresAfter: "PT1M" })]));
    await bench.decide(runId);
    await bench.clock.advance(62_000);
    expect((await bench.read(runId)).status).toBe("failed");
    await expect(bench.decide(runId, { by: carol })).rejects.toMatchObject({ code: "review_not_found" });
  });

  test("without one a review waits for ever", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    await bench.engine.stop();
    await bench.clock.advance(20 * 365 * 86_400_000);
    await bench.addEngine();
    await bench.clock.advance(5_000);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await bench.decide(runId);
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("is not lost by a restart", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(expiring);
    await bench.engine.stop();
    await bench.clock.advance(86_400_000);
    await bench.addEngine();
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("failed");
  });
});
