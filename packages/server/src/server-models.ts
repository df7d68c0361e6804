import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createEgress, guardedFetch, type AgentModel, type AgentModels, type GuardedFetch } from "@procedo/engine";
import {
  addressOf,
  toolChoiceOf,
  type ModelProvider,
  type ModelSettings,
  type NamedModel,
} from "./settings/model-settings.ts";
import type { Settings } from "./settings/settings.ts";

/** The models that the settings name, and the client that reaches them. */
export interface ServerModels {
  readonly models: AgentModels;
  /** Waits for requests under way and closes all connections. */
  close(): Promise<void>;
}

/** A whole answer, streamed or not: what a model writes is a fraction of what its events weigh. */
const maxResponseBytes = 32 * 1024 * 1024;

/** The longest that a setting allows: how long an attempt may take is the engine's to measure. */
const timeoutMs = 3_600_000;

/**
 * Their requests go out through a guarded client: private networks only where the settings allow them, no redirects,
 * answers of a bounded size. Nothing is opened before a model is asked.
 *
 * @param fetch sends their requests @defaultValue the guarded client
 */
export function createServerModels(
  { models: settings, allowNetworks }: Pick<Settings, "models" | "allowNetworks">,
  fetch?: GuardedFetch,
): ServerModels {
  const egress = createEgress({ allowNetworks });
  const send = fetch ?? guardedFetch(egress, { maxResponseBytes, timeoutMs });
  const agentModel = (named: NamedModel): AgentModel => toAgentModel(named, settings, send);
  return { models: agentModels(settings, agentModel), close: () => egress.close() };
}

function agentModels(
  { model, questions, procedures }: ModelSettings,
  agentModel: (named: NamedModel) => AgentModel,
): AgentModels {
  const own: Record<string, { arguments?: AgentModel; questions?: AgentModel }> = {};
  // Those for one purpose come last: they count where both were given.
  for (const one of procedures.toSorted((a, b) => Number(a.purpose !== undefined) - Number(b.purpose !== undefined))) {
    const asked = agentModel(one.model);
    own[one.procedureId] = {
      ...own[one.procedureId],
      ...(one.purpose === "questions" ? {} : { arguments: asked }),
      ...(one.purpose === "arguments" ? {} : { questions: asked }),
    };
  }
  return {
    ...(model === undefined ? {} : { arguments: agentModel(model) }),
    ...(questions === undefined ? {} : { questions: agentModel(questions) }),
    procedures: own,
  };
}

function toAgentModel(named: NamedModel, settings: ModelSettings, fetch: GuardedFetch): AgentModel {
  const key = settings.keys[named.provider];
  const { streaming, maxOutputTokens, timeoutMs: attemptMs } = settings;
  return {
    model: loadedLater(named, () => load(named, settings, fetch)),
    streaming,
    toolChoice: toolChoiceOf(named, settings),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(attemptMs === undefined ? {} : { timeoutMs: attemptMs }),
    ...(key === undefined ? {} : { secrets: [key] }),
  };
}

/** As the providers' packages call themselves. */
const providerNames = {
  openai: "openai.chat",
  anthropic: "anthropic.messages",
  compatible: "compatible.chat",
} as const satisfies Record<ModelProvider, string>;

/** A model whose provider's package is loaded when it is first asked: a command that asks none starts without it. */
function loadedLater({ provider, modelId }: NamedModel, load: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | undefined;
  return {
    specificationVersion: "v4",
    provider: providerNames[provider],
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => await (await (loaded ??= load())).doGenerate(options),
    doStream: async (options) => await (await (loaded ??= load())).doStream(options),
  };
}

/** Addresses are always given: the packages would read variables of their own. */
async function load(
  { provider, modelId }: NamedModel,
  settings: ModelSettings,
  fetch: GuardedFetch,
): Promise<LanguageModelV4> {
  const apiKey = settings.keys[provider] ?? "";
  const url = addressOf(provider, settings);
  switch (provider) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL: url ?? "https://api.openai.com/v1", apiKey, fetch }).chat(modelId);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL: url ?? "https://api.anthropic.com/v1", apiKey, fetch })(modelId);
    }
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const given = { name: "compatible", baseURL: url ?? "", fetch, includeUsage: true };
      return createOpenAICompatible({ ...given, ...(apiKey === "" ? {} : { apiKey }) }).chatModel(modelId);
    }
  }
}
