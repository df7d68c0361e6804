import type { ConditionNode, ProcedureDocument } from "@procedo/contract";
import type { EngineOptions } from "@procedo/engine";
import { ProcedoError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { plannedModel, proposes } from "./agent-model.ts";
import { createHarness } from "./harness.ts";
import { call, end, procedure } from "./documents.ts";

const pay = call("pay", "pay", { instructions: "Pay.", arguments: { to: "acme" } });
const which: ConditionNode = {
  id: "which",
  kind: "condition",
  question: "Which?",
  branches: [
    { name: "a", description: "One." },
    { name: "b", description: "The other." },
  ],
};
const both = procedure([which, pay, end("other")], {
  edges: ["start > which", "which:a > pay", "which:b > other", "pay > done"],
});
const asking = procedure([which, end("other")], { edges: ["start > which", "which:a > done", "which:b > other"] });

const model = plannedModel();

async function problemsWith(models: NonNullable<EngineOptions["models"]>, document: ProcedureDocument) {
  const harness = await createHarness({ models });
  const published = await harness.publish(document).catch((error: unknown) => error);
  return ProcedoError.isError(published) ? published.details : undefined;
}

describe("a procedure with agents", () => {
  test.each<[string, NonNullable<EngineOptions["models"]>, ProcedureDocument, readonly string[]]>([
    ["no model at all", {}, both, ["which", "pay"]],
    ["a model for arguments only", { arguments: { model } }, both, ["which"]],
    ["a model for questions only", { questions: { model } }, both, ["pay"]],
    ["a model for another procedure", { procedures: { q: { arguments: { model } } } }, procedure([pay]), ["pay"]],
    ["a model for the other purpose", { arguments: { model } }, asking, ["which"]],
  ])("is refused by an engine with %s, with an error for each node", async (_what, models, document, nodes) => {
    const details = await problemsWith(models, document);
    expect(details?.map(({ message }) => /Node "(\w+)" needs a language model/.exec(message)?.[1])).toEqual(nodes);
  });

  test.each<[string, NonNullable<EngineOptions["models"]>, ProcedureDocument]>([
    ["both", { arguments: { model }, questions: { model } }, both],
    ["only its own", { procedures: { p: { arguments: { model }, questions: { model } } } }, both],
    ["the required one", { questions: { model } }, asking],
    ["no agents, even without a model", {}, procedure([call("pay", "pay", { arguments: { to: "x", amount: 1 } })])],
  ])("is published by an engine with models for %s", async (_what, models, document) => {
    expect(await problemsWith(models, document)).toBeUndefined();
  });

  test("uses its own model instead of the default model", async () => {
    const [own, general] = [plannedModel("own"), plannedModel("general")];
    for (const each of [own, general]) each.plan(proposes({ amount: 1 }));
    const harness = await createHarness({
      models: { arguments: { model: general }, procedures: { p: { arguments: { model: own } } } },
    });
    await harness.runOf(procedure([pay]));
    await harness.runOf(procedure([pay], { procedureId: "q" }));
    expect([own.requests.length, general.requests.length]).toEqual([1, 1]);
  });

  test("that was published before fails at its node in an engine without a model, but still loads", async () => {
    const harness = await createHarness({ models: { arguments: { model } } });
    const document = procedure([pay, end("failed", { why: "{{ nodes.pay.error }}" })], {
      edges: ["start > pay", "pay > done", "pay:error > failed"],
    });
    await harness.publish(document);
    await harness.engine.stop();
    await harness.addEngine({ models: {} });
    const runId = await harness.run();
    await harness.clock.advance(2_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "completed",
      output: { why: expect.stringContaining('Node "pay" needs a language model') as string },
    });
  });
});

describe("the option models", () => {
  test.each([
    [
      "a model of another specification",
      { arguments: { model: { ...model, specificationVersion: "v2" } } },
      "models.arguments.model",
    ],
    ["no time at all", { questions: { model, timeoutMs: 0 } }, "models.questions.timeoutMs"],
    [
      "half a token",
      { procedures: { p: { arguments: { model, maxOutputTokens: 0.5 } } } },
      'models.procedures["p"].arguments.maxOutputTokens',
    ],
  ])("is refused with %s, which the message names", async (_what, models, named) => {
    await expect(createHarness({ models: models as NonNullable<EngineOptions["models"]> })).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringContaining(named) as string,
    });
  });

  test.each([
    ["modelCalls", -1],
    ["modelCalls", 100_001],
    ["tokens", 1.5],
    ["tokens", 1_000_000_001],
  ] as const)("limits.%s is not %d", async (limit, value) => {
    await expect(createHarness({ limits: { [limit]: value } })).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringContaining(`limits.${limit}`) as string,
    });
  });
});
