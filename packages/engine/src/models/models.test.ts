import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProcedoError } from "@procedo/contract";
import { expect, test } from "vitest";
import { checkModels, modelFor, modelSettings, type AgentModel, type AgentModels } from "./models.ts";

const modelNamed = (modelId: string, specificationVersion: string = "v4"): AgentModel => ({
  model: { specificationVersion, provider: "test", modelId } as unknown as LanguageModelV4,
});

const [large, small, own] = [modelNamed("large"), modelNamed("small"), modelNamed("own")];

test("a procedure uses its own model, else the one for the purpose", () => {
  const models: AgentModels = {
    arguments: large,
    questions: small,
    procedures: { payment: { arguments: own }, toString: {} },
  };
  expect(modelFor(models, "payment", "arguments")).toBe(own);
  expect(modelFor(models, "payment", "questions")).toBe(small);
  expect(modelFor(models, "other", "arguments")).toBe(large);
  expect(modelFor(models, "constructor", "arguments")).toBe(large);
  expect(modelFor({ questions: small }, "payment", "arguments")).toBeUndefined();
});

test("omitted settings have their defaults", () => {
  expect(modelSettings(large)).toEqual({
    model: large.model,
    streaming: false,
    maxOutputTokens: 4_096,
    timeoutMs: 120_000,
    toolChoice: "required",
    secrets: [],
  });
});

test("models within their bounds are accepted", () => {
  checkModels({});
  checkModels({
    arguments: { ...large, maxOutputTokens: 1_000_000, timeoutMs: 1 },
    questions: { ...modelNamed("old", "v3"), toolChoice: "auto" },
  });
});

test.each([
  ["models.arguments.maxOutputTokens", { arguments: { ...large, maxOutputTokens: 0 } }, "1 to 1000000"],
  ["models.questions.timeoutMs", { questions: { ...large, timeoutMs: 1.5 } }, "1 to 3600000"],
  [
    "models.arguments.toolChoice",
    { arguments: { ...large, toolChoice: "none" as "auto" } },
    'is "none". Give "required" or "auto".',
  ],
  ["models.arguments.model", { arguments: modelNamed("old", "v2") }, "v3 or v4"],
  [
    'models.procedures["payment"].arguments.timeoutMs',
    { procedures: { payment: { arguments: { ...own, timeoutMs: -1 } } } },
    "1 to",
  ],
] as const)("%s is refused, and the message contains the allowed values", (option, models, allowed) => {
  expect(() => checkModels(models)).toThrow(
    expect.objectContaining<Partial<ProcedoError>>({
      code: "invalid_configuration",
      message: expect.stringContaining(option),
    }),
  );
  expect(() => checkModels(models)).toThrow(allowed);
});
