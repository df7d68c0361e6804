import { expect, test } from "vitest";
import { familyOf, oneCallAtATime } from "./model-provider.ts";

test.each([
  ["openai", "openai"],
  ["openai.chat", "openai"],
  ["openai.responses", "openai"],
  ["azure.chat", "openai"],
  ["azure", "openai"],
  ["anthropic.messages", "anthropic"],
  ["vertex.anthropic.messages", "anthropic"],
  ["openai-compatible.chat", "other"],
  ["azure-local.chat", "other"],
  ["openaiish", "other"],
  ["local.chat", "other"],
])("the interface of %s is that of %s", (provider, family) => {
  expect(familyOf({ provider })).toBe(family);
});

test("a compatible service is told nothing of OpenAI's own, whatever its package is named", () => {
  expect(oneCallAtATime({ provider: "openai-compatible.chat", modelId: "m" })).toEqual({});
});
