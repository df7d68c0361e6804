import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../src/index.ts";

/* That the providers' own packages understand what it says is shown where they are used: in the engine's tests. */

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const schema = {
  type: "object",
  properties: { sum: { type: "integer" } },
  required: ["sum"],
  additionalProperties: false,
};
const openai = (more: object = {}) => ({
  model: "gpt-4.1",
  messages: [{ role: "user", content: "Pay." }],
  tools: [{ type: "function", function: { name: "pay", description: "Pays.", parameters: schema } }],
  ...more,
});
const anthropic = (more: object = {}) => ({
  model: "claude-sonnet-4-5",
  max_tokens: 100,
  messages: [{ role: "user", content: "Pay." }],
  tools: [{ name: "pay", description: "Pays.", input_schema: schema }],
  ...more,
});

async function post(path: string, body: object, key: string = server.key): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, "x-api-key": key, "anthropic-version": "2023-06-01" };
  const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

const chat = (body: object, key?: string) => post("/chat/completions", body, key);
const messages = (body: object, key?: string) => post("/messages", body, key);

test("answers come in the order of the script, and every request is on record", async () => {
  server.script({ kind: "reply", text: "one" }, { kind: "reply", toolCalls: [{ input: { sum: 5 } }] });
  expect((await chat(openai())).text).toContain('"content":"one"');
  expect((await messages(anthropic())).text).toContain('"type":"tool_use"');
  expect(server.requests).toMatchObject([
    { api: "openai", streaming: false, tools: ["pay"], body: openai() },
    { api: "anthropic", streaming: false, tools: ["pay"], body: anthropic() },
  ]);
});

test("a request that the script has no answer for is refused, or answered by the function that was given", async () => {
  expect(await chat(openai())).toMatchObject({ status: 400, text: expect.stringContaining("no answer") });
  const answering = await startModelServer({
    key: undefined,
    answer: ({ tools }) => ({ kind: "reply", text: tools.join() }),
  });
  const response = await fetch(`${answering.url}/messages`, { method: "POST", body: JSON.stringify(anthropic()) });
  expect(await response.text()).toContain('"text":"pay"');
  await answering.close();
});

test("a stream has the same words in pieces, and says that it is complete", async () => {
  const reply = { kind: "reply", text: "a".repeat(40), toolCalls: [{ input: { sum: 5 } }] } as const;
  server.script(reply, reply);
  const { text: chunks } = await chat(openai({ stream: true, stream_options: { include_usage: true } }));
  expect(chunks.match(/"content":"a{8}"/g)).toHaveLength(5);
  expect(chunks).toContain('"prompt_tokens":100');
  expect(chunks.endsWith("data: [DONE]\n\n")).toBe(true);
  const { text: events } = await messages(anthropic({ stream: true }));
  expect(events.match(/"text":"a{8}"/g)).toHaveLength(5);
  expect(events.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
});

test.each([false, true])("a reply can be cut off, and can stall until the client goes (stream %s)", async (stream) => {
  const reply = { text: "I pay.", toolCalls: [{ input: { sum: 5 } }] };
  server.script({ kind: "cut", reply }, { kind: "stall", after: reply });
  await expect(chat(openai({ stream }))).rejects.toThrow();
  const leaving = new AbortController();
  const headers = { "x-api-key": server.key, "anthropic-version": "2023-06-01" };
  const body = JSON.stringify(anthropic({ stream }));
  const { signal } = leaving;
  const response = await fetch(`${server.url}/messages`, { method: "POST", headers, body, signal });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  leaving.abort();
  await server.requests.at(-1)?.abandoned;
});

test("another key is refused, by repeating it", async () => {
  expect(await chat(openai(), "sk-other")).toEqual({ status: 401, text: expect.stringContaining("sk-other") });
  expect(await messages(anthropic(), "sk-other")).toEqual({ status: 401, text: expect.stringContaining("sk-other") });
});

const called = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c", function: { name: "pay", arguments: "{}" } }],
};
const result = { role: "tool", tool_call_id: "c", content: "paid" };
const [asked] = openai().messages;
const tool = (more: object) => ({
  tools: [{ type: "function", function: { name: "pay", parameters: schema, ...more } }],
});

test.each([
  ["no messages", { messages: [] }],
  ["a name with a dot", tool({ name: "bank.pay" })],
  ["a long description", tool({ description: "x".repeat(1_025) })],
  ["a schema of no object", tool({ parameters: {} })],
  ["alternatives at the root", tool({ parameters: { ...schema, anyOf: [] } })],
  ["an optional member in strict mode", tool({ strict: true, parameters: { ...schema, required: [] } })],
  ["a keyword that strict mode does not know", tool({ strict: true, parameters: { ...schema, maxProperties: 1 } })],
  ["a call without its result", { messages: [asked, called] }],
  ["a result without its call", { messages: [asked, result] }],
  ["a message in between", { messages: [asked, called, asked, result] }],
  ["an assistant that says nothing", { messages: [asked, { role: "assistant", content: null }] }],
  ["a temperature for a reasoning model", { model: "o4-mini", temperature: 0 }],
  ["max_tokens for a reasoning model", { model: "gpt-5", max_tokens: 5 }],
])("OpenAI refuses %s", async (_what, more) => {
  server.script({ kind: "reply", text: "accepted" });
  expect(await chat(openai(more))).toMatchObject({
    status: 400,
    text: expect.stringContaining("invalid_request_error"),
  });
});

const use = { type: "tool_use", id: "c", name: "pay", input: {} };
const used = { role: "assistant", content: [use] };
const answered = { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "paid" }] };
const [said] = anthropic().messages;

test.each([
  ["no limit", { max_tokens: undefined }],
  ["an assistant that begins", { messages: [used, answered] }],
  ["a name with a dot", { tools: [{ name: "bank.pay", input_schema: schema }] }],
  ["bounds in strict mode", { tools: [{ name: "pay", strict: true, input_schema: { ...schema, minProperties: 1 } }] }],
  ["a call without its result", { messages: [said, used, said] }],
  ["a result without its call", { messages: [said, answered] }],
  [
    "two results of one call",
    { messages: [said, used, { role: "user", content: [...answered.content, ...answered.content] }] },
  ],
  [
    "words before the result",
    { messages: [said, used, { role: "user", content: [{ type: "text", text: "So:" }, ...answered.content] }] },
  ],
  ["an empty text", { messages: [said, { role: "assistant", content: [{ type: "text", text: " " }] }, said] }],
  [
    "arguments that are no object",
    { messages: [said, { role: "assistant", content: [{ ...use, input: "{}" }] }, answered] },
  ],
  [
    "changed thinking",
    { messages: [said, { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "y" }] }, said] },
  ],
])("Anthropic refuses %s", async (_what, more) => {
  server.script({ kind: "reply", text: "accepted" });
  expect(await messages(anthropic(more))).toMatchObject({
    status: 400,
    text: expect.stringContaining("invalid_request_error"),
  });
});

test("a conversation that is in order is accepted by both", async () => {
  server.script({ kind: "reply" }, { kind: "reply" });
  expect(await chat(openai({ messages: [asked, called, result, asked] }))).toMatchObject({ status: 200 });
  expect(await messages(anthropic({ messages: [said, used, answered] }))).toMatchObject({ status: 200 });
});
