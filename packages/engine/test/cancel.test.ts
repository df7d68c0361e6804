import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, breaks, fails, held } from "./scripted-bank.ts";

async function cancel(bench: Bench, runId: string, reason?: string): Promise<void> {
  await bench.engine.runs.cancel({
    environment: "sandbox",
    runId,
    by: alice,
    ...(reason === undefined ? {} : { reason }),
  });
  await bench.clock.settle();
}

describe("cancelling a run", () => {
  test("before its first step ends it without a call", async () => {
    const bench = await createBench({ started: false });
    const runId = await bench.runOf(procedure([call("a", "once")]));
    await cancel(bench, runId, "wrong vendor");
    await bench.addEngine({ started: true });
    await bench.clock.settle();
    const run = await bench.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice: wrong vendor" });
    expect(bench.bank.calls).toEqual([]);
  });

  test("in a call waits for the answer, records it, and makes no further call", async () => {
    const bench = await createBench();
    const hold = held();
    bench.bank.plan("once", hold.behaviour);
    const runId = await bench.runOf(procedure([call("a", "once"), call("b", "once")]));
    await cancel(bench, runId);
    expect((await bench.read(runId)).status).toBe("running");
    hold.answer({ id: "paid" });
    await bench.clock.settle();
    const run = await bench.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(run.steps[1]).toMatchObject({ status: "completed", output: { id: "paid" } });
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("in a call whose answer never comes records that it is unknown, and asks nobody", async () => {
    const bench = await createBench();
    bench.bank.plan("once", () => new Promise(() => {}));
    const runId = await bench.runOf(procedure([call("a", "once", { timeoutMs: 2_000 })]));
    await cancel(bench, runId);
    await bench.clock.advance(3_000);
    const run = await bench.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(run.steps[1]?.attempts).toMatchObject([{ outcome: "unknown" }]);
    expect(await bench.reviews(runId)).toEqual([]);
  });

  test("in a backoff ends it without another attempt", async () => {
    const bench = await createBench();
    bench.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: 60_000 }));
    const runId = await bench.runOf(procedure([call("a", "read")]));
    await cancel(bench, runId);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    await bench.clock.advance(120_000);
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("in a review closes the review: a decision afterwards finds none", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r"), call("a", "once")]));
    await cancel(bench, runId);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["cancelled"]);
    await expect(bench.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    expect(bench.bank.calls).toEqual([]);
  });

  test("in a review about an unknown outcome ends it with the doubt on record, and a late answer changes nothing", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answersAfter(bench.clock, 10_000, { id: "late" }));
    const runId = await bench.runOf(procedure([call("a", "once", { timeoutMs: 1_000 })]));
    await bench.clock.advance(2_000);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    await cancel(bench, runId);
    const cancelled = await bench.read(runId);
    expect(cancelled).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    await bench.clock.advance(20_000);
    expect(await bench.read(runId)).toEqual(cancelled);
  });

  test("after its end is a conflict", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([call("a", "once")]));
    const before = await bench.read(runId);
    await expect(cancel(bench, runId)).rejects.toMatchObject({ code: "already_ended", status: 409 });
    expect(await bench.read(runId)).toEqual(before);
  });

  test("twice is the same as once, also when the first has ended it", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    await Promise.all([cancel(bench, runId, "one"), cancel(bench, runId, "two")]);
    await cancel(bench, runId, "three");
    expect((await bench.read(runId)).error).toBe("Cancelled by alice: one");
    expect((await bench.entries(runId)).filter(({ type }) => type === "cancel_requested")).toHaveLength(1);
  });

  test("does not hide a failure that was on record before it", async () => {
    const bench = await createBench();
    const hold = held();
    bench.bank.plan("once", hold.behaviour);
    const runId = await bench.runOf(procedure([call("a", "once")]));
    await cancel(bench, runId);
    hold.fail(new ActionError("no funds"));
    await bench.clock.settle();
    const run = await bench.read(runId);
    expect(run.status).toBe("failed");
    expect(run.steps[1]).toMatchObject({ status: "failed", error: "no funds" });
  });

  test("of an unknown run is not found, and without the permission refused", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r")]));
    await expect(cancel(bench, "run_nothing")).rejects.toMatchObject({ code: "run_not_found" });
    const by = { person: "eve", permissions: ["review"] } as const;
    await expect(bench.engine.runs.cancel({ environment: "sandbox", runId, by })).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect((await bench.read(runId)).status).toBe("awaiting_review");
  });

  test("a decision that came before the cancel is on record, and the run ends all the same", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r"), call("a", "once")]));
    bench.bank.plan("once", breaks());
    await bench.engine.stop();
    await bench.decide(runId);
    await cancel(bench, runId);
    await bench.addEngine();
    await bench.clock.settle();
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(bench.bank.calls).toEqual([]);
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["approved"]);
    expect((await bench.entries(runId)).map(({ type }) => type)).toEqual([
      "started",
      "review_opened",
      "review_closed",
      "cancel_requested",
      "ended",
    ]);
  });

  test("a cancelled step is shown with what had become of it", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([call("a", "once"), review("r")]));
    await cancel(bench, runId);
    const { steps } = await bench.read(runId);
    expect(steps.map(({ nodeId, status, error }) => [nodeId, status, error])).toEqual([
      ["start", "completed", undefined],
      ["a", "completed", undefined],
      ["r", "failed", "Cancelled by alice"],
    ]);
  });

  test("in the moment in which a worker takes the run over is not lost", async () => {
    for (const verb of ["runs.claim", "procedures.version"]) {
      const bench = await createBench({ started: false });
      const runId = await bench.runOf(procedure([call("a", "once"), call("b", "once")]));
      const worker = await bench.addEngine();
      let cancelled = false;
      worker.way.on(verb, async (work) => {
        const result = await work();
        if (!cancelled && (await bench.read(runId)).status === "running") {
          cancelled = true;
          await bench.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
        }
        return result;
      });
      await worker.start();
      await bench.clock.advance(5_000);
      expect(await bench.read(runId), verb).toMatchObject({ status: "failed", error: "Cancelled by alice" });
      expect(bench.bank.calls, verb).toHaveLength(0);
    }
  });

  test("in the moment in which the run ends is honoured: the end is not written over it", async () => {
    const bench = await createBench();
    await bench.publish(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output }}" } }));
    const text = "a text that is long enough to be stored by reference wherever it comes again in the journal";
    bench.bank.plan("once", () => ({ text, nested: { text: `${text}!` } }));
    let posted = false;
    bench.engine.way.on("runs.commit", async (work, request) => {
      const item = request as { runId: string; then: { kind: string } };
      if (item.then.kind === "ended" && !posted) {
        posted = true;
        await bench.engine.runs.cancel({ environment: "sandbox", runId: item.runId, by: alice });
      }
      return await work();
    });
    const runId = await bench.run();
    await bench.clock.advance(1_000);
    expect(posted).toBe(true);
    const run = await bench.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(run.steps[1]).toMatchObject({ status: "completed", output: { text, nested: { text: `${text}!` } } });
    expect((await bench.entries(runId)).map(({ type }) => type)).toEqual([
      "started",
      "intent",
      "outcome",
      "cancel_requested",
      "ended",
    ]);
  });

  test("keeps the approvals that had been given when a review comes to nothing", async () => {
    const bench = await createBench();
    const runId = await bench.runOf(procedure([review("r", { approvals: 3 })]));
    await bench.decide(runId);
    await cancel(bench, runId);
    const answered = (await bench.entries(runId)).find(({ type }) => type === "review_closed");
    expect(answered).toMatchObject({ answer: { status: "cancelled", decisions: [{ person: "bob", approved: true }] } });
    expect((await bench.reviews(runId)).map(({ status }) => status)).toEqual(["cancelled"]);
  });
});
