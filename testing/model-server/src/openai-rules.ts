import { isObject, type JsonObject, objectsOf, Refused, wordOf } from "./answers.ts";
import { checkToolSchema } from "./schema-rules.ts";

/** @throws Refused for what OpenAI's chat completions answer with 400 */
export function checkOpenAIRequest(body: JsonObject): void {
  if (typeof body["model"] !== "string") refuse("you must provide a model parameter");
  for (const tool of objectsOf(body["tools"])) checkTool(tool);
  const isReasoningModel = /^(o\d|gpt-5)/.test(wordOf(body["model"]));
  if (isReasoningModel && body["max_tokens"] !== undefined) {
    refuse(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
  }
  if (/^o\d/.test(wordOf(body["model"])) && body["parallel_tool_calls"] !== undefined) {
    refuse("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.");
  }
  if (isReasoningModel && body["temperature"] !== undefined) refuse("Unsupported parameter: 'temperature'");
  checkMessages(objectsOf(body["messages"]));
}

function checkTool({ type, function: declared }: JsonObject): void {
  if (type !== "function" || !isObject(declared)) return refuse("Invalid value: 'tools[0].type'.");
  const { name, description, parameters, strict } = declared;
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    return refuse("Invalid 'tools[0].function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.");
  }
  if (typeof description === "string" && description.length > 1_024) {
    refuse("Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024.");
  }
  checkToolSchema(parameters, { api: "openai", strict: strict === true, name });
}

function checkMessages(messages: readonly JsonObject[]): void {
  if (messages.length === 0) refuse("Invalid 'messages': empty array.");
  let open: string[] = [];
  for (const [index, { role, content, tool_calls: calls, tool_call_id: answered }] of messages.entries()) {
    if (role === "tool") {
      if (!open.includes(wordOf(answered))) {
        refuse(
          `Invalid parameter: messages[${index}] with role 'tool' must be a response to a preceding 'tool_calls'.`,
        );
      }
      open = open.filter((id) => id !== answered);
      if (typeof content !== "string") refuse(`Invalid type for 'messages[${index}].content'.`);
      continue;
    }
    if (open.length > 0) refuse(`'tool_calls' must be followed by tool messages. Missing: ${open.join(", ")}`);
    if (role === "assistant") {
      if (content === null && calls === undefined) refuse(`Invalid value for 'content': messages[${index}] has none.`);
      for (const call of objectsOf(calls)) {
        const { function: called } = call;
        if (!isObject(called) || typeof called["arguments"] !== "string") refuse("Invalid type for 'arguments'.");
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(isObject(called) ? wordOf(called["name"]) : "")) {
          refuse(`Invalid 'messages[${index}].tool_calls[0].function.name'.`);
        }
        open.push(wordOf(call["id"]));
      }
    } else if (typeof content !== "string" && !Array.isArray(content)) {
      refuse(`Invalid value for 'content': messages[${index}] expected a string, got null.`);
    }
  }
  if (open.length > 0) refuse(`'tool_calls' must be followed by tool messages. Missing: ${open.join(", ")}`);
}

function refuse(message: string): never {
  throw new Refused(400, "invalid_request_error", message);
}
