import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../src/index.ts";

/* Compatibility with the providers' own packages is tested where these are used: in the engine's tests. */

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

test("answers in the order of the script, and records every request", async () => {
  server.script({ kind: "reply", text: "one" }, { kind: "reply", toolCalls: [{ input: { sum: 5 } }] });
  expect((await chat(openai())).text).toContain('"content":"one"');
  expect((await messages(anthropic())).text).toContain('"type":"tool_use"');
  expect(server.requests).toMatchObject([
    { api: "openai", streaming: false, tools: ["pay"], body: openai() },
    { api: "anthropic", streaming: false, tools: ["pay"], body: anthropic() },
  ]);
});

test("refuses a request beyond the script, or answers it with the given function", async () => {
  expect(await chat(openai())).toMatchObject({ status: 400, text: expect.stringContaining("no answer") });
  const answering = await startModelServer({
    key: undefined,
    answer: ({ tools }) => ({ kind: "reply", text: tools.join() }),
  });
  const response = await fetch(`${answering.url}/messages`, { method: "POST", body: JSON.stringify(anthropic()) });
  expect(await response.text()).toContain('"text":"pay"');
  await answering.close();
});

test("streams the same text in pieces, and marks the end of the reply", async () => {
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

test.each([false, true])("can cut a reply off, or stall until the client disconnects (stream %s)", async (stream) => {
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

test("refuses a wrong key with a message that echoes the key", async () => {
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
  ["a schema that is not an object", tool({ parameters: {} })],
  ["alternatives at the root", tool({ parameters: { ...schema, anyOf: [] } })],
  ["an optional member in strict mode", tool({ strict: true, parameters: { ...schema, required: [] } })],
  ["an unknown keyword in strict mode", tool({ strict: true, parameters: { ...schema, maxProperties: 1 } })],
  ["a call without its result", { messages: [asked, called] }],
  ["a result without its call", { messages: [asked, result] }],
  ["a message in between", { messages: [asked, called, asked, result] }],
  ["an assistant message without content", { messages: [asked, { role: "assistant", content: null }] }],
  ["a tool without properties", tool({ parameters: { type: "object" } })],
  ["a list without items", tool({ parameters: { ...schema, properties: { ids: { type: "array" } } } })],
  ["a tuple of draft 07", tool({ parameters: { ...schema, properties: { at: { items: [{ type: "number" }] } } } })],
  ["a schema with propertyNames", tool({ parameters: { ...schema, properties: { tags: { propertyNames: {} } } } })],
  ["a name of 65 characters", tool({ name: "x".repeat(65) })],
  ["no tool", { tools: [] }],
  ["129 tools", { tools: Array.from({ length: 129 }, () => openai().tools[0]) }],
  ["the choice of an unknown tool", { tool_choice: { type: "function", function: { name: "refund" } } }],
  ["an unknown tool choice", { tool_choice: "any" }],
  ["a tool choice without tools", { tools: undefined, tool_choice: "auto" }],
  ["more tokens than the model allows", { max_tokens: 1_000_000 }],
  ["no tokens", { max_tokens: 0 }],
  [
    "a call's id of 41 characters",
    {
      messages: [
        asked,
        { ...called, tool_calls: [{ ...called.tool_calls[0], id: "c".repeat(41) }] },
        { ...result, tool_call_id: "c".repeat(41) },
      ],
    },
  ],
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
  [
    "an argument's name with brackets",
    { tools: [{ name: "pay", input_schema: { ...schema, properties: { "filter[name]": {} } } }] },
  ],
  [
    "an argument's name of 65 characters",
    { tools: [{ name: "pay", input_schema: { ...schema, properties: { ["x".repeat(65)]: {} } } }] },
  ],
  ["two tools of one name", { tools: [...anthropic().tools, ...anthropic().tools] }],
  ["the choice of an unknown tool", { tool_choice: { type: "tool", name: "refund" } }],
  ["a tool choice of another interface", { tool_choice: "required" }],
  ["a tool choice without tools", { tools: undefined, tool_choice: { type: "auto" } }],
  ["alternatives at the root", { tools: [{ name: "pay", input_schema: { ...schema, anyOf: [] } }] }],
  [
    "a tuple of draft 07",
    { tools: [{ name: "pay", input_schema: { ...schema, properties: { at: { type: "array", items: [{}] } } } }] },
  ],
  ["a forced call with thinking", { tool_choice: { type: "any" }, thinking: { type: "enabled", budget_tokens: 50 } }],
  ["a temperature with thinking", { temperature: 0, thinking: { type: "enabled", budget_tokens: 50 } }],
  ["more thinking than answer", { thinking: { type: "enabled", budget_tokens: 100 } }],
  ["more tokens than the model allows", { max_tokens: 64_001 }],
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

test("Anthropic checks the names of arguments, but not of their members", async () => {
  const input_schema = { ...schema, properties: { sum: { type: "object", properties: { "a[b]": {} } }, "x.y-z": {} } };
  server.script({ kind: "reply" });
  expect(await messages(anthropic({ tools: [{ name: "pay", input_schema }] }))).toMatchObject({ status: 200 });
});

test("a refusal has the status and the body of the real service", async () => {
  expect(await chat(openai(tool({ name: "bank.pay" })))).toEqual({
    status: 400,
    text: JSON.stringify({
      error: {
        message:
          "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        type: "invalid_request_error",
        param: "tools[0].function.name",
        code: "invalid_value",
      },
    }),
  });
  const input_schema = { ...schema, properties: { $top: {} } };
  expect(await messages(anthropic({ tools: [{ name: "pay", input_schema }] }))).toEqual({
    status: 400,
    text: JSON.stringify({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
      },
      request_id: "req_1",
    }),
  });
});

test("a service with thinking models refuses a forced call, and answers if the model may choose", async () => {
  const thinking = await startModelServer({ key: undefined, thinks: true, answer: () => ({ kind: "reply" }) });
  const ask = async (path: string, body: object): Promise<number> =>
    (await fetch(`${thinking.url}${path}`, { method: "POST", body: JSON.stringify(body) })).status;
  expect(await ask("/chat/completions", openai({ tool_choice: "required" }))).toBe(400);
  expect(await ask("/chat/completions", openai({ tool_choice: "auto" }))).toBe(200);
  expect(await ask("/messages", anthropic({ tool_choice: { type: "any" } }))).toBe(400);
  expect(await ask("/messages", anthropic({ tool_choice: { type: "auto" } }))).toBe(200);
  await thinking.close();
});

test("both accept a valid conversation", async () => {
  server.script({ kind: "reply" }, { kind: "reply" });
  expect(await chat(openai({ messages: [asked, called, result, asked] }))).toMatchObject({ status: 200 });
  expect(await messages(anthropic({ messages: [said, used, answered] }))).toMatchObject({ status: 200 });
});
