import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, breaks, fails, held } from "./scripted-bank.ts";

async function cancel(harness: Harness, runId: string, reason?: string): Promise<void> {
  await harness.engine.runs.cancel({
    environment: "sandbox",
    runId,
    by: alice,
    ...(reason === undefined ? {} : { reason }),
  });
  await harness.clock.settle();
}

describe("cancelling a run", () => {
  test("before its first step ends it without a call", async () => {
    const harness = await createHarness({ started: false });
    const runId = await harness.runOf(procedure([call("a", "once")]));
    await cancel(harness, runId, "wrong vendor");
    await harness.addEngine({ started: true });
    await harness.clock.settle();
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice: wrong vendor" });
    expect(harness.bank.calls).toEqual([]);
  });

  test("during a call waits for the answer, records it, and makes no further call", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const runId = await harness.runOf(procedure([call("a", "once"), call("b", "once")]));
    await cancel(harness, runId);
    expect((await harness.read(runId)).status).toBe("running");
    hold.answer({ id: "paid" });
    await harness.clock.settle();
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(run.steps[1]).toMatchObject({ status: "completed", output: { id: "paid" } });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("during a call without an answer records an unknown outcome, and opens no review", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", () => new Promise(() => {}));
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 2_000 })]));
    await cancel(harness, runId);
    await harness.clock.advance(3_000);
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(run.steps[1]?.attempts).toMatchObject([{ outcome: "unknown" }]);
    expect(await harness.reviews(runId)).toEqual([]);
  });

  test("during a backoff ends it without another attempt", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", fails("busy", { retryable: true, retryAfterMs: 60_000 }));
    const runId = await harness.runOf(procedure([call("a", "read")]));
    await cancel(harness, runId);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    await harness.clock.advance(120_000);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("during a review closes the review: a later decision finds none", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
    await cancel(harness, runId);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["cancelled"]);
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "review_not_found", status: 404 });
    expect(harness.bank.calls).toEqual([]);
  });

  test("during a review of an unknown outcome ends it with the uncertainty on record, and a late answer changes nothing", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 10_000, { id: "late" }));
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 1_000 })]));
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await cancel(harness, runId);
    const cancelled = await harness.read(runId);
    expect(cancelled).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    await harness.clock.advance(20_000);
    expect(await harness.read(runId)).toEqual(cancelled);
  });

  test("after its end is a conflict", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([call("a", "once")]));
    const before = await harness.read(runId);
    await expect(cancel(harness, runId)).rejects.toMatchObject({ code: "already_ended", status: 409 });
    expect(await harness.read(runId)).toEqual(before);
  });

  test("twice has the same result as once, also after the first one has ended the run", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    await Promise.all([cancel(harness, runId, "one"), cancel(harness, runId, "two")]);
    await cancel(harness, runId, "three");
    expect((await harness.read(runId)).error).toBe("Cancelled by alice: one");
    expect((await harness.entries(runId)).filter(({ type }) => type === "cancel_requested")).toHaveLength(1);
  });

  test("does not hide an earlier failure on record", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const runId = await harness.runOf(procedure([call("a", "once")]));
    await cancel(harness, runId);
    hold.fail(new ActionError("no funds"));
    await harness.clock.settle();
    const run = await harness.read(runId);
    expect(run.status).toBe("failed");
    expect(run.steps[1]).toMatchObject({ status: "failed", error: "no funds" });
  });

  test("is not found for an unknown run, and refused without the permission", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    await expect(cancel(harness, "run_nothing")).rejects.toMatchObject({ code: "run_not_found" });
    const by = { person: "eve", permissions: ["review"] } as const;
    await expect(harness.engine.runs.cancel({ environment: "sandbox", runId, by })).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
  });

  test("after a decision ends the run, with the decision on record", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
    harness.bank.plan("once", breaks());
    await harness.engine.stop();
    await harness.decide(runId);
    await cancel(harness, runId);
    await harness.addEngine();
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(harness.bank.calls).toEqual([]);
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved"]);
    expect((await harness.entries(runId)).map(({ type }) => type)).toEqual([
      "started",
      "review_opened",
      "review_closed",
      "cancel_requested",
      "ended",
    ]);
  });

  test("shows the cancelled step with its last known state", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([call("a", "once"), review("r")]));
    await cancel(harness, runId);
    const { steps } = await harness.read(runId);
    expect(steps.map(({ nodeId, status, error }) => [nodeId, status, error])).toEqual([
      ["start", "completed", undefined],
      ["a", "completed", undefined],
      ["r", "failed", "Cancelled by alice"],
    ]);
  });

  test("while a worker claims the run is not lost", async () => {
    for (const verb of ["runs.claim", "procedures.version"] as const) {
      const harness = await createHarness({ started: false });
      const runId = await harness.runOf(procedure([call("a", "once"), call("b", "once")]));
      const worker = await harness.addEngine();
      let cancelled = false;
      worker.way.on(verb, async (work) => {
        const result = await work();
        if (!cancelled && (await harness.read(runId)).status === "running") {
          cancelled = true;
          await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
        }
        return result;
      });
      await worker.start();
      await harness.clock.advance(5_000);
      expect(await harness.read(runId), verb).toMatchObject({ status: "failed", error: "Cancelled by alice" });
      expect(harness.bank.calls, verb).toHaveLength(0);
    }
  });

  test("while the run ends is not overwritten by the end", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output }}" } }));
    const text = "a text that is long enough to be stored by reference wherever it comes again in the journal";
    harness.bank.plan("once", () => ({ text, nested: { text: `${text}!` } }));
    let posted = false;
    harness.engine.way.on("runs.commit", async (work, request) => {
      const item = request as { runId: string; then: { kind: string } };
      if (item.then.kind === "ended" && !posted) {
        posted = true;
        await harness.engine.runs.cancel({ environment: "sandbox", runId: item.runId, by: alice });
      }
      return await work();
    });
    const runId = await harness.run();
    await harness.clock.advance(1_000);
    expect(posted).toBe(true);
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "failed", error: "Cancelled by alice" });
    expect(run.steps[1]).toMatchObject({ status: "completed", output: { text, nested: { text: `${text}!` } } });
    expect((await harness.entries(runId)).map(({ type }) => type)).toEqual([
      "started",
      "intent",
      "outcome",
      "cancel_requested",
      "ended",
    ]);
  });

  test("keeps the earlier approvals of the cancelled review", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r", { approvals: 3 })]));
    await harness.decide(runId);
    await cancel(harness, runId);
    const answered = (await harness.entries(runId)).find(({ type }) => type === "review_closed");
    expect(answered).toMatchObject({ answer: { status: "cancelled", decisions: [{ person: "bob", approved: true }] } });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["cancelled"]);
  });
});
