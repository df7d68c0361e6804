import { APICallError } from "@ai-sdk/provider";
import { BrokenAnswer } from "./model-failure.ts";

/** Every service names the parameter, in its own spelling: `tool_choice`, `toolChoice`, "tool choice". */
const namesToolChoice = /tool[\s_-]?choice/i;

/** Statuses that speak of the key, the credit or the moment, whatever their bodies repeat of the request. */
const ofAnotherMatter = new Set([401, 402, 403, 408, 429]);

/**
 * Whether a service refused to have a call forced. Models that think by default do: Anthropic's ("Thinking may not be
 * enabled when tool_choice forces tool use"), DeepSeek's, Qwen's, Moonshot's; and services that know no `required`, such
 * as routes of OpenRouter and versions of vLLM. A body that repeats the request names the parameter too: the same request
 * without force is then refused alike. Pure.
 */
export function refusesForcedCall(error: unknown): boolean {
  if (APICallError.isInstance(error)) {
    const { statusCode = 0, message, responseBody = "" } = error;
    return statusCode >= 400 && !ofAnotherMatter.has(statusCode) && namesToolChoice.test(`${message}\n${responseBody}`);
  }
  return error instanceof BrokenAnswer && namesToolChoice.test(textOf(error.cause));
}

/** What a stream told as its error: an object of the provider's, or the SDK's error. */
function textOf(cause: unknown): string {
  if (cause instanceof Error) return cause.message;
  try {
    return typeof cause === "string" ? cause : (JSON.stringify(cause) ?? "");
  } catch {
    return "";
  }
}
