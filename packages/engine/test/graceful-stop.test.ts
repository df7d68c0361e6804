import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, hangs } from "./scripted-bank.ts";

async function entriesBy(harness: Harness, engine: Harness["engine"], runId: string) {
  const rows = await engine.runs.journal({ environment: "sandbox", runId });
  return rows.flatMap(({ entries }) => entries.map(({ type }) => type));
}

describe("a graceful stop", () => {
  test("waits for the calls in progress, releases all runs, and the next engine resumes them without a review", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 3_000, { id: "slow" }));
    const runId = await harness.runOf(
      procedure([call("a", "once"), call("b", "once")], { output: { id: "{{ nodes.a.output.id }}" } }),
    );
    const stopping = harness.engine.stop();
    await harness.clock.advance(3_000);
    await stopping;
    expect(harness.bank.calls).toHaveLength(1);
    const successor = await harness.addEngine();
    await harness.clock.settle();
    const run = await successor.runs.get({ environment: "sandbox", runId });
    expect(run).toMatchObject({ status: "completed", output: { id: "slow" } });
    expect(harness.bank.calls).toHaveLength(2);
    expect(await entriesBy(harness, successor, runId)).not.toContain("recovered");
  });

  test("aborts a call that outlasts the drain, and opens one review of its outcome, with the reason", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", hangs());
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 3_600_000 })]));
    const stopping = harness.engine.stop({ drainMs: 1_000 });
    await harness.clock.advance(5_000);
    await stopping;
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("awaiting_review");
    expect(harness.bank.calls).toHaveLength(1);
    const reviews = await successor.reviews.ofRun({ environment: "sandbox", runId });
    expect(reviews.map(({ data }) => data["reason"])).toEqual([
      'The call of "once" was stopped by a shutdown before it was answered.',
    ]);
  });

  test("waits up to a minute for calls in progress, and no longer than each call's timeout", async () => {
    for (const [timeoutMs, answersMs, status] of [
      [120_000, 59_000, "completed"],
      [120_000, 90_000, "awaiting_review"],
      [30_000, 90_000, "awaiting_review"],
    ] as const) {
      const harness = await createHarness();
      harness.bank.plan("once", answersAfter(harness.clock, answersMs, {}));
      const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs })]));
      let stoppedAtMs = Infinity;
      const beganAtMs = harness.clock.monotonic();
      void harness.engine.stop().then(() => (stoppedAtMs = harness.clock.monotonic() - beganAtMs));
      await harness.clock.advance(65_000);
      expect(stoppedAtMs).toBeLessThanOrEqual(Math.min(timeoutMs, 60_000) + 2_000);
      const successor = await harness.addEngine();
      await harness.clock.advance(2_000);
      expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe(status);
      expect(harness.bank.calls).toHaveLength(1);
    }
  });

  test("ends at once if no call is in progress", async () => {
    const harness = await createHarness();
    await harness.runOf(procedure([review("r")]));
    const beganAtMs = harness.clock.monotonic();
    await harness.engine.stop();
    expect(harness.clock.monotonic()).toBe(beganAtMs);
  });

  test("awaits an answer through an outage of storage, and the answer is recorded", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 3_000, { id: "heard" }));
    const runId = await harness.runOf(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } }));
    harness.engine.way.cut();
    const stopping = harness.engine.stop();
    await harness.clock.advance(30_000);
    harness.engine.way.mend();
    await harness.clock.advance(10_000);
    await stopping;
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect(await successor.runs.get({ environment: "sandbox", runId })).toMatchObject({
      status: "completed",
      output: { id: "heard" },
    });
    expect(harness.bank.calls).toHaveLength(1);
    expect(await successor.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
  });

  test("starts no call whose intent becomes durable meanwhile", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once", { retry: { maxAttempts: 1 } })]));
    let stopping: Promise<void> | undefined;
    harness.engine.way.on("runs.commit", async (work) => {
      const result = await work();
      stopping ??= harness.engine.stop();
      return result;
    });
    const runId = await harness.run();
    await stopping;
    expect(harness.bank.calls).toEqual([]);
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("repeats without a review an action that certainly sent nothing before it was aborted", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", async ({ context: { signal } }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      throw new ActionError("still queued", { outcome: "not_sent" });
    });
    const runId = await harness.runOf(procedure([call("a", "once")]));
    const stopping = harness.engine.stop({ drainMs: 1_000 });
    await harness.clock.advance(5_000);
    await stopping;
    const successor = await harness.addEngine();
    await harness.clock.advance(5_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
  });

  test("leaves runs that it accepts to the next engine", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")]));
    await harness.engine.stop();
    const runId = await harness.run();
    expect(harness.bank.calls).toEqual([]);
    const successor = await harness.addEngine();
    await harness.clock.settle();
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
  });

  test("leaves no timer running", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", hangs());
    await harness.runOf(procedure([call("a", "read")]));
    const stopping = harness.engine.stop({ drainMs: 0 });
    await harness.clock.advance(60_000);
    await stopping;
    const verbs = ["workers.heartbeat", "runs.claim", "runs.commit", "workers.listRuns"] as const;
    const before = verbs.map((verb) => harness.engine.way.count(verb));
    await harness.clock.advance(600_000);
    expect(verbs.map((verb) => harness.engine.way.count(verb))).toEqual(before);
  });
});
