import { APICallError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { lastOf, plannedModel, proposes, requestOf, says, type ModelBehaviour } from "./agent-model.ts";
import { alice, createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

/** Another behaviour, except that a forced call is refused by the service. */
function unforced(behaviour: ModelBehaviour): ModelBehaviour {
  return (options) => {
    if (options.toolChoice?.type !== "required") return behaviour(options);
    const message = "Thinking mode does not support this tool_choice";
    throw new APICallError({ message, url: "http://model.test/", requestBodyValues: {}, statusCode: 400 });
  };
}

const pay = call("pay", "pay", {
  instructions: "Pay.",
  arguments: { to: "acme" },
  budget: { modelCalls: 2 },
});

test("a model that does not support a forced call is instructed to call, and its refusal counts neither in the budget nor as an attempt", async () => {
  const model = plannedModel();
  const proposing = unforced(proposes({ amount: 500 }));
  model.plan(proposing, says("I would pay."), proposing, proposing);
  const harness = await createHarness({ models: { arguments: { model } } });
  const runId = await harness.runOf(procedure([pay]), {});
  expect(await harness.read(runId)).toMatchObject({ status: "completed" });
  expect(harness.bank.calls.map(({ args }) => args)).toEqual([{ to: "acme", amount: 500 }]);
  expect(model.requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(["required", "auto", "auto"]);
  expect(lastOf(requestOf(model, 3))).toContain('The tool \\"pay\\" was not called. Call it once');
  const rows = await harness.engine.runs.journal({ environment: "sandbox", runId });
  const replies = rows.flatMap(({ entries }) => entries.filter(({ type }) => type === "replied"));
  const reported = { reply: { providerMetadata: { procedo: { toolChoice: "auto" } } } };
  expect(replies).toMatchObject([
    { turn: 1, attempt: 1, result: reported },
    { turn: 2, attempt: 1, result: reported },
  ]);
});

test("the next run of the same engine does not force the model again", async () => {
  const model = plannedModel();
  model.plan(unforced(proposes({ amount: 500 })));
  const harness = await createHarness({ models: { arguments: { model } } });
  await harness.runOf(procedure([pay]), {});
  await harness.engine.runs.start({ procedureId: "p", environment: "sandbox", data: {}, by: alice });
  await harness.clock.settle();
  expect(model.requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(["required", "auto", "auto"]);
});

test("a model whose package does not support a forced call is not forced", async () => {
  const model = plannedModel();
  const proposing = proposes({ amount: 500 });
  model.plan((options) => {
    if (options.toolChoice?.type !== "required") return proposing(options);
    throw new UnsupportedFunctionalityError({ functionality: "tool choice type: required" });
  }, proposing);
  const harness = await createHarness({ models: { arguments: { model } } });
  const runId = await harness.runOf(procedure([pay]), {});
  expect(await harness.read(runId)).toMatchObject({ status: "completed" });
  expect(model.requests.map(({ toolChoice }) => toolChoice?.type)).toEqual(["required", "auto"]);
});
