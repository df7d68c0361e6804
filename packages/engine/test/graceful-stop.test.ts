import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createBench, type Bench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, hangs } from "./scripted-bank.ts";

async function entriesBy(bench: Bench, engine: Bench["engine"], runId: string) {
  const rows = await engine.runs.journal({ environment: "sandbox", runId });
  return rows.flatMap(({ entries }) => entries.map(({ type }) => type));
}

describe("a graceful stop", () => {
  test("waits for the calls under way, hands everything back, and the next engine goes on without asking", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answersAfter(bench.clock, 3_000, { id: "slow" }));
    const runId = await bench.runOf(
      procedure([call("a", "once"), call("b", "once")], { output: { id: "{{ nodes.a.output.id }}" } }),
    );
    const stopping = bench.engine.stop();
    await bench.clock.advance(3_000);
    await stopping;
    expect(bench.bank.calls).toHaveLength(1);
    const heir = await bench.addEngine();
    await bench.clock.settle();
    const run = await heir.runs.get({ environment: "sandbox", runId });
    expect(run).toMatchObject({ status: "completed", output: { id: "slow" } });
    expect(bench.bank.calls).toHaveLength(2);
    expect(await entriesBy(bench, heir, runId)).not.toContain("recovered");
  });

  test("a call that outlasts the drain is aborted, and what became of it is asked once, with the reason", async () => {
    const bench = await createBench();
    bench.bank.plan("once", hangs());
    const runId = await bench.runOf(procedure([call("a", "once", { timeoutMs: 3_600_000 })]));
    const stopping = bench.engine.stop({ drainMs: 1_000 });
    await bench.clock.advance(5_000);
    await stopping;
    const heir = await bench.addEngine();
    await bench.clock.advance(2_000);
    expect((await heir.runs.get({ environment: "sandbox", runId })).status).toBe("awaiting_review");
    expect(bench.bank.calls).toHaveLength(1);
    const reviews = await heir.reviews.ofRun({ environment: "sandbox", runId });
    expect(reviews.map(({ data }) => data["reason"])).toEqual([
      'The call of "once" was stopped by a shutdown before it was answered.',
    ]);
  });

  test("waits a minute for what is under way, and no longer than the call's own time", async () => {
    for (const [timeoutMs, answersMs, status] of [
      [120_000, 59_000, "completed"],
      [120_000, 90_000, "awaiting_review"],
      [30_000, 90_000, "awaiting_review"],
    ] as const) {
      const bench = await createBench();
      bench.bank.plan("once", answersAfter(bench.clock, answersMs, {}));
      const runId = await bench.runOf(procedure([call("a", "once", { timeoutMs })]));
      let stoppedAtMs = Infinity;
      const beganAtMs = bench.clock.monotonic();
      void bench.engine.stop().then(() => (stoppedAtMs = bench.clock.monotonic() - beganAtMs));
      await bench.clock.advance(65_000);
      expect(stoppedAtMs).toBeLessThanOrEqual(Math.min(timeoutMs, 60_000) + 2_000);
      const heir = await bench.addEngine();
      await bench.clock.advance(2_000);
      expect((await heir.runs.get({ environment: "sandbox", runId })).status).toBe(status);
      expect(bench.bank.calls).toHaveLength(1);
    }
  });

  test("ends at once where nothing is under way", async () => {
    const bench = await createBench();
    await bench.runOf(procedure([review("r")]));
    const beganAtMs = bench.clock.monotonic();
    await bench.engine.stop();
    expect(bench.clock.monotonic()).toBe(beganAtMs);
  });

  test("listens through an outage of storage, and the answer is on record", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answersAfter(bench.clock, 3_000, { id: "heard" }));
    const runId = await bench.runOf(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } }));
    bench.engine.way.cut();
    const stopping = bench.engine.stop();
    await bench.clock.advance(30_000);
    bench.engine.way.mend();
    await bench.clock.advance(10_000);
    await stopping;
    const heir = await bench.addEngine();
    await bench.clock.advance(2_000);
    expect(await heir.runs.get({ environment: "sandbox", runId })).toMatchObject({
      status: "completed",
      output: { id: "heard" },
    });
    expect(bench.bank.calls).toHaveLength(1);
    expect(await heir.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
  });

  test("begins no call whose intent becomes durable meanwhile", async () => {
    const bench = await createBench();
    await bench.publish(procedure([call("a", "once", { retry: { maxAttempts: 1 } })]));
    let stopping: Promise<void> | undefined;
    bench.engine.way.on("runs.commit", async (work) => {
      const result = await work();
      stopping ??= bench.engine.stop();
      return result;
    });
    const runId = await bench.run();
    await stopping;
    expect(bench.bank.calls).toEqual([]);
    const heir = await bench.addEngine();
    await bench.clock.advance(2_000);
    expect((await heir.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("an action that surely sent nothing when it was aborted is made again without asking", async () => {
    const bench = await createBench();
    bench.bank.plan("once", async ({ context: { signal } }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      throw new ActionError("still queued", { outcome: "not_sent" });
    });
    const runId = await bench.runOf(procedure([call("a", "once")]));
    const stopping = bench.engine.stop({ drainMs: 1_000 });
    await bench.clock.advance(5_000);
    await stopping;
    const heir = await bench.addEngine();
    await bench.clock.advance(5_000);
    expect((await heir.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(2);
  });

  test("a stopping engine starts no run itself; what it takes is executed by the next one", async () => {
    const bench = await createBench();
    await bench.publish(procedure([call("a", "once")]));
    await bench.engine.stop();
    const runId = await bench.run();
    expect(bench.bank.calls).toEqual([]);
    const heir = await bench.addEngine();
    await bench.clock.settle();
    expect((await heir.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
  });

  test("no timer of a stopped engine goes on", async () => {
    const bench = await createBench();
    bench.bank.plan("read", hangs());
    await bench.runOf(procedure([call("a", "read")]));
    const stopping = bench.engine.stop({ drainMs: 0 });
    await bench.clock.advance(60_000);
    await stopping;
    const verbs = ["workers.heartbeat", "runs.claim", "runs.commit", "workers.listRuns"];
    const before = verbs.map((verb) => bench.engine.way.count(verb));
    await bench.clock.advance(600_000);
    expect(verbs.map((verb) => bench.engine.way.count(verb))).toEqual(before);
  });
});
