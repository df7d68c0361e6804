import { describe, expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { call, end, procedure, review } from "./documents.ts";
import { fails, held } from "./scripted-bank.ts";

const request = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;
const paying = procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } });

describe("executing a run and waiting for it", () => {
  test("returns the output of a run that completes in time", async () => {
    const harness = await createHarness();
    await harness.publish(paying);
    const outcome = await harness.engine.runs.execute(request);
    expect(outcome).toEqual({
      runId: expect.stringMatching(/^run_/) as string,
      status: "completed",
      output: { id: "once-1" },
      completedAtMs: harness.clock.now(),
    });
  });

  test("returns a run that ends in its first row without waiting for a timer", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([], { output: { ok: true } }));
    let outcome: unknown;
    void harness.engine.runs.execute(request).then((answered) => (outcome = answered));
    await harness.clock.settle();
    expect(outcome).toMatchObject({ status: "completed", output: { ok: true } });
  });

  test("returns the error of a run that fails in time", async () => {
    const harness = await createHarness();
    await harness.publish(paying);
    harness.bank.plan("once", fails("no funds"));
    expect(await harness.engine.runs.execute(request)).toMatchObject({ status: "failed", error: "no funds" });
  });

  test("returns when a run waits for a person, or keeps waiting through reviews if requested", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r")], { output: { ok: true } }));
    const outcome = await harness.engine.runs.execute(request);
    expect(outcome.status).toBe("awaiting_review");
    const { runId } = outcome;
    const waited = harness.engine.runs.wait({ environment: "sandbox", runId }, { waitThroughReviews: true });
    await harness.decide(runId);
    await harness.clock.advance(1_000);
    expect(await waited).toMatchObject({ status: "completed", output: { ok: true } });
  });

  test("returns timeout when the time is over, and the run continues", async () => {
    const harness = await createHarness();
    await harness.publish(paying);
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const execution = harness.engine.runs.execute(request, { timeoutMs: 5_000 });
    await harness.clock.advance(5_000);
    const outcome = await execution;
    expect(outcome.status).toBe("timeout");
    hold.answer({ id: "late" });
    await harness.clock.settle();
    expect(await harness.read(outcome.runId)).toMatchObject({ status: "completed", output: { id: "late" } });
  });

  test("ends with its signal, without ending the run", async () => {
    const harness = await createHarness();
    await harness.publish(paying);
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const abort = new AbortController();
    const execution = harness.engine.runs.execute(request, { signal: abort.signal });
    await harness.clock.settle();
    abort.abort();
    const outcome = await execution;
    expect(outcome.status).toBe("timeout");
    hold.answer({ id: "x" });
    await harness.clock.settle();
    expect((await harness.read(outcome.runId)).status).toBe("completed");
  });

  test("is notified of a run that another engine executes", async () => {
    const harness = await createHarness({ started: false });
    await harness.publish(paying);
    // Another known worker executes the run.
    await harness.storage.workers.heartbeat({ workerId: "wrk_other", leaseMs: 60_000 });
    const execution = harness.engine.runs.execute(request);
    await harness.addEngine({ started: true });
    await harness.clock.advance(1_000);
    expect(await execution).toMatchObject({ status: "completed" });
  });

  test("does not end before its time because of a failed read", async () => {
    const harness = await createHarness({ started: false });
    await harness.publish(paying);
    // Another known worker executes the run.
    await harness.storage.workers.heartbeat({ workerId: "wrk_other", leaseMs: 60_000 });
    const execution = harness.engine.runs.execute(request, { timeoutMs: 30_000 });
    await harness.clock.settle();
    harness.engine.way.cut();
    await harness.clock.advance(3_000);
    harness.engine.way.mend();
    await harness.addEngine({ started: true });
    await harness.clock.advance(3_000);
    expect(await execution).toMatchObject({ status: "completed" });
  });

  test("returns the output of the end node that was reached", async () => {
    const harness = await createHarness();
    const document = procedure([call("a", "once"), end("refused", { why: "{{ nodes.a.error }}" })], {
      edges: ["start > a", "a > done", "a:error > refused"],
    });
    await harness.publish(document);
    harness.bank.plan("once", fails("no funds"));
    expect(await harness.engine.runs.execute(request)).toMatchObject({
      status: "completed",
      output: { why: "no funds" },
    });
  });
});
