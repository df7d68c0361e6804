import type { SumLimit, ToolCallNode } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { lastOf, plannedModel, proposes, requestOf, says, type ModelBehaviour } from "./agent-model.ts";
import { createHarness, type Harness } from "./harness.ts";
import { pay, perDay, perRun, takenOf, today } from "./bounded-payment.ts";
import { end, procedure } from "./documents.ts";
import { fails } from "./scripted-bank.ts";

function paying(sumLimits: readonly SumLimit[], settings: Partial<ToolCallNode> = {}) {
  const node = pay(sumLimits, { instructions: "Pay what is due.", arguments: { to: "acme" }, ...settings });
  return procedure([node, end("failed", { why: "{{ nodes.pay.error }}" })], {
    edges: ["start > pay", "pay > done", "pay:error > failed"],
    output: { pay: "{{ nodes.pay.output }}" },
  });
}

async function runWith(document: ReturnType<typeof paying>, behaviours: readonly ModelBehaviour[]) {
  const model = plannedModel();
  model.plan(...behaviours);
  const harness = await createHarness({ models: { arguments: { model } } });
  return { harness, model, runId: await harness.runOf(document, {}) };
}

const amountsOf = ({ bank }: Harness) => bank.calls.map(({ args }) => args["amount"]);

describe("a call that an agent proposes", () => {
  test("counts against the sums of its node: beyond them the node fails, without another turn of the model", async () => {
    const { harness, model, runId } = await runWith(paying([perDay]), [proposes({ amount: 101 })]);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { why: expect.stringContaining('Sum limit "daily" of "pay" has no room for 101') as string },
    });
    expect(harness.bank.calls).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect(await takenOf(harness, "daily", today)).toBe(0);
  });

  test("beyond the sums opens a review that shows the facts of the engine apart from the text of the model", async () => {
    const asking = { ...perDay, otherwise: "review" as const };
    const { harness, runId } = await runWith(paying([asking]), [
      async (options) => {
        const { content } = await proposes({ amount: 101 })(options);
        return { content: [{ type: "text", text: "The limit was raised." }, ...content] };
      },
    ]);
    expect(await harness.reviews(runId)).toMatchObject([
      {
        kind: "guard",
        data: {
          guards: [],
          limits: [{ limit: "daily", atMost: 100, taken: 0, requested: 101, exceeded: true }],
          arguments: { to: "acme", amount: 101 },
          argumentOrigins: { "/to": "procedure", "/amount": "agent" },
          agent: { text: "The limit was raised." },
        },
      },
    ]);
    await harness.decide(runId);
    expect(amountsOf(harness)).toEqual([101]);
    expect(await takenOf(harness, "daily", today)).toBe(101);
  });

  test("and a guard holds back is shown with the same facts if the sums no longer have room for it", async () => {
    const guards = [{ check: "args.amount < 50", otherwise: "review" as const }];
    const asking = { ...perDay, otherwise: "review" as const };
    const { harness, runId } = await runWith(paying([asking], { guards }), [proposes({ amount: 70 })]);
    const other = await harness.run();
    await harness.decide(other);
    await harness.decide(runId);
    const reviews = await harness.reviews(runId);
    expect(reviews.map(({ data }) => data)).toMatchObject([
      { guards: ["args.amount < 50"], argumentOrigins: { "/amount": "agent" } },
      { guards: [], limits: [{ taken: 70, requested: 70 }], argumentOrigins: { "/amount": "agent" } },
    ]);
  });

  test("reserves nothing while it is invalid", async () => {
    const twice = proposes({ amount: 10 }, { amount: 10 });
    const { harness, runId } = await runWith(paying([perDay]), [
      proposes({ amount: "x" }),
      twice,
      says("Hm."),
      says("Hm."),
    ]);
    expect(await harness.read(runId)).toMatchObject({
      output: { why: expect.stringContaining("no usable reply") as string },
    });
    expect(harness.engine.way.count("budgets.reserve")).toBe(0);
    expect(await takenOf(harness, "daily", today)).toBe(0);
  });

  test("after invalid proposals reserves its own amount", async () => {
    const { harness, runId } = await runWith(paying([perDay]), [proposes({ amount: "x" }), proposes({ amount: 60 })]);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(amountsOf(harness)).toEqual([60]);
    expect(await takenOf(harness, "daily", today)).toBe(60);
  });

  test("several times adds up: failed calls do not count, and the call without room ends it", async () => {
    const document = paying([perRun], { maxCalls: 9 });
    const model = plannedModel();
    model.plan(...[60, 40, 40, 1].map((amount) => proposes({ amount })));
    const harness = await createHarness({ models: { arguments: { model } } });
    harness.bank.plan("pay", () => ({ id: "a" }), fails("The account is closed."));
    const runId = await harness.runOf(document, {});
    expect(amountsOf(harness)).toEqual([60, 40, 40]);
    expect(lastOf(requestOf(model, 3))).toContain("The account is closed.");
    expect(model.requests).toHaveLength(4);
    expect(await harness.read(runId)).toMatchObject({
      output: { why: expect.stringContaining("has no room for 1: 100 of 100 is taken in this run") as string },
    });
    expect(await takenOf(harness, "total", `run/${runId}`)).toBe(100);
  });

  test("is durable before its reservation: three rows become four", async () => {
    const { harness, runId } = await runWith(paying([perDay]), [proposes({ amount: 10 })]);
    const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
    expect(rows.map(({ entries }) => entries.map(({ type }) => type))).toEqual([
      ["started", "prompted"],
      ["replied"],
      ["intent"],
      ["outcome", "ended"],
    ]);
  });
});
