import type { JSONObject } from "@ai-sdk/provider";
import type { LanguageModel } from "./models.ts";

/**
 * Whose interface a model speaks, as far as it matters to what it is asked: by the name that its package gives it, such
 * as `openai.chat`, `azure.responses` or `anthropic.messages`.
 */
export type ProviderFamily = "openai" | "anthropic" | "other";

export function familyOf({ provider }: Pick<LanguageModel, "provider">): ProviderFamily {
  if (/^(openai|azure)(\.|$)/.test(provider)) return "openai";
  return /\banthropic\b/.test(provider) ? "anthropic" : "other";
}

/**
 * One call at a time, where the provider can be told: several in one reply would all have to be refused. OpenAI's models
 * named `o1` to `o4` refuse the option itself.
 */
export function oneCallAtATime(model: Pick<LanguageModel, "provider" | "modelId">): {
  readonly providerOptions?: Record<string, JSONObject>;
} {
  switch (familyOf(model)) {
    case "openai":
      return /^o\d/.test(model.modelId) ? {} : { providerOptions: { openai: { parallelToolCalls: false } } };
    case "anthropic":
      return { providerOptions: { anthropic: { disableParallelToolUse: true } } };
    case "other":
      return {};
  }
}
