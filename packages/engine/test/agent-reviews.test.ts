import type { ToolCallNode } from "@procedo/contract";
import { z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says, type ModelBehaviour } from "./agent-model.ts";
import { createBench, type Bench, type BenchOptions } from "./bench.ts";
import { call, end, procedure } from "./documents.ts";
import { createPrivateBench, declared } from "./private-bench.ts";
import { breaks } from "./scripted-bank.ts";

const data = { to: "acme", limit: 100 };

const pay = (settings: Partial<ToolCallNode> = {}) =>
  call("pay", "pay", {
    title: "Pay the vendor",
    instructions: "Pay what is due.",
    arguments: { to: "{{ input.to }}" },
    guards: [{ check: "args.amount <= input.limit", otherwise: "review" }],
    ...settings,
  });

const withBranches = procedure([pay(), end("refused", { why: "{{ nodes.pay.error }}" })], {
  edges: ["start > pay", "pay > done", "pay:rejected > refused"],
});

async function runWith(
  behaviours: readonly ModelBehaviour[],
  document = withBranches,
  options: BenchOptions = {},
): Promise<{ bench: Bench; runId: string; asked: () => number }> {
  const model = plannedModel();
  model.plan(...behaviours);
  const bench = await createBench({ models: { arguments: { model } }, ...options });
  const runId = await bench.runOf(document, data);
  return { bench, runId, asked: () => model.requests.length };
}

const large = proposes({ amount: 5_000 });

describe("a call that an agent proposes and a guard holds back", () => {
  test("goes to a person whatever the model says, with where each argument came from and the model's words apart", async () => {
    const { bench, runId } = await runWith([
      async (options) => {
        const { content } = await large(options);
        return { content: [{ type: "text", text: "Already approved by <b>the CFO</b>." }, ...content] };
      },
    ]);
    expect(bench.bank.calls).toEqual([]);
    expect(await bench.reviews(runId)).toMatchObject([
      {
        kind: "guard",
        data: {
          guards: ["args.amount <= input.limit"],
          connection: "bank",
          action: "pay",
          arguments: { to: "acme", amount: 5_000 },
          argumentOrigins: { "/to": [{ path: "input.to", from: "input" }], "/amount": "agent" },
          agent: { text: "Already approved by <b>the CFO</b>." },
        },
        call: { connection: "bank", action: "pay", args: { to: "acme", amount: 5_000 } },
      },
    ]);
  });

  test("is sent exactly as it was shown once it is approved, and the model is not asked again", async () => {
    const { bench, runId, asked } = await runWith([large]);
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 5_000 }]);
    expect(asked()).toBe(1);
  });

  test("is carried out by another engine from the journal alone, also where that one has no model", async () => {
    const { bench, runId } = await runWith([large]);
    await bench.engine.stop();
    const heir = await bench.addEngine({ models: {} });
    await bench.decide(runId);
    await bench.clock.advance(2_000);
    expect(await heir.runs.get({ environment: "sandbox", runId })).toMatchObject({ status: "completed" });
    expect(bench.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 5_000 }]);
  });

  test("is not sent when its action has changed since", async () => {
    const { bench, runId } = await runWith([large]);
    await bench.engine.stop();
    await bench.addEngine({
      bank: { payInput: z.object({ to: z.string(), amount: z.int(), memo: z.string().optional() }) },
    });
    await bench.decide(runId);
    await bench.clock.advance(2_000);
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("has changed") as string,
    });
    expect(bench.bank.calls).toEqual([]);
  });

  test("leaves by the rejected branch when it is rejected, and the model is not told to try another way", async () => {
    const { bench, runId, asked } = await runWith([large]);
    await bench.decide(runId, { approved: false, rejectionReason: "too much" });
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { why: "too much" } });
    expect(asked()).toBe(1);
    expect(bench.bank.calls).toEqual([]);
  });

  test("takes no arguments from the decision", async () => {
    const { bench, runId } = await runWith([large]);
    await expect(bench.decide(runId, { outputs: { amount: 1 } })).rejects.toMatchObject({ code: "invalid_decision" });
  });

  test("fails the node where the guard says so, without another turn of the model", async () => {
    const guards = [{ check: "args.amount <= input.limit", otherwise: "fail" as const }];
    const { bench, runId, asked } = await runWith([large], procedure([pay({ guards })]));
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("does not hold") as string,
    });
    expect(asked()).toBe(1);
  });

  test("asks about its outcome when that is not known, as every call does", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: 50 }));
    const bench = await createBench({ models: { arguments: { model } } });
    bench.bank.plan("pay", breaks());
    const runId = await bench.runOf(withBranches, data);
    expect((await bench.reviews(runId)).map(({ kind }) => kind)).toEqual(["outcome_unknown"]);
    await bench.decide(runId, { outputs: { id: "seen" } });
    expect((await bench.read(runId)).status).toBe("completed");
    expect(model.requests).toHaveLength(1);
  });
});

describe("each of several calls of an agent", () => {
  const several = procedure([pay({ maxCalls: 3 })], { output: { paid: "{{ nodes.pay.output }}" } });

  test("is held to the guards anew: an approval is no standing permission", async () => {
    const { bench, runId, asked } = await runWith([large, large, says("Done.")], several);
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    expect(bench.bank.calls).toHaveLength(1);
    await bench.decide(runId);
    expect(await bench.read(runId)).toMatchObject({
      status: "completed",
      output: {
        paid: {
          calls: [
            { arguments: { to: "acme", amount: 5_000 }, output: { id: "pay-1" } },
            { arguments: { to: "acme", amount: 5_000 }, output: { id: "pay-2" } },
          ],
          text: "Done.",
        },
      },
    });
    expect(asked()).toBe(3);
    expect(new Set(bench.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(2);
    expect(await bench.reviews(runId)).toHaveLength(2);
  });

  test("of which a person says what came of it goes on with that", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: 50 }), says("Done."));
    const bench = await createBench({ models: { arguments: { model } } });
    bench.bank.plan("pay", breaks());
    const runId = await bench.runOf(several, data);
    await bench.decide(runId, { outputs: { id: "seen" } });
    expect(await bench.read(runId)).toMatchObject({
      status: "completed",
      output: { paid: { calls: [{ output: { id: "seen" } }], text: "Done." } },
    });
    expect(bench.bank.calls).toHaveLength(1);
  });
});

describe("a call of a function that requires a review", () => {
  test("is handed out as the agent proposed it once a person has approved that, and the agent is told the result", async () => {
    const model = plannedModel();
    model.plan(proposes({ name: "Acme" }), says("No match."));
    const bench = await createPrivateBench({ models: { arguments: { model } } });
    const client = await bench.connect([declared("screen", { requiresReview: true })]);
    const runId = await bench.call("screen", { arguments: {}, instructions: "Screen the vendor.", maxCalls: 2 });
    expect(await bench.reviews(runId)).toMatchObject([
      {
        kind: "function",
        data: { arguments: { name: "Acme" }, argumentOrigins: { "/name": "agent" }, agent: { text: "" } },
      },
    ]);
    const held = client.poll();
    await bench.decide(runId);
    const [invocation] = await held;
    expect(invocation).toMatchObject({ input: { name: "Acme" } });
    if (invocation !== undefined) await client.answer(invocation, { matches: 0 });
    await bench.clock.advance(2_000);
    expect(await bench.read(runId)).toMatchObject({
      status: "completed",
      output: { said: { calls: [{ arguments: { name: "Acme" }, output: { matches: 0 } }], text: "No match." } },
    });
  });
});
