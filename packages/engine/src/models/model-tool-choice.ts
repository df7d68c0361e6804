import { AISDKError, APICallError } from "@ai-sdk/provider";
import { BrokenAnswer } from "./model-failure.ts";

/**
 * The parameter in the spellings of the services: `tool_choice`, `toolChoice`, "tool choice", and Google's own name,
 * the mode of function calling.
 */
const namesToolChoice =
  /tool[\s_-]?(?:choice|config)|function[\s_-]?calling[\s_-]?(?:config|mode)|forced function calling/i;

/** Some gateways answer 200 with the error of the service behind them. */
const holdsError = /"error"\s*:/;

/** Statuses about the key, the credit or a temporary state, even if their bodies repeat the request. */
const unrelatedStatuses = new Set([401, 402, 403, 408, 429]);

/**
 * Whether a service refused a forced call. Models that think by default do so: those of Anthropic ("Thinking may not be
 * enabled when tool_choice forces tool use"), DeepSeek, Qwen and Moonshot. Services without `required` do so too, such
 * as some routes of OpenRouter and some versions of vLLM. A body that merely repeats the request also contains the
 * parameter; the same request without force is then refused as well. Pure.
 */
export function refusesForcedCall(error: unknown): boolean {
  if (APICallError.isInstance(error)) {
    const { statusCode = 0, message, responseBody = "" } = error;
    const isRefusal = statusCode >= 400 ? !unrelatedStatuses.has(statusCode) : holdsError.test(responseBody);
    return isRefusal && namesToolChoice.test(`${message}\n${responseBody}`);
  }
  // The provider's package does not support a forced call.
  if (AISDKError.isInstance(error)) return namesToolChoice.test(error.message);
  return error instanceof BrokenAnswer && namesToolChoice.test(textOf(error.cause));
}

/** The text of an error that a stream reported: a provider's object, or an error of the SDK. */
function textOf(cause: unknown): string {
  if (cause instanceof Error) return cause.message;
  try {
    return typeof cause === "string" ? cause : (JSON.stringify(cause) ?? "");
  } catch {
    return "";
  }
}
