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

/** The configured models and their HTTP client. */
export interface ServerModels {
  readonly models: AgentModels;
  /** Waits for open requests, then closes all connections. */
  close(): Promise<void>;
}

/** Limit of a whole answer, streamed or not. Stream events are many times larger than the text that they carry. */
const maxResponseBytes = 32 * 1024 * 1024;

/** The longest timeout that the settings allow. The engine enforces the timeout of each attempt. */
const timeoutMs = 3_600_000;

/**
 * Sends requests through a guarded client: private networks only where the settings allow them, no redirects, and
 * bounded answers. No connection is opened before the first request.
 *
 * @param fetch sends the requests @defaultValue the guarded client
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
  // Entries for one purpose come last, because they override entries for both.
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

/** The names of the provider packages. */
const providerNames = {
  openai: "openai.chat",
  anthropic: "anthropic.messages",
  compatible: "compatible.chat",
} as const satisfies Record<ModelProvider, string>;

/** Loads the provider's package on the first request, so that commands without models start faster. */
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

/** The address is always explicit: the packages would otherwise read environment variables. */
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
