import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject, objectsOf, Refused, wordOf } from "./answers.ts";
import { checkToolSchema } from "./schema-rules.ts";

/** A thinking block is taken back only with the signature that it was given. */
export function signatureOf(thinking: string): string {
  return createHash("sha256").update(thinking).digest("base64");
}

/** @throws Refused for what Anthropic's messages answer with 400 */
export function checkAnthropicRequest(body: JsonObject): void {
  if (typeof body["model"] !== "string") refuse("model: Field required");
  if (typeof body["max_tokens"] !== "number" || body["max_tokens"] < 1) refuse("max_tokens: Field required");
  for (const tool of objectsOf(body["tools"])) checkTool(tool);
  const messages = objectsOf(body["messages"]);
  if (messages[0]?.["role"] !== "user") refuse('messages: first message must use the "user" role');
  for (const [index, message] of messages.entries())
    checkMessage(message, messages[index - 1], messages[index + 1], index);
}

function checkTool({ name, input_schema: schema, strict }: JsonObject): void {
  if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    return refuse("tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
  }
  checkToolSchema(schema, { api: "anthropic", strict: strict === true, name });
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
