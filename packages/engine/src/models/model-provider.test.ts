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
])("provider %s has the interface of %s", (provider, family) => {
  expect(familyOf({ provider })).toBe(family);
});

test("a compatible service gets no option of OpenAI, even if its package has OpenAI in its name", () => {
  expect(oneCallAtATime({ provider: "openai-compatible.chat", modelId: "m" })).toEqual({});
});
