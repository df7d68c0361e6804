import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { addressOf, purposesOf, toolChoiceOf } from "./model-settings.ts";
import { readSettings } from "./settings.ts";

const models = (env: Record<string, string>) => readSettings(env).models;

function refusal(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (ProcedoError.isError(error)) return error.details.map(({ message }) => message);
    throw error;
  }
  throw new Error("These settings were accepted.");
}

const keys = { OPENAI_API_KEY: "sk-openai", ANTHROPIC_API_KEY: "sk-ant", PROCEDO_MODEL_API_KEY: "sk-local" };
const openai = (modelId: string) => ({ provider: "openai", modelId });

test("the model for arguments also answers questions, unless another one is named", () => {
  expect(models({ ...keys, PROCEDO_MODEL: "openai:gpt-5" })).toMatchObject({
    model: openai("gpt-5"),
    questions: openai("gpt-5"),
  });
  const both = { ...keys, PROCEDO_MODEL: "anthropic:claude-sonnet-4-5", PROCEDO_MODEL_QUESTIONS: "openai:gpt-5-mini" };
  expect(models(both)).toMatchObject({ model: { provider: "anthropic" }, questions: openai("gpt-5-mini") });
  expect(models({ ...keys, PROCEDO_MODEL_QUESTIONS: "openai:gpt-5" })).toMatchObject({
    model: undefined,
    questions: openai("gpt-5"),
  });
});

test("all model settings are read", () => {
  const env = {
    ...keys,
    PROCEDO_MODEL: "compatible:meta-llama/Llama-3.3:free",
    PROCEDO_MODEL_URL: "http://127.0.0.1:11434/v1/",
    PROCEDO_MODEL_STREAMING: "on",
    PROCEDO_MODEL_TOOL_CHOICE: "auto",
    PROCEDO_MODEL_MAX_OUTPUT_TOKENS: "16000",
    PROCEDO_MODEL_TIMEOUT_MS: "300000",
  };
  const model = { provider: "compatible", modelId: "meta-llama/Llama-3.3:free" };
  expect(models(env)).toEqual({
    model,
    questions: model,
    procedures: [],
    url: "http://127.0.0.1:11434/v1",
    keys: { openai: "sk-openai", anthropic: "sk-ant", compatible: "sk-local" },
    streaming: true,
    toolChoices: [{ model: undefined, toolChoice: "auto" }],
    maxOutputTokens: 16_000,
    timeoutMs: 300_000,
  });
});

test.each<[Record<string, string>, readonly string[]]>([
  [{}, []],
  [{ PROCEDO_MODEL: "openai:gpt-5" }, ["arguments", "questions"]],
  [{ PROCEDO_MODEL_QUESTIONS: "openai:gpt-5" }, ["questions"]],
  [{ PROCEDO_MODEL_FOR: "payment/arguments=openai:gpt-5" }, ["arguments"]],
  [{ PROCEDO_MODEL_FOR: "payment=openai:gpt-5" }, ["arguments", "questions"]],
])("the settings %j have models for %j", (env, purposes) => {
  expect(purposesOf(models({ ...keys, ...env }))).toEqual(purposes);
});

test("a procedure can have its own models, for one purpose or both", () => {
  const text =
    " payment=openai:gpt-5, payment/questions=openai:gpt-5-mini ,onboarding.v2/arguments=anthropic:claude-x,";
  expect(models({ ...keys, PROCEDO_MODEL_FOR: text }).procedures).toEqual([
    { procedureId: "payment", purpose: undefined, model: openai("gpt-5") },
    { procedureId: "payment", purpose: "questions", model: openai("gpt-5-mini") },
    { procedureId: "onboarding.v2", purpose: "arguments", model: { provider: "anthropic", modelId: "claude-x" } },
  ]);
});

test("the tool choice can be set per model and for all other models", () => {
  const text = "auto, compatible:meta=llama:free=required ,";
  const settings = models({ ...keys, PROCEDO_MODEL_TOOL_CHOICE: text });
  const choiceOf = (provider: "openai" | "compatible", modelId: string) =>
    toolChoiceOf({ provider, modelId }, settings);
  expect([choiceOf("openai", "gpt-5"), choiceOf("compatible", "meta=llama:free")]).toEqual(["auto", "required"]);
  expect(toolChoiceOf({ provider: "openai", modelId: "gpt-5" }, models(keys))).toBe("required");
});

test("a compatible service on this machine needs no key", () => {
  expect(models({ PROCEDO_MODEL: "compatible:qwen3", PROCEDO_MODEL_URL: "http://127.0.0.1:1/v1" }).keys).toEqual({});
});

describe("the address is", () => {
  const url = "https://models.example.com/v1";
  const compatible = "compatible:qwen3";
  test.each([
    ["of the compatible service alone", { PROCEDO_MODEL: compatible }, { compatible: url }],
    ["of it beside OpenAI", { PROCEDO_MODEL: "openai:a", PROCEDO_MODEL_QUESTIONS: compatible }, { compatible: url }],
    ["of it beside Anthropic", { PROCEDO_MODEL: compatible, PROCEDO_MODEL_FOR: "p=anthropic:a" }, { compatible: url }],
    [
      "of it beside both, where one procedure alone asks it",
      { PROCEDO_MODEL: "openai:a", PROCEDO_MODEL_QUESTIONS: "anthropic:b", PROCEDO_MODEL_FOR: `p=${compatible}` },
      { compatible: url },
    ],
    [
      "OpenAI's where no other is named",
      { PROCEDO_MODEL: "openai:a", PROCEDO_MODEL_FOR: "p=openai:b" },
      { openai: url },
    ],
    ["Anthropic's where no other is named", { PROCEDO_MODEL_FOR: "p/questions=anthropic:b" }, { anthropic: url }],
  ])("%s", (_whose, env, addresses) => {
    const settings = models({ ...keys, ...env, PROCEDO_MODEL_URL: url });
    const named = [settings.model, settings.questions, ...settings.procedures.map(({ model }) => model)];
    const providers = new Set(named.flatMap((model) => (model === undefined ? [] : [model.provider])));
    const given = [...providers].flatMap((provider) => {
      const address = addressOf(provider, settings);
      return address === undefined ? [] : [[provider, address]];
    });
    expect(Object.fromEntries(given)).toEqual(addresses);
  });
});

