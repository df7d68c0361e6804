import { isList, isObject, type Json, type JsonObject, objectsOf, Refused, wordOf } from "./answers.ts";
import { checkToolSchema } from "./schema-rules.ts";

/**
 * @param thinks - whether the models think by default, as those of DeepSeek, Qwen and Moonshot do
 * @throws Refused for requests that OpenAI's chat completions answer with 400
 */
export function checkOpenAIRequest(body: JsonObject, thinks = false): void {
  if (typeof body["model"] !== "string") refuse("you must provide a model parameter");
  checkTools(body);
  checkToolChoice(body, thinks);
  checkSampling(body);
  checkMessages(objectsOf(body["messages"]));
}

function checkTools({ tools }: JsonObject): void {
  if (tools === undefined) return;
  if (!isList(tools) || tools.length === 0) {
    refuse("Invalid 'tools': empty array. Expected an array with minimum length 1.", "empty_array", "tools");
  }
  const count = isList(tools) ? tools.length : 0;
  if (count > 128) {
    const why = `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${count} instead.`;
    refuse(why, "array_above_max_length", "tools");
  }
  for (const [index, tool] of objectsOf(tools).entries()) checkTool(tool, `tools[${index}].function`);
}

function checkTool({ type, function: declared }: JsonObject, at: string): void {
  if (type !== "function" || !isObject(declared)) {
    return refuse(`Missing required parameter: '${at}'.`, "missing_required_parameter", at);
  }
  const { name, description, parameters, strict } = declared;
  checkName(name, `${at}.name`);
  if (typeof description === "string" && description.length > 1_024) {
    const why = `Invalid '${at}.description': string too long. Expected a string with maximum length 1024, but got a string with length ${description.length} instead.`;
    refuse(why, "string_above_max_length", `${at}.description`);
  }
  checkToolSchema(parameters, {
    ...{ api: "openai", strict: strict === true },
    refuse: (why) =>
      refuse(
        `Invalid schema for function '${wordOf(name)}': ${why}`,
        "invalid_function_parameters",
        `${at}.parameters`,
      ),
  });
}

function checkName(name: Json | undefined, at: string): void {
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]+$/.test(name)) {
    const why = `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    return refuse(why, "invalid_value", at);
  }
  if (name.length > 64) {
    const why = `Invalid '${at}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`;
    refuse(why, "string_above_max_length", at);
  }
}

function checkToolChoice(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: JsonObject,
  thinks: boolean,
): void {
  if (tools === undefined) {
    for (const [name, value] of Object.entries({ tool_choice: choice, parallel_tool_calls: parallel })) {
      const why = `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`;
      if (value !== undefined) refuse(why, null, name);
    }
  }
  if (isObject(choice)) {
    const named = isObject(choice["function"]) ? wordOf(choice["function"]["name"]) : "";
    const known = objectsOf(tools).some((tool) => isObject(tool["function"]) && tool["function"]["name"] === named);
    const why = `Invalid value for 'tool_choice': no function named '${named}' was specified in the 'tools' parameter.`;
    if (!known) refuse(why, null, "tool_choice");
  } else if (choice !== undefined && !["none", "auto", "required"].includes(wordOf(choice))) {
    const why = `Invalid value: '${wordOf(choice)}'. Supported values are: 'none', 'auto', and 'required'.`;
    refuse(why, "invalid_value", "tool_choice");
  }
  // DeepSeek's own message.
  const isForced = isObject(choice) || choice === "required";
  if (thinks && isForced) refuse("Thinking mode does not support this tool_choice", "invalid_request_error");
}

/** Maximum tokens of an answer, by prefix of the model's name. */
const mostTokens: readonly (readonly [string, number])[] = [
  ["gpt-4o", 16_384],
  ["gpt-4.1", 32_768],
  ["gpt-5", 128_000],
  ["o", 100_000],
];

function checkSampling(body: JsonObject): void {
  const model = wordOf(body["model"]);
  const isReasoningModel = /^(o\d|gpt-5)/.test(model);
  const unsupported = (name: string, instead = ""): void => {
    if (body[name] === undefined) return;
    const why = `Unsupported parameter: '${name}' is not supported with this model.${instead}`;
    refuse(why, "unsupported_parameter", name);
  };
  if (isReasoningModel) {
    unsupported("max_tokens", " Use 'max_completion_tokens' instead.");
    if (body["temperature"] !== undefined && body["temperature"] !== 1) {
      const why = `Unsupported value: 'temperature' does not support ${JSON.stringify(body["temperature"])} with this model. Only the default (1) value is supported.`;
      refuse(why, "unsupported_value", "temperature");
    }
  }
  if (/^o\d/.test(model)) unsupported("parallel_tool_calls");
  for (const name of ["max_tokens", "max_completion_tokens"] as const) {
    const asked = body[name];
    if (asked === undefined) continue;
    if (typeof asked !== "number" || asked < 1) {
      const why = `Invalid '${name}': integer below minimum value. Expected a value >= 1, but got ${JSON.stringify(asked)} instead.`;
      return refuse(why, "integer_below_min_value", name);
    }
    const most = mostTokens.find(([beginning]) => model.startsWith(beginning))?.[1];
    if (most === undefined || asked <= most) continue;
    const why = `${name} is too large: ${asked}. This model supports at most ${most} completion tokens, whereas you provided ${asked}.`;
    refuse(why, "invalid_value", name);
  }
}

function checkMessages(messages: readonly JsonObject[]): void {
  if (messages.length === 0) {
    refuse("Invalid 'messages': empty array. Expected an array with minimum length 1.", "empty_array", "messages");
  }
  let open: string[] = [];
  const checkAnswered = (): void => {
    if (open.length === 0) return;
    const why = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`;
    refuse(why, null, "messages");
  };
  for (const [index, { role, content, tool_calls: calls, tool_call_id: answered }] of messages.entries()) {
    const at = `messages[${index}]`;
    if (role === "tool") {
      if (!open.includes(wordOf(answered))) {
        const why =
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        refuse(why, null, `messages.[${index}].role`);
      }
      open = open.filter((id) => id !== answered);
      if (typeof content !== "string") refuse(`Invalid type for '${at}.content'.`, "invalid_type", `${at}.content`);
      continue;
    }
    checkAnswered();
    if (role === "assistant") {
      if (content === null && calls === undefined) {
        refuse(`Invalid value for 'content': expected a string, got null.`, null, `messages.[${index}].content`);
      }
      for (const [number, call] of objectsOf(calls).entries()) open.push(idOfCall(call, `${at}.tool_calls[${number}]`));
    } else if (typeof content !== "string" && !Array.isArray(content)) {
      refuse(`Invalid value for 'content': expected a string, got null.`, null, `messages.[${index}].content`);
    }
  }
  checkAnswered();
}

function idOfCall({ id, function: called }: JsonObject, at: string): string {
  const { name, arguments: args } = isObject(called) ? called : {};
  if (typeof args !== "string") {
    const why = `Invalid type for '${at}.function.arguments': expected a string, but got an object instead.`;
    refuse(why, "invalid_type", `${at}.function.arguments`);
  }
  checkName(name, `${at}.function.name`);
  if (wordOf(id).length > 40) {
    const why = `Invalid '${at}.id': string too long. Expected a string with maximum length 40, but got a string with length ${wordOf(id).length} instead.`;
    refuse(why, "string_above_max_length", `${at}.id`);
  }
  return wordOf(id);
}

function refuse(message: string, code: string | null = null, param?: string): never {
  throw new Refused(400, code, message, param);
}
