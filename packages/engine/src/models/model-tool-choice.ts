import { AISDKError, APICallError } from "@ai-sdk/provider";
import { BrokenAnswer } from "./model-failure.ts";

/**
 * Services name the parameter in their own spelling: `tool_choice`, `toolChoice`, "tool choice"; Google's name their own,
 * the mode of function calling.
 */
const namesToolChoice =
  /tool[\s_-]?(?:choice|config)|function[\s_-]?calling[\s_-]?(?:config|mode)|forced function calling/i;

/** Gateways answer 200 with the error of the service behind them. */
const holdsError = /"error"\s*:/;

/** Statuses that speak of the key, the credit or the moment, even where their bodies repeat the request. */
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
    const isRefusal = statusCode >= 400 ? !ofAnotherMatter.has(statusCode) : holdsError.test(responseBody);
    return isRefusal && namesToolChoice.test(`${message}\n${responseBody}`);
  }
  // A provider's package that knows no such choice.
  if (AISDKError.isInstance(error)) return namesToolChoice.test(error.message);
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