test.each([
  [{ PROCEDO_MODEL: "gpt-5" }, 'PROCEDO_MODEL is "gpt-5". Give openai:<model>'],
  [{ PROCEDO_MODEL: "openai:" }, 'PROCEDO_MODEL is "openai:"'],
  [{ PROCEDO_MODEL: "openai:gpt 5" }, 'PROCEDO_MODEL is "openai:gpt 5"'],
  [{ PROCEDO_MODEL: "google:gemini" }, "anthropic:<model>, or compatible:<model>"],
  [{ PROCEDO_MODEL_QUESTIONS: "openai/gpt" }, 'PROCEDO_MODEL_QUESTIONS is "openai/gpt"'],
  [{ PROCEDO_MODEL_FOR: "openai:gpt-5" }, 'it is "openai:gpt-5". Give <procedure>=<provider>:<model>'],
  [{ PROCEDO_MODEL_FOR: "pay=gpt-5" }, 'it is "pay=gpt-5"'],
  [{ PROCEDO_MODEL_FOR: "pay/answers=openai:gpt-5" }, "<procedure>/questions=…"],
  [{ PROCEDO_MODEL_FOR: "pay/questions/x=openai:gpt-5" }, "PROCEDO_MODEL_FOR has an invalid entry"],
  [{ PROCEDO_MODEL_FOR: "p ay=openai:gpt-5" }, "PROCEDO_MODEL_FOR has an invalid entry"],
  [{ PROCEDO_MODEL_FOR: "pay=openai:a,pay=openai:b", ...keys }, 'names a model for "pay" twice'],
  [{ PROCEDO_MODEL_URL: "localhost:11434" }, "PROCEDO_MODEL_URL is"],
  [{ PROCEDO_MODEL_URL: "ftp://models" }, "Give an http or https address"],
  [{ PROCEDO_MODEL_STREAMING: "yes" }, 'PROCEDO_MODEL_STREAMING is "yes". Give one of on, off.'],
  [{ PROCEDO_MODEL_TOOL_CHOICE: "none" }, 'it is "none". Give required or auto for all models'],
  [{ PROCEDO_MODEL_TOOL_CHOICE: "qwen3=auto" }, 'it is "qwen3=auto". Give required or auto'],
  [{ PROCEDO_MODEL_TOOL_CHOICE: "compatible:qwen3=any" }, 'it is "compatible:qwen3=any"'],
  [{ PROCEDO_MODEL_TOOL_CHOICE: "openai:a=auto,openai:a=auto" }, 'sets the tool choice of "openai:a" twice'],
  [{ PROCEDO_MODEL_MAX_OUTPUT_TOKENS: "0" }, "1 to 1000000"],
  [{ PROCEDO_MODEL_TIMEOUT_MS: "2m" }, "1 to 3600000"],
  [{ PROCEDO_MODEL: "openai:gpt-5" }, "OPENAI_API_KEY is not set, and a model of openai is named."],
  [{ PROCEDO_MODEL_FOR: "a=anthropic:claude-x" }, "ANTHROPIC_API_KEY is not set"],
  [{ PROCEDO_MODEL: "compatible:qwen3" }, "PROCEDO_MODEL_URL is not set, and a compatible model is named."],
  [
    { ...keys, PROCEDO_MODEL: "openai:a", PROCEDO_MODEL_FOR: "p=compatible:qwen3" },
    "PROCEDO_MODEL_URL is not set, and a compatible model is named.",
  ],
  [
    {
      ...keys,
      PROCEDO_MODEL: "openai:a",
      PROCEDO_MODEL_QUESTIONS: "anthropic:b",
      PROCEDO_MODEL_URL: "https://a.example",
    },
    "PROCEDO_MODEL_URL is set, and models of openai and anthropic are named.",
  ],
])("%j is rejected with the allowed values", (env, says) => {
  const reported = refusal(env);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toContain(says);
});

describe("an error never repeats a key", () => {
  test.each([
    [{ PROCEDO_MODEL: "openai:gpt-5", OPENAI_API_KEY: "sk-proj hunter2" }],
    [{ PROCEDO_MODEL: "anthropic:claude-x", ANTHROPIC_API_KEY: "sk-änt-hunter2" }],
    [{ PROCEDO_MODEL_API_KEY: "hunter2\nhunter2" }],
    [{ PROCEDO_MODEL: "sk-proj-hunter2" }],
    [{ PROCEDO_MODEL_FOR: "pay=sk-proj-hunter2" }],
    [{ PROCEDO_MODEL_URL: "https://user:hunter2@models.example.com" }],
  ])("%j", (env) => {
    const reported = refusal(env);
    expect(reported).toHaveLength(1);
    expect(reported.join()).not.toContain("hunter2");
  });
});
