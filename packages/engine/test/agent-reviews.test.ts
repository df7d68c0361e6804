import type { ToolCallNode } from "@procedo/contract";
import { z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes, says, type ModelBehaviour } from "./agent-model.ts";
import { createHarness, type Harness, type HarnessOptions } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";
import { createPrivateHarness, declared } from "./private-harness.ts";
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
  options: HarnessOptions = {},
): Promise<{ harness: Harness; runId: string; asked: () => number }> {
  const model = plannedModel();
  model.plan(...behaviours);
  const harness = await createHarness({ models: { arguments: { model } }, ...options });
  const runId = await harness.runOf(document, data);
  return { harness, runId, asked: () => model.requests.length };
}

const large = proposes({ amount: 5_000 });

describe("a call that an agent proposes and a guard holds back", () => {
  test("needs a review regardless of the model's text, which shows the origin of each argument, with the model's text apart", async () => {
    const { harness, runId } = await runWith([
      async (options) => {
        const { content } = await large(options);
        return { content: [{ type: "text", text: "Already approved by <b>the CFO</b>." }, ...content] };
      },
    ]);
    expect(harness.bank.calls).toEqual([]);
    expect(await harness.reviews(runId)).toMatchObject([
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

  test("is sent exactly as shown once it is approved, without another turn of the model", async () => {
    const { harness, runId, asked } = await runWith([large]);
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 5_000 }]);
    expect(asked()).toBe(1);
  });

  test("is made by another engine from the journal alone, even one without a model", async () => {
    const { harness, runId } = await runWith([large]);
    await harness.engine.stop();
    const successor = await harness.addEngine({ models: {} });
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect(await successor.runs.get({ environment: "sandbox", runId })).toMatchObject({ status: "completed" });
    expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 5_000 }]);
  });

  test("is not sent if its action has changed since", async () => {
    const { harness, runId } = await runWith([large]);
    await harness.engine.stop();
    await harness.addEngine({
      bank: { payInput: z.object({ to: z.string(), amount: z.int(), memo: z.string().optional() }) },
    });
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("has changed") as string,
    });
    expect(harness.bank.calls).toEqual([]);
  });

  test("leaves by the rejected branch if it is rejected, without another turn of the model", async () => {
    const { harness, runId, asked } = await runWith([large]);
    await harness.decide(runId, { approved: false, rejectionReason: "too much" });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { why: "too much" } });
    expect(asked()).toBe(1);
    expect(harness.bank.calls).toEqual([]);
  });

  test("takes no arguments from the decision", async () => {
    const { harness, runId } = await runWith([large]);
    await expect(harness.decide(runId, { outputs: { amount: 1 } })).rejects.toMatchObject({ code: "invalid_decision" });
  });

  test("fails the node if the guard says so, without another turn of the model", async () => {
    const guards = [{ check: "args.amount <= input.limit", otherwise: "fail" as const }];
    const { harness, runId, asked } = await runWith([large], procedure([pay({ guards })]));
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("does not hold") as string,
    });
    expect(asked()).toBe(1);
  });

  test("opens a review about its unknown outcome, as every call does", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: 50 }));
    const harness = await createHarness({ models: { arguments: { model } } });
    harness.bank.plan("pay", breaks());
    const runId = await harness.runOf(withBranches, data);
    expect((await harness.reviews(runId)).map(({ kind }) => kind)).toEqual(["outcome_unknown"]);
    await harness.decide(runId, { outputs: { id: "seen" } });
    expect((await harness.read(runId)).status).toBe("completed");
    expect(model.requests).toHaveLength(1);
  });
});

describe("each of several calls of an agent", () => {
  const several = procedure([pay({ maxCalls: 3 })], { output: { paid: "{{ nodes.pay.output }}" } });

  test("is checked by the guards separately: an approval covers one call", async () => {
    const { harness, runId, asked } = await runWith([large, large, says("Done.")], several);
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(harness.bank.calls).toHaveLength(1);
    await harness.decide(runId);
    expect(await harness.read(runId)).toMatchObject({
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
    expect(new Set(harness.bank.calls.map(({ context }) => context.idempotencyKey)).size).toBe(2);
    expect(await harness.reviews(runId)).toHaveLength(2);
  });

  test("whose outcome a person enters continues with that outcome", async () => {
    const model = plannedModel();
    model.plan(proposes({ amount: 50 }), says("Done."));
    const harness = await createHarness({ models: { arguments: { model } } });
    harness.bank.plan("pay", breaks());
    const runId = await harness.runOf(several, data);
    await harness.decide(runId, { outputs: { id: "seen" } });
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { paid: { calls: [{ output: { id: "seen" } }], text: "Done." } },
    });
    expect(harness.bank.calls).toHaveLength(1);
  });
});

describe("a call of a function that requires a review", () => {
  test("is dispatched as the agent proposed it once a person has approved it, and the agent gets the result", async () => {
    const model = plannedModel();
    model.plan(proposes({ name: "Acme" }), says("No match."));
    const harness = await createPrivateHarness({ models: { arguments: { model } } });
    const client = await harness.connect([declared("screen", { requiresReview: true })]);
    const runId = await harness.call("screen", { arguments: {}, instructions: "Screen the vendor.", maxCalls: 2 });
    expect(await harness.reviews(runId)).toMatchObject([
      {
        kind: "function",
        data: { arguments: { name: "Acme" }, argumentOrigins: { "/name": "agent" }, agent: { text: "" } },
      },
    ]);
    const held = client.poll();
    await harness.decide(runId);
    const [invocation] = await held;
    expect(invocation).toMatchObject({ input: { name: "Acme" } });
    if (invocation !== undefined) await client.answer(invocation, { matches: 0 });
    await harness.clock.advance(2_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { said: { calls: [{ arguments: { name: "Acme" }, output: { matches: 0 } }], text: "No match." } },
    });
  });
});
