import type { JSONObject } from "@ai-sdk/provider";
import type { LanguageModel } from "./models.ts";

/**
 * The provider whose interface a model uses, as far as requests differ. It is derived from the provider name that the
 * model's package sets, such as `openai.chat`, `azure.responses` or `anthropic.messages`.
 */
export type ProviderFamily = "openai" | "anthropic" | "other";

export function familyOf({ provider }: Pick<LanguageModel, "provider">): ProviderFamily {
  if (/^(openai|azure)(\.|$)/.test(provider)) return "openai";
  return /\banthropic\b/.test(provider) ? "anthropic" : "other";
}

/**
 * The provider's option for one call per reply, where it has one: several calls in one reply would all be refused.
 * OpenAI's models named `o1` to `o4` do not accept the option.
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
