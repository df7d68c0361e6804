import { z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, condition, end, procedure } from "./documents.ts";
import { breaks, fails } from "./scripted-bank.ts";

const pay = (settings: Parameters<typeof call>[2] = {}) =>
  call("pay", "pay", {
    title: "Pay",
    arguments: { to: "{{ input.to }}", amount: "{{ input.amount }}" },
    guards: [{ check: "args.amount <= 100", otherwise: "review" }],
    ...settings,
  });

const branches = procedure(
  [pay(), end("rejected", { why: "{{ nodes.pay.error }}" }), end("failed", { failed: "{{ nodes.pay.error }}" })],
  {
    edges: ["start > pay", "pay > done", "pay:rejected > rejected", "pay:error > failed"],
    output: { id: "{{ nodes.pay.output.id }}" },
  },
);

const large = { to: "acme", amount: 5_000 };

describe("a guard", () => {
  test("that holds lets the call pass without a review", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(branches, { to: "acme", amount: 100 });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "pay-1" } });
    expect(await harness.reviews(runId)).toEqual([]);
  });

  test("that fails the step leaves by the error branch, and nothing is sent", async () => {
    const harness = await createHarness();
    const guards = [{ check: "args.amount <= 100", otherwise: "fail" as const }];
    const runId = await harness.runOf(
      { ...branches, nodes: branches.nodes.map((node) => (node.id === "pay" ? pay({ guards }) : node)) },
      large,
    );
    const run = await harness.read(runId);
    expect(run).toMatchObject({
      status: "completed",
      output: { failed: expect.stringContaining("args.amount <= 100") as string },
    });
    expect(harness.bank.calls).toEqual([]);
  });

  test("that cannot be evaluated fails closed: nothing is sent", async () => {
    const harness = await createHarness();
    const guards = [{ check: "args.amount <= input.limit", otherwise: "review" as const }];
    const runId = await harness.runOf(procedure([pay({ guards })]), large);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("limit") as string,
    });
    expect(harness.bank.calls).toEqual([]);
  });

  test.each(["yes", 1, null])("that yields %s instead of true holds the call back", async (value) => {
    const harness = await createHarness();
    const guards = [{ check: "input.flag", otherwise: "fail" as const }];
    const runId = await harness.runOf(procedure([pay({ guards })]), { ...large, flag: value });
    expect((await harness.read(runId)).status).toBe("failed");
    expect(harness.bank.calls).toEqual([]);
  });

  test("that opens a review shows exactly the held call", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(branches, large);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(await harness.reviews(runId)).toMatchObject([
      {
        kind: "guard",
        status: "open",
        title: "Guard held back: Pay",
        data: { guards: ["args.amount <= 100"], connection: "bank", action: "pay", arguments: large },
        call: { nodeId: "pay", connection: "bank", action: "pay", args: large },
        rules: { outputs: false },
      },
    ]);
    expect(harness.bank.calls).toEqual([]);
  });

  test("an approval sends exactly the frozen call, once", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(branches, large);
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "pay-1" } });
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([large]);
  });

  test("an approval that another engine executes, from the journal alone, sends exactly the frozen call", async () => {
    const harness = await createHarness();
    const data = {
      to: "a name that is long enough to be stored by reference in the journal, and then some",
      amount: 5_000,
    };
    const runId = await harness.runOf(branches, data);
    await harness.engine.stop();
    const successor = await harness.addEngine();
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect(await successor.runs.get({ environment: "sandbox", runId })).toMatchObject({ status: "completed" });
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([data]);
  });

  test("a decision cannot change the call: outputs are refused", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(branches, large);
    const decision = harness.decide(runId, { outputs: { to: "mallory", amount: 1 } });
    await expect(decision).rejects.toMatchObject({
      code: "invalid_decision",
      status: 422,
      details: [{ path: "/outputs" }],
      message: expect.stringContaining("exactly the call that was shown") as string,
    });
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(harness.bank.calls).toEqual([]);
  });

  test("a rejection leaves by the rejected branch, with the reason as the step's error", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(branches, large);
    await harness.decide(runId, { approved: false, rejectionReason: "too much" });
    const run = await harness.read(runId);
    expect(run).toMatchObject({ status: "completed", output: { why: "too much" } });
    expect(run.steps.find(({ nodeId }) => nodeId === "pay")).toMatchObject({
      status: "failed",
      output: { error: "too much" },
    });
    expect(harness.bank.calls).toEqual([]);
  });

  test("a rejection without a rejected branch fails the run with the reason, even with an error branch", async () => {
    const harness = await createHarness();
    const document = procedure([pay(), end("failed")], { edges: ["start > pay", "pay > done", "pay:error > failed"] });
    const runId = await harness.runOf(document, large);
    await harness.decide(runId, { approved: false, rejectionReason: "too much" });
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "too much" });
  });

  test("an action that changed after the review was opened is not called: the step fails with the reason", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(branches, large);
    await harness.engine.stop();
    await harness.addEngine({
      bank: { payInput: z.object({ to: z.string(), amount: z.int(), memo: z.string().optional() }) },
    });
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { failed: expect.stringContaining("has changed") as string },
    });
    expect(harness.bank.calls).toEqual([]);
  });

  test("an approved call that certainly was not sent is repeated without another review", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", fails("not sent", { outcome: "not_sent" }));
    const runId = await harness.runOf(branches, large);
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(await harness.reviews(runId)).toHaveLength(1);
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([large, large]);
  });

  test("an approved call of unknown outcome opens a review of the outcome", async () => {
    const harness = await createHarness();
    harness.bank.plan("pay", breaks());
    const runId = await harness.runOf(branches, large);
    await harness.decide(runId);
    expect((await harness.reviews(runId)).map(({ kind, status }) => [kind, status])).toEqual([
      ["guard", "approved"],
      ["outcome_unknown", "open"],
    ]);
    await harness.decide(runId, { outputs: { id: "seen" } });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "seen" } });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("each visit opens a review of its own: an approval covers one call", async () => {
    const harness = await createHarness();
    const loop = procedure([pay(), condition("again", { yes: "nodes.pay.output.id == 'pay-1'" }, "no")], {
      edges: ["start > pay", "pay > again", "again:yes > pay", "again:no > done"],
    });
    const runId = await harness.runOf(loop, large);
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(harness.bank.calls).toHaveLength(1);
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(2);
  });

  test("several guards that hold a call back open one review, which names them all", async () => {
    const harness = await createHarness();
    const guards = [
      { check: "args.amount <= 100", otherwise: "review" as const },
      { check: "args.amount > 0", otherwise: "review" as const },
      { check: "args.to != 'acme'", otherwise: "review" as const },
    ];
    const runId = await harness.runOf(procedure([pay({ guards })]), large);
    expect((await harness.reviews(runId)).map(({ data }) => data["guards"])).toEqual([
      ["args.amount <= 100", "args.to != 'acme'"],
    ]);
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("every guard counts, in order: one that passes does not weaken one that forbids", async () => {
    const harness = await createHarness();
    const guards = [
      { check: "args.amount > 0", otherwise: "review" as const },
      { check: "args.to != 'mallory'", otherwise: "fail" as const },
    ];
    const runId = await harness.runOf(procedure([pay({ guards })]), { to: "mallory", amount: 1 });
    expect((await harness.read(runId)).status).toBe("failed");
    expect(harness.bank.calls).toEqual([]);
  });
});

describe("an approved call", () => {
  test("has exactly the arguments that the action receives: unknown arguments are refused, not dropped", async () => {
    const harness = await createHarness();
    const document = procedure([
      call("pay", "pay", {
        arguments: { to: "acme", amount: 1, urgent: "{{ input.urgent }}" },
        guards: [{ check: "false", otherwise: "review" }],
      }),
    ]);
    const outcome = await harness.runOf(document, { urgent: true }).then(
      async (runId) => (await harness.read(runId)).status,
      (error: { code: string }) => error.code,
    );
    expect(["invalid_document", "failed"]).toContain(outcome);
    expect(harness.bank.calls).toEqual([]);
  });
});
