import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";
import { answers, answersAfter, breaks, fails, held } from "./scripted-bank.ts";

const paying = procedure(
  [call("a", "once", { arguments: { n: 1 }, title: "Pay the vendor" }), end("failed", { why: "{{ nodes.a.error }}" })],
  {
    edges: ["start > a", "a > done", "a:error > failed"],
    output: { result: "{{ nodes.a.output }}" },
  },
);

/** A run whose only call failed without an answer. */
async function inDoubt() {
  const harness = await createHarness();
  harness.bank.plan("once", breaks("socket hang up"));
  const runId = await harness.runOf(paying);
  return { harness, runId };
}

describe("a once call of unknown outcome", () => {
  test("pauses the run for a person, who sees the request, its time, and its key", async () => {
    const { harness, runId } = await inDoubt();
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    const [review] = await harness.reviews(runId);
    expect(review).toMatchObject({
      kind: "outcome_unknown",
      status: "open",
      title: "Outcome unknown: Pay the vendor",
      data: {
        reason: "socket hang up",
        connection: "bank",
        action: "once",
        arguments: { n: 1 },
        attempt: 1,
        idempotencyKey: harness.bank.calls[0]?.context.idempotencyKey,
        sentAt: new Date(harness.clock.now()).toISOString(),
      },
    });
  });

  test("approved with outputs counts as made: nothing is sent again, the outputs are its result", async () => {
    const { harness, runId } = await inDoubt();
    await harness.decide(runId, { outputs: { id: "pay_from_statement" } });
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { result: { id: "pay_from_statement" } },
    });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("approved without outputs is sent again with the same key and arguments", async () => {
    const { harness, runId } = await inDoubt();
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { result: { id: "once-2" } } });
    const [first, second] = harness.bank.calls;
    expect(second?.context.idempotencyKey).toBe(first?.context.idempotencyKey);
    expect(second?.args).toEqual(first?.args);
    expect(second?.context.attempt).toBe(2);
  });

  test("that is uncertain after it was sent again opens another review", async () => {
    const { harness, runId } = await inDoubt();
    harness.bank.plan("once", breaks("again"));
    await harness.decide(runId);
    const reviews = await harness.reviews(runId);
    expect(reviews.map(({ status }) => status)).toEqual(["approved", "open"]);
    expect(reviews[1]?.data).toMatchObject({ reason: "again", attempt: 2 });
    await harness.decide(runId, { outputs: { id: "x" } });
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
  });

  test("fails the run with the reason if rejected, even if the step has an error branch", async () => {
    const { harness, runId } = await inDoubt();
    await harness.decide(runId, { approved: false, rejectionReason: "The bank says no." });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "The bank says no." });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("is settled by a late answer without a person, and a later decision is a conflict", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 10_000, { id: "late" }));
    const runId = await harness.runOf(
      procedure([call("a", "once", { timeoutMs: 1_000 })], { output: { id: "{{ nodes.a.output.id }}" } }),
    );
    await harness.clock.advance(5_000);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await harness.clock.advance(5_000);
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "completed", output: { id: "late" } });
    expect(run.steps[1]).toMatchObject({ status: "completed", output: { id: "late" }, attempts: [{ outcome: "ok" }] });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["settled"]);
    await expect(harness.decide(runId)).rejects.toMatchObject({ code: "already_decided", status: 409 });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("is settled by a late refusal too: the step fails by its error branch", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const [node, failed] = paying.nodes.slice(1);
    if (node?.kind !== "tool_call" || failed === undefined) throw new Error("The document has another shape.");
    const runId = await harness.runOf({
      ...paying,
      nodes: paying.nodes.map((known) => (known === node ? { ...node, timeoutMs: 1_000 } : known)),
    });
    await harness.clock.advance(5_000);
    hold.fail(new ActionError("no funds"));
    await harness.clock.settle();
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { why: "no funds" } });
  });

  test("stays unknown after a late answer that is uncertain as well", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 1_000 })]));
    await harness.clock.advance(5_000);
    hold.fail(new Error("reset"));
    await harness.clock.settle();
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    await harness.decide(runId, { outputs: {} });
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("keeps a late answer after the decision for the auditor, without effect", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answersAfter(harness.clock, 10_000, { id: "late" }));
    const first = call("a", "once", { timeoutMs: 1_000 });
    const runId = await harness.runOf(
      procedure([first, call("b", "read")], { output: { id: "{{ nodes.a.output.id }}" } }),
    );
    harness.bank.plan("read", answersAfter(harness.clock, 30_000, {}));
    await harness.clock.advance(5_000);
    await harness.decide(runId, { outputs: { id: "by hand" } });
    await harness.clock.advance(60_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "by hand" } });
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved"]);
  });

  test("has one winner of a decision and a late answer at the same instant, whichever comes first", async () => {
    for (const decisionFirst of [true, false]) {
      const harness = await createHarness();
      const hold = held();
      harness.bank.plan("once", hold.behaviour);
      const runId = await harness.runOf(
        procedure([call("a", "once", { timeoutMs: 1_000 })], { output: { id: "{{ nodes.a.output.id }}" } }),
      );
      await harness.clock.advance(5_000);
      if (!decisionFirst) hold.answer({ id: "late" });
      const decision = harness.decide(runId, { outputs: { id: "person" } }).then(
        () => "recorded",
        (error: { code: string }) => error.code,
      );
      if (decisionFirst) hold.answer({ id: "late" });
      const decided = await decision;
      await harness.clock.settle();
      const { output } = await harness.read(runId);
      const [review] = await harness.reviews(runId);
      expect([decided, output, review?.status]).toEqual(
        decided === "recorded"
          ? ["recorded", { id: "person" }, "approved"]
          : ["already_decided", { id: "late" }, "settled"],
      );
    }
  });

  test("takes an output from a person only if it fits the action's output schema", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", answers({ wrong: true }));
    const runId = await harness.runOf(
      procedure([call("a", "pay", { arguments: { to: "x", amount: 1 } })], { output: { r: "{{ nodes.a.output }}" } }),
    );
    expect((await harness.reviews(runId))[0]?.data["reason"]).toContain("does not fit its output schema");
    await expect(harness.decide(runId, { outputs: { anything: [1] } })).rejects.toMatchObject({
      code: "invalid_decision",
      details: expect.arrayContaining([expect.objectContaining({ path: "/outputs/id" })]) as object[],
    });
    await harness.decide(runId, { outputs: { id: "seen" } });
    expect((await harness.read(runId)).output).toEqual({ r: { id: "seen" } });
  });

  test("takes any output from a person if its action has no output schema", async () => {
    const { harness, runId } = await inDoubt();
    await harness.decide(runId, { outputs: { anything: [1] } });
    expect((await harness.read(runId)).output).toEqual({ result: { anything: [1] } });
  });

  test("is repeated without a question where the action says so, and the procedure does not", async () => {
    for (const asked of [undefined, "review", "fail"] as const) {
      const harness = await createHarness({ bank: { onUnknownOutcome: "retry" } });
      harness.bank.plan("once", breaks("cut after sending"));
      const settings = asked === undefined ? {} : { onUnknownOutcome: asked };
      const runId = await harness.runOf(procedure([call("a", "once", settings)]));
      await harness.clock.advance(120_000);
      const { status } = await harness.read(runId);
      const calls = harness.bank.calls.map(({ context }) => context.idempotencyKey);
      if (asked === undefined) {
        expect(status).toBe("completed");
        expect(calls).toEqual([calls[0], calls[0]]);
      } else {
        expect(status).toBe(asked === "review" ? "awaiting_review" : "failed");
        expect(calls).toHaveLength(1);
      }
    }
  });

  test("stays uncertain about one attempt although later attempts certainly were not sent", async () => {
    for (const action of ["idempotent", "once"] as const) {
      const harness = await createHarness();
      const notSent = fails("connection refused", { outcome: "not_sent" });
      harness.bank.plan(action, breaks("cut after sending"), notSent, notSent, notSent);
      const settings = action === "once" ? { onUnknownOutcome: "retry" as const } : {};
      const runId = await harness.runOf(
        procedure([call("a", action, settings), end("failed")], {
          edges: ["start > a", "a > done", "a:error > failed"],
        }),
      );
      await harness.clock.advance(120_000);
      expect(harness.bank.calls).toHaveLength(4);
      expect((await harness.read(runId)).status, action).toBe("awaiting_review");
      expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
    }
  });

  test("stays uncertain although a person had it sent again, and that was certainly not sent", async () => {
    const { harness, runId } = await inDoubt();
    const notSent = fails("connection refused", { outcome: "not_sent" });
    harness.bank.plan("once", notSent, notSent, notSent);
    await harness.decide(runId);
    await harness.clock.advance(120_000);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect((await harness.reviews(runId)).map(({ status }) => status)).toEqual(["approved", "open"]);
  });

  test("stays uncertain although the service refused a repetition", async () => {
    const { harness, runId } = await inDoubt();
    harness.bank.plan("once", fails("duplicate payment"));
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect((await harness.reviews(runId))[1]?.data["reason"]).toContain("duplicate payment");
  });

  test("a refusal does not settle an uncertain idempotent call either, because the service may not have checked its key", async () => {
    const harness = await createHarness();
    harness.bank.plan("idempotent", breaks(), fails("too many requests"));
    const runId = await harness.runOf(procedure([call("a", "idempotent")]));
    await harness.clock.advance(2_000);
    expect((await harness.reviews(runId))[0]?.data["reason"]).toContain("too many requests");
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(1);
  });
});
