import type { JSONObject, JSONValue, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { parseKeepingExact, type ReplyPart } from "@procedo/procedure";
import { withOfferedNames } from "./argument-names.ts";
import type { ModelMessage, OfferedTool } from "./model-request.ts";
import { fitToolName } from "./model-names.ts";

/** The AI SDK's messages for a conversation, in the shape that versions 3 and 4 of its specification share. */
export type SdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: SdkText[] }
  | { role: "assistant"; content: SdkReplyPart[] }
  | { role: "tool"; content: SdkToolResult[] };

interface SdkText {
  type: "text";
  text: string;
  providerOptions?: SharedV4ProviderOptions;
}

type SdkReplyPart =
  | SdkText
  | { type: "reasoning"; text: string; providerOptions?: SharedV4ProviderOptions }
  | {
      type: "tool-call";
      toolCallId: string;
      toolName: string;
      input: JSONObject;
      providerOptions?: SharedV4ProviderOptions;
    };

interface SdkToolResult {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string } | { type: "json" | "error-json"; value: JSONValue };
}

/**
 * A conversation in the form that providers accept. Adjacent tool messages are merged, because some providers require
 * all results of a reply together. A provider's metadata of a part is sent back with that part. Pure.
 *
 * @param tools - the offered tools: the arguments of earlier calls are renamed to their offered names
 */
export function sdkPrompt(messages: readonly ModelMessage[], tools: readonly OfferedTool[] = []): SdkMessage[] {
  const prompt: SdkMessage[] = [];
  for (const message of messages) {
    switch (message.role) {
      case "system":
        prompt.push({ role: "system", content: message.text });
        break;
      case "user":
        prompt.push({ role: "user", content: [{ type: "text", text: message.text }] });
        break;
      case "assistant": {
        const content = message.content.flatMap((part) => replyPart(part, tools));
        // Some providers refuse a reply without content; the engine's answer to it still follows.
        if (content.length > 0) prompt.push({ role: "assistant", content });
        break;
      }
      case "tool": {
        const result = toolResult(message);
        const last = prompt.at(-1);
        if (last?.role === "tool") last.content.push(result);
        else prompt.push({ role: "tool", content: [result] });
        break;
      }
    }
  }
  return prompt;
}

function replyPart(part: ReplyPart, tools: readonly OfferedTool[]): SdkReplyPart[] {
  const options = providerOptions(part.providerMetadata);
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text, ...options }];
    case "reasoning":
      return [{ type: "reasoning", text: part.text, ...options }];
    case "tool_call": {
      const { toolCallId, toolName } = part;
      const names = tools.find(({ name }) => name === toolName)?.names;
      const own = objectOf(part.input);
      const input = names === undefined ? own : (withOfferedNames(own as JsonObject, names) as JSONObject);
      return [{ type: "tool-call", toolCallId, toolName: fitToolName(toolName), input, ...options }];
    }
  }
}

function providerOptions(metadata: JsonObject | undefined): { providerOptions?: SharedV4ProviderOptions } {
  const options = Object.entries(metadata ?? {}).filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  return options.length === 0 ? {} : { providerOptions: Object.fromEntries(options) };
}

/**
 * The arguments as an object, and nothing else: providers serialize them again, and templates of local models iterate
 * over their members. A number beyond a double keeps the digits that the model wrote.
 */
function objectOf(input: string): JSONObject {
  const parsed = parseKeepingExact(input);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

function toolResult(message: Extract<ModelMessage, { role: "tool" }>): SdkToolResult {
  const { toolCallId, toolName, output, isError } = message;
  return {
    type: "tool-result",
    toolCallId,
    toolName: fitToolName(toolName),
    output:
      typeof output === "string"
        ? { type: isError ? "error-text" : "text", value: output }
        : { type: isError ? "error-json" : "json", value: output },
  };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
