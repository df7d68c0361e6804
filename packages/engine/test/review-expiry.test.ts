import { describe, expect, test } from "vitest";
import { carol, createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

describe("expiry", () => {
  const expiring = procedure([review("r", { title: "Quick?", expiresAfter: "PT1M" }), call("a", "once")]);

  test("fails the run, never approves", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(expiring);
    expect((await harness.reviews(runId))[0]?.rules.expiresAtMs).toBe(harness.clock.now() + 60_000);
    await harness.clock.advance(59_000);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await harness.clock.advance(2_000);
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: 'Review "Quick?" expired without a decision.' });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["expired"]);
    expect(harness.bank.calls).toEqual([]);
  });

  test("refuses a later decision, because the review is closed", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(expiring);
    await harness.clock.advance(62_000);
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
  });

  test("refuses a later decision even if no engine ran to record the expiry", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(expiring);
    await harness.engine.stop();
    await harness.clock.advance(60_000);
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("failed");
  });

  test("accepts a decision in the last millisecond", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(expiring);
    await harness.clock.advance(59_999);
    await harness.decide(runId);
    await harness.clock.advance(60_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("is not stopped by an approval that does not complete the quorum", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { approvals: 2, expiresAfter: "PT1M" })]));
    await harness.decide(runId);
    await harness.clock.advance(62_000);
    expect((await harness.read(runId)).status).toBe("failed");
    await expect(harness.decide(runId, { by: carol })).rejects.toMatchObject({ code: "review_not_found" });
  });

  test("never comes for a review without a time", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    await harness.engine.stop();
    await harness.clock.advance(20 * 365 * 86_400_000);
    await harness.addEngine();
    await harness.clock.advance(5_000);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("survives a restart", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(expiring);
    await harness.engine.stop();
    await harness.clock.advance(86_400_000);
    await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("failed");
  });
});
