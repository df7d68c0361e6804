import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelAnswer, ModelServer } from "@procedo-testing/model-server";
import { defaultRunLimits } from "@procedo/procedure";
import type { ModelRequest } from "../src/models/model-request.ts";
import { askModel, type ModelAttempt, type ModelPorts } from "../src/models/ask-model.ts";
import type { AgentModel, LanguageModel } from "../src/models/models.ts";
import { guardedFetch, type GuardedFetch } from "../src/egress/guarded-fetch.ts";
import { createEgress } from "../src/egress/egress.ts";
import { createNotice } from "../src/ports/notice.ts";
import { systemClock } from "../src/ports/system-clock.ts";

/** The providers' packages, each configured as in an application. */
export const providers = ["openai", "compatible", "anthropic"] as const;
export type Provider = (typeof providers)[number];

export interface ModelPlace {
  readonly url: string;
  readonly key: string;
  readonly fetch: GuardedFetch;
}

export function modelOf(
  provider: Provider,
  { url: baseURL, key: apiKey, fetch }: ModelPlace,
  modelId?: string,
): LanguageModel {
  switch (provider) {
    case "openai":
      return createOpenAI({ baseURL, apiKey, fetch }).chat(modelId ?? "gpt-4.1");
    case "compatible":
      return createOpenAICompatible({ name: "local", baseURL, apiKey, fetch, includeUsage: true }).chatModel(
        modelId ?? "qwen3",
      );
    case "anthropic":
      return createAnthropic({ baseURL, apiKey, fetch })(modelId ?? "claude-sonnet-4-5");
  }
}

/** The two kinds of network access: the engine's guarded client, and Node's own. */
export const fetches = {
  guarded: guardedFetch(createEgress({ allowNetworks: ["127.0.0.0/8"] }), { timeoutMs: 600_000 }),
  "Node's": (input, init) => fetch(input, init),
} as const satisfies Record<string, GuardedFetch>;

export const payTool = {
  name: "bank.pay",
  description: "Pays an invoice.",
  input: {
    type: "object",
    properties: { vendorId: { type: "string" }, amount: { type: "integer" } },
    required: ["vendorId", "amount"],
    additionalProperties: false,
  },
} as const;

/** The tools that are offered beside it. */
export const declineTool = {
  name: "decline",
  description: "Declines.",
  input: {
    type: "object",
    properties: { reason: { type: "string" } },
    required: ["reason"],
    additionalProperties: false,
  },
} as const;

export function requestOf(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: "system", text: "Propose the payment." },
      { role: "user", text: "Data: {}" },
    ],
    tools: [payTool],
    toolChoice: "required",
    aborted: createNotice(),
    ...changes,
  };
}

export const ports: ModelPorts = { clock: systemClock, limits: defaultRunLimits, unforced: new WeakSet() };

/** Asks a model of the service once; the service has one answer. */
export async function askOnce(
  server: ModelServer,
  answer: ModelAnswer,
  model: AgentModel,
  changes: Partial<ModelRequest> = {},
): Promise<ModelAttempt> {
  server.script(answer);
  return await askModel(ports, model, requestOf(changes));
}
