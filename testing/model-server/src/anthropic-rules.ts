import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject, objectsOf, Refused, wordOf } from "./answers.ts";
import { checkToolSchema } from "./schema-rules.ts";

/** Returns the signature of a thinking block, which is accepted only with its signature. */
export function signatureOf(thinking: string): string {
  return createHash("sha256").update(thinking).digest("base64");
}

/** Maximum tokens of an answer, by prefix of the model's name. */
const mostTokens: readonly (readonly [string, number])[] = [
  ["claude-opus-4-1", 32_000],
  ["claude-3-5-haiku", 8_192],
  ["claude-sonnet-4-5", 64_000],
  ["claude-haiku-4-5", 64_000],
];

/**
 * @param thinks - whether the models think by default
 * @throws Refused for requests that Anthropic's messages answer with 400
 */
export function checkAnthropicRequest(body: JsonObject, thinks = false): void {
  const { model, max_tokens: asked } = body;
  if (typeof model !== "string") return refuse("model: Field required");
  if (typeof asked !== "number") return refuse("max_tokens: Field required");
  if (asked < 1) refuse("max_tokens: Input should be greater than or equal to 1");
  const most = mostTokens.find(([beginning]) => model.startsWith(beginning))?.[1];
  if (most !== undefined && asked > most) {
    refuse(`max_tokens: ${asked} > ${most}, which is the maximum allowed number of output tokens for ${model}`);
  }
  const tools = objectsOf(body["tools"]);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools.${index}.custom`);
  if (new Set(tools.map(({ name }) => name)).size !== tools.length) refuse("tools: Tool names must be unique.");
  checkToolChoice(body, tools);
  checkThinking(body, thinks);
  const messages = objectsOf(body["messages"]);
  if (messages[0]?.["role"] !== "user") refuse('messages: first message must use the "user" role');
  for (const [index, message] of messages.entries())
    checkMessage(message, messages[index - 1], messages[index + 1], index);
}

function checkTool({ name, input_schema: schema, strict }: JsonObject, at: string): void {
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    return refuse(`${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  }
  checkToolSchema(schema, { api: "anthropic", strict: strict === true, refuse: (why) => refuse(`${at}.${why}`) });
}

function checkToolChoice({ tool_choice: choice }: JsonObject, tools: readonly JsonObject[]): void {
  if (choice === undefined) return;
  if (tools.length === 0) refuse("tool_choice: tool_choice may only be specified while providing tools");
  if (!isObject(choice) || !["auto", "any", "tool", "none"].includes(wordOf(choice["type"]))) {
    return refuse("tool_choice: Input tag does not match any of the expected tags: 'auto', 'any', 'tool', 'none'");
  }
  const named = choice["name"];
  if (choice["type"] === "tool" && tools.every(({ name }) => name !== named)) {
    refuse(`tool_choice.name: Tool '${wordOf(named)}' not found in provided tools`);
  }
}

function checkThinking(body: JsonObject, thinks: boolean): void {
  const { thinking, tool_choice: choice, temperature, max_tokens: asked } = body;
  const type = isObject(thinking) ? thinking["type"] : undefined;
  const isThinking = type === "enabled" || type === "adaptive" || (thinks && type !== "disabled");
  if (!isThinking) return;
  const budget = isObject(thinking) ? thinking["budget_tokens"] : undefined;
  if (typeof budget === "number" && typeof asked === "number" && asked <= budget) {
    refuse("`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
  if (isObject(choice) && ["any", "tool"].includes(wordOf(choice["type"]))) {
    refuse("Thinking may not be enabled when tool_choice forces tool use.");
  }
  if (temperature !== undefined && temperature !== 1) {
    refuse("`temperature` may only be set to 1 when thinking is enabled.");
  }
}

function checkMessage(
  { role, content }: JsonObject,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  index: number,
): void {
  const blocks = blocksOf(content);
  if (blocks.length === 0) refuse(`messages.${index}: all messages must have non-empty content`);
  for (const block of blocks) checkBlock(block, index);
  if (role === "assistant") {
    const results = idsOf(blocksOf(after?.["content"]), "tool_result", "tool_use_id");
    const missing = idsOf(blocks, "tool_use", "id").filter((id) => !results.includes(id));
    if (missing.length > 0) {
      refuse(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`,
      );
    }
    return;
  }
  const uses = idsOf(blocksOf(before?.["content"]), "tool_use", "id");
  const results = idsOf(blocks, "tool_result", "tool_use_id");
  const unknown = results.filter((id) => !uses.includes(id));
  if (unknown.length > 0)
    refuse(`messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unknown.join(", ")}`);
  if (new Set(results).size !== results.length)
    refuse(`messages.${index}: each \`tool_use\` must have a single result`);
  const firstOther = blocks.findIndex(({ type }) => type !== "tool_result");
  if (firstOther >= 0 && blocks.slice(firstOther).some(({ type }) => type === "tool_result")) {
    refuse(`messages.${index}: \`tool_result\` blocks must come first`);
  }
}

function checkBlock({ type, text, id, name, input, thinking, signature }: JsonObject, index: number): void {
  if (type === "text" && (typeof text !== "string" || text.trim() === "")) {
    refuse(`messages.${index}: text content blocks must contain non-whitespace text`);
  }
  if (type === "tool_use") {
    if (!isObject(input)) refuse(`messages.${index}: tool_use.input: Input should be a valid dictionary`);
    if (!/^[a-zA-Z0-9_-]+$/.test(wordOf(id))) refuse(`messages.${index}: tool_use.id: String should match pattern`);
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(wordOf(name)))
      refuse(`messages.${index}: tool_use.name: String should match pattern`);
  }
  if (type === "thinking" && signature !== signatureOf(wordOf(thinking))) {
    refuse(`messages.${index}: Invalid \`signature\` in \`thinking\` block`);
  }
}

function blocksOf(content: Json | undefined): readonly JsonObject[] {
  return typeof content === "string" ? (content === "" ? [] : [{ type: "text", text: content }]) : objectsOf(content);
}

function idsOf(blocks: readonly JsonObject[], type: string, member: string): readonly string[] {
  return blocks.filter((block) => block["type"] === type).map((block) => wordOf(block[member]));
}

function refuse(message: string): never {
  throw new Refused(400, "invalid_request_error", message);
}
