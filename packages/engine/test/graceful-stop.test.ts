import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createBench, type Bench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
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

  test("a call that outlasts the drain is let go, and what became of it is asked once", async () => {
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
  });

  test("an action that surely sent nothing when it was let go is made again without asking", async () => {
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
    const verbs = ["workers.beat", "runs.claim", "runs.commit", "workers.held"];
    const before = verbs.map((verb) => bench.engine.way.count(verb));
    await bench.clock.advance(600_000);
    expect(verbs.map((verb) => bench.engine.way.count(verb))).toEqual(before);
  });
});
