import { describe, expect, test } from "vitest";
import { alice, createBench } from "./bench.ts";
import { call, end, procedure, review } from "./documents.ts";
import { fails, held } from "./scripted-bank.ts";

const request = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;
const paying = procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } });

describe("executing a run and waiting for it", () => {
  test("answers with the output of a run that completes in time", async () => {
    const bench = await createBench();
    await bench.publish(paying);
    const outcome = await bench.engine.runs.execute(request);
    expect(outcome).toEqual({
      runId: expect.stringMatching(/^run_/) as string,
      status: "completed",
      output: { id: "once-1" },
      completedAtMs: bench.clock.now(),
    });
  });

  test("a run that ends in its first row is answered without waiting for a timer", async () => {
    const bench = await createBench();
    await bench.publish(procedure([], { output: { ok: true } }));
    let outcome: unknown;
    void bench.engine.runs.execute(request).then((answered) => (outcome = answered));
    await bench.clock.settle();
    expect(outcome).toMatchObject({ status: "completed", output: { ok: true } });
  });

  test("answers with the error of a run that fails in time", async () => {
    const bench = await createBench();
    await bench.publish(paying);
    bench.bank.plan("once", fails("no funds"));
    expect(await bench.engine.runs.execute(request)).toMatchObject({ status: "failed", error: "no funds" });
  });

  test("answers that a run waits for a person, and waits on through reviews when asked to", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r")], { output: { ok: true } }));
    const outcome = await bench.engine.runs.execute(request);
    expect(outcome.status).toBe("awaiting_review");
    const { runId } = outcome;
    const waited = bench.engine.runs.wait({ environment: "sandbox", runId }, { waitThroughReviews: true });
    await bench.decide(runId);
    await bench.clock.advance(1_000);
    expect(await waited).toMatchObject({ status: "completed", output: { ok: true } });
  });

  test("answers timeout when the time is over, and the run goes on", async () => {
    const bench = await createBench();
    await bench.publish(paying);
    const hold = held();
    bench.bank.plan("once", hold.behaviour);
    const execution = bench.engine.runs.execute(request, { timeoutMs: 5_000 });
    await bench.clock.advance(5_000);
    const outcome = await execution;
    expect(outcome.status).toBe("timeout");
    hold.answer({ id: "late" });
    await bench.clock.settle();
    expect(await bench.read(outcome.runId)).toMatchObject({ status: "completed", output: { id: "late" } });
  });

  test("a signal ends the wait and not the run", async () => {
    const bench = await createBench();
    await bench.publish(paying);
    const hold = held();
    bench.bank.plan("once", hold.behaviour);
    const abort = new AbortController();
    const execution = bench.engine.runs.execute(request, { signal: abort.signal });
    await bench.clock.settle();
    abort.abort();
    const outcome = await execution;
    expect(outcome.status).toBe("timeout");
    hold.answer({ id: "x" });
    await bench.clock.settle();
    expect((await bench.read(outcome.runId)).status).toBe("completed");
  });

  test("hears of a run that another engine executes", async () => {
    const bench = await createBench({ started: false });
    await bench.publish(paying);
    // Another worker is known, which executes the run.
    await bench.storage.workers.heartbeat({ workerId: "wrk_other", leaseMs: 60_000 });
    const execution = bench.engine.runs.execute(request);
    await bench.addEngine({ started: true });
    await bench.clock.advance(1_000);
    expect(await execution).toMatchObject({ status: "completed" });
  });

  test("a failing read of the run does not end the wait before its time", async () => {
    const bench = await createBench({ started: false });
    await bench.publish(paying);
    // Another worker is known, which executes the run.
    await bench.storage.workers.heartbeat({ workerId: "wrk_other", leaseMs: 60_000 });
    const execution = bench.engine.runs.execute(request, { timeoutMs: 30_000 });
    await bench.clock.settle();
    bench.engine.way.cut();
    await bench.clock.advance(3_000);
    bench.engine.way.mend();
    await bench.addEngine({ started: true });
    await bench.clock.advance(3_000);
    expect(await execution).toMatchObject({ status: "completed" });
  });

  test("which end node was reached decides the output", async () => {
    const bench = await createBench();
    const document = procedure([call("a", "once"), end("refused", { why: "{{ nodes.a.error }}" })], {
      edges: ["start > a", "a > done", "a:error > refused"],
    });
    await bench.publish(document);
    bench.bank.plan("once", fails("no funds"));
    expect(await bench.engine.runs.execute(request)).toMatchObject({
      status: "completed",
      output: { why: "no funds" },
    });
  });
});
