import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, fails } from "./scripted-bank.ts";

const hourMs = 3_600_000;

describe("a wall clock that jumps", () => {
  test.each([hourMs, -hourMs])("by %i ms during a call neither loses nor doubles it", async (jumpMs) => {
    const harness = await createHarness();
    await harness.addEngine();
    harness.bank.plan("once", answersAfter(harness.clock, 8_000, { id: "slow" }));
    const runId = await harness.runOf(
      procedure([call("a", "once"), call("b", "once")], { output: { id: "{{ nodes.a.output.id }}" } }),
    );
    harness.clock.jump(jumpMs);
    await harness.clock.advance(30_000);
    const run = await harness.read(runId);
    // Storage may consider the worker dead when its time jumps ahead; then a late answer or a person settles the call.
    expect(["completed", "awaiting_review"]).toContain(run.status);
    if (run.status === "completed") expect(run.output).toEqual({ id: "slow" });
    const keys = harness.bank.calls.map(({ context }) => context.idempotencyKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("back does not lengthen a call beyond its timeout", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", () => new Promise(() => {}));
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 10_000 })]));
    harness.clock.jump(-hourMs);
    await harness.clock.advance(10_100);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("ahead makes a review's expiry due; back delays it, but does not lose it", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { expiresAfter: "PT1M" })]));
    harness.clock.jump(-600_000);
    await harness.clock.advance(300_000);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    harness.clock.jump(hourMs);
    await harness.clock.advance(3_000);
    expect((await harness.read(runId)).status).toBe("failed");
  });

  test("ahead makes a backoff due", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: 30_000 }));
    const runId = await harness.runOf(procedure([call("a", "read")]));
    harness.clock.jump(hourMs);
    await harness.clock.advance(3_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("does not end a valid lease, because leases use a monotonic clock", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 10_000, { id: "slow" }));
    const runId = await harness.runOf(procedure([call("a", "once")]));
    harness.clock.jump(hourMs);
    await harness.clock.advance(1_000);
    expect(harness.bank.calls[0]?.context.signal.aborted).toBe(false);
    harness.clock.jump(-2 * hourMs);
    await harness.clock.advance(20_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });
});

describe("a clock behind storage's", () => {
  test.each([5_000, 300_000])("by %i ms costs no row per turn, and delays nothing", async (storageAheadMs) => {
    const harness = await createHarness({ storageAheadMs });
    const runId = await harness.runOf(procedure([review("r", { expiresAfter: "PT1H" })]));
    await harness.clock.advance(70 * 60_000);
    expect((await harness.read(runId)).status).toBe("failed");
    const { journal } = harness.storage.runs;
    const rows = await journal({ scope: { workspace: "default", environment: "sandbox" }, runId });
    // At most one per second, if the clocks differ by more than those of servers do.
    expect(rows.length).toBeLessThan(storageAheadMs < 60_000 ? 8 : 2 * 300);
  });
});
