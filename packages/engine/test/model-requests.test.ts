import { startModelServer, type ModelServer } from "@procedo-testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelMessage } from "../src/models/model-request.ts";
import { askModel } from "../src/models/ask-model.ts";
import { argumentNames } from "../src/models/argument-names.ts";
import type { LanguageModel } from "../src/models/models.ts";
import { askOnce, declineTool, fetches, modelOf, payTool, ports, providers, requestOf } from "./model-harness.ts";

/*
 * The requests to a provider. The service refuses the same as real ones: unpaired results, changed reasoning, invalid
 * schemas.
 */

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const place = () => ({ ...server, fetch: fetches.guarded });
const lastBody = (): Readonly<Record<string, unknown>> => server.requests.at(-1)?.body ?? {};
const call = { input: { vendorId: "ven_1", amount: 500 } };

describe.each(providers.flatMap((provider) => [false, true].map((streaming) => [provider, streaming] as const)))(
  "%s, streaming %s",
  (provider, streaming) => {
    let model: LanguageModel;
    beforeAll(() => {
      model = modelOf(provider, place());
    });

    test("a conversation continues with its complete history, including reasoning and several calls", async () => {
      const messages: ModelMessage[] = [...requestOf().messages];
      const turns = [
        { thinking: "The invoice is due. I pay both parts.", text: "I pay in two parts.", toolCalls: [call, call] },
        { toolCalls: [{ input: '{"vendorId": "ven_1", "amou' }] },
        { thinking: "Numbers only.", toolCalls: [{ input: "[1]", name: "bank.refund everything!" }] },
        {},
        { text: "   " },
        { toolCalls: [call] },
      ];
      for (const turn of turns) {
        server.script({ kind: "reply", ...turn });
        const { result } = await askModel(ports, { model, streaming }, requestOf({ messages }));
        expect(result).toMatchObject({ status: "ok" });
        if (result.status !== "ok") return;
        const { content } = result.reply;
        messages.push({ role: "assistant", content });
        const calls = content.filter((part) => part.type === "tool_call");
        for (const { toolCallId, toolName } of calls) {
          messages.push({ role: "tool", toolCallId, toolName, output: "Propose exactly one call.", isError: true });
        }
        if (calls.length === 0) messages.push({ role: "user", text: "Propose a call." });
      }
      server.script({ kind: "reply", text: "Done." });
      const { result } = await askModel(ports, { model, streaming }, requestOf({ messages, toolChoice: "auto" }));
      expect(result).toMatchObject({ status: "ok", reply: { content: [{ type: "text", text: "Done." }] } });
      expect(JSON.stringify(lastBody()["messages"])).toContain("I pay in two parts.");
    });

    test("the model gets one tool, must call it if the request requires that, and gets a limit of its answer", async () => {
      await askOnce(server, { kind: "reply", toolCalls: [call] }, { model, streaming, maxOutputTokens: 321 });
      expect(server.requests.at(-1)?.tools).toEqual(["bank_pay"]);
      expect(lastBody()).toMatchObject({
        max_tokens: 321,
        tool_choice: provider === "anthropic" ? { type: "any" } : "required",
      });
      expect(lastBody()).not.toHaveProperty("temperature");
      await askOnce(server, { kind: "reply", text: "Done." }, { model, streaming }, { toolChoice: "auto" });
      expect(lastBody()).toMatchObject({
        max_tokens: 4_096,
        tool_choice: provider === "anthropic" ? { type: "auto" } : "auto",
      });
    });

    test("the model may decline if that is offered: the tool of its answer is returned by its own name", async () => {
      const tools = [{ ...payTool, name: "bank.pay" }, declineTool];
      const toolCalls = [{ name: "decline", input: { reason: "Nothing is due." } }];
      const { result } = await askOnce(server, { kind: "reply", toolCalls }, { model, streaming }, { tools });
      expect(server.requests.at(-1)?.tools).toEqual(["bank_pay", "decline"]);
      expect(result).toMatchObject({
        reply: { content: [{ toolName: "decline", input: '{"reason":"Nothing is due."}' }] },
      });
    });

    test("the outcome of a call is sent unchanged: an object, a text or an error", async () => {
      const assistant: ModelMessage = {
        role: "assistant",
        content: [{ type: "tool_call", toolCallId: "call_1", toolName: "bank.pay", input: '{"vendorId":"ven_1"}' }],
      };
      const outputs = [{ output: { receipt: "r_1" } }, { output: "plain" }, { output: ["x"], isError: true as const }];
      for (const reported of outputs) {
        const result: ModelMessage = { role: "tool", toolCallId: "call_1", toolName: "bank.pay", ...reported };
        const messages = [...requestOf().messages, assistant, result];
        const attempt = await askOnce(server, { kind: "reply", toolCalls: [call] }, { model, streaming }, { messages });
        expect(attempt.result.status).toBe("ok");
        const shown =
          typeof reported.output === "string"
            ? reported.output
            : JSON.stringify(JSON.stringify(reported.output)).slice(1, -1);
        expect(JSON.stringify(lastBody()["messages"])).toContain(shown);
      }
    });

    test.each([
      ["pay", "pay"],
      ["POST /invoices/{id}:pay", "POST_invoices_id_pay"],
      ["überweisen…", "_berweisen_"],
      ["x".repeat(200), "x".repeat(64)],
      ["", "tool"],
    ])("an action named %j is offered under an accepted name, and called by its own", async (name, offered) => {
      const { result } = await askOnce(
        server,
        { kind: "reply", toolCalls: [call] },
        { model, streaming },
        { tools: [{ ...payTool, name }] },
      );
      expect(server.requests.at(-1)?.tools).toEqual([offered]);
      expect(result).toMatchObject({ reply: { content: [{ toolName: name }] } });
    });

    test.each([
      ["one without a type", {}],
      ["one of another draft", { $schema: "http://json-schema.org/draft-04/schema#", type: "object" }],
      [
        "alternatives",
        {
          anyOf: [
            { type: "object", required: ["a"] },
            { type: "object", required: ["b"] },
          ],
        },
      ],
      ["optional members", { type: "object", properties: { a: { type: "string" } }, additionalProperties: false }],
      [
        "bounds",
        { ...payTool.input, properties: { vendorId: { type: "string", pattern: "^v" }, amount: { minimum: 1 } } },
      ],
    ])("a schema with %s is accepted", async (_what, input) => {
      const tool = { ...payTool, input, description: "Long. ".repeat(1_000) };
      const attempt = await askOnce(
        server,
        { kind: "reply", toolCalls: [call] },
        { model, streaming },
        { tools: [tool] },
      );
      expect(attempt.result.status).toBe("ok");
    });
  },
);

test.each([
  ["openai", "gpt-4.1", { tools: [{ function: { strict: true } }], parallel_tool_calls: false }],
  [
    "openai",
    "gpt-5",
    { tools: [{ function: { strict: true } }], parallel_tool_calls: false, max_completion_tokens: 4_096 },
  ],
  ["openai", "o4-mini", { tools: [{ function: { strict: true } }], max_completion_tokens: 4_096 }],
  ["anthropic", "claude-sonnet-4-5", { tools: [{ strict: true }], tool_choice: { disable_parallel_tool_use: true } }],
] as const)("%s is instructed to keep to the schema and to one call: %s", async (provider, modelId, body) => {
  const model = modelOf(provider, place(), modelId);
  expect(await askOnce(server, { kind: "reply", toolCalls: [call] }, { model })).toMatchObject({
    result: { status: "ok" },
  });
  expect(lastBody()).toMatchObject(body);
});

test.each([
  ["openai", { tools: [{ function: { strict: true } }, { function: { strict: true } }], parallel_tool_calls: false }],
  ["anthropic", { tools: [{ strict: true }, { strict: true }], tool_choice: { disable_parallel_tool_use: true } }],
] as const)("%s enforces the schemas of both tools, and one call of either", async (provider, body) => {
  const model = modelOf(provider, place());
  const tools = [payTool, declineTool];
  const attempt = await askOnce(server, { kind: "reply", toolCalls: [call] }, { model }, { tools });
  expect(attempt.result.status).toBe("ok");
  expect(lastBody()).toMatchObject(body);
});

test("a compatible service gets no option that it may not know", async () => {
  const model = modelOf("compatible", place());
  await askOnce(server, { kind: "reply", toolCalls: [call] }, { model });
  expect(Object.keys(lastBody()).sort()).toEqual(["max_tokens", "messages", "model", "tool_choice", "tools"]);
});

test("OpenAI gets the option not to enforce a schema that it cannot enforce", async () => {
  const tool = { ...payTool, input: { type: "object", properties: { note: { type: "string", maxLength: 5 } } } };
  await askOnce(server, { kind: "reply", toolCalls: [call] }, { model: modelOf("openai", place()) }, { tools: [tool] });
  expect(lastBody()).toMatchObject({ tools: [{ function: { strict: false, parameters: tool.input } }] });
});

describe.each(providers)("arguments with names that %s may refuse", (provider) => {
  const own = [
    "filter[name]",
    "$top",
    "@type",
    "größe",
    "2fa",
    "Idempotency-Key",
    "",
    "__proto__",
    "x".repeat(65),
    "plain",
  ];
  const input = {
    type: "object",
    properties: Object.fromEntries(own.map((name) => [name, { type: ["string", "integer", "object"] }])),
    required: ["$top", "plain"],
    additionalProperties: false,
  };
  const tool = { ...payTool, input, names: argumentNames(own) };

  test.each([false, true])(
    "are offered under other names, and returned under their own (stream %s)",
    async (streaming) => {
      const toolCalls = [{ input: { top: 5, filter_name: { top: 6 }, plain: "top" } }];
      const model = modelOf(provider, place());
      const { result } = await askOnce(server, { kind: "reply", toolCalls }, { model, streaming }, { tools: [tool] });
      const args = { $top: 5, "filter[name]": { top: 6 }, plain: "top" };
      expect(result).toMatchObject({ reply: { content: [{ input: JSON.stringify(args) }] } });
      const [given] = server.requests.at(-1)?.body["tools"] as readonly Record<string, unknown>[];
      const schema = given?.["input_schema"] ?? (given?.["function"] as Record<string, unknown>)["parameters"];
      const { properties, required } = schema as { properties: object; required: readonly string[] };
      expect(Object.keys(properties)).toHaveLength(own.length);
      for (const name of Object.keys(properties)) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/);
      expect(required).toEqual(["top", "plain"]);
    },
  );

  test("appear in earlier calls as they were offered, and are accepted under their own name as well", async () => {
    const part = {
      type: "tool_call",
      toolCallId: "call_1",
      toolName: "bank.pay",
      input: '{"$top":5,"plain":1}',
    } as const;
    const messages: ModelMessage[] = [
      ...requestOf().messages,
      { role: "assistant", content: [part] },
      { role: "tool", toolCallId: "call_1", toolName: "bank.pay", output: "Again.", isError: true },
    ];
    const toolCalls = [{ input: '{"$top": 7, "filter[name]": 1.0}' }];
    const model = modelOf(provider, place());
    const { result } = await askOnce(server, { kind: "reply", toolCalls }, { model }, { tools: [tool], messages });
    const said = JSON.stringify(lastBody()["messages"]).replaceAll("\\", "");
    expect([said.includes('{"top":5,"plain":1}'), said.includes("$top")]).toEqual([true, false]);
    const input = provider === "anthropic" ? '{"$top":7,"filter[name]":1}' : toolCalls[0]?.input;
    expect(result).toMatchObject({ reply: { content: [{ input }] } });
  });
});

test.each([
  ["a JSON string once more", "bank_pay", JSON.stringify('{"amount":500}'), "bank.pay", '{"amount":500}'],
  ["a string that is not an object", "bank_pay", '"[1]"', "bank.pay", '"[1]"'],
  ["OpenAI's form of the name", "functions.bank_pay", '{"amount":500}', "bank.pay", '{"amount":500}'],
  ["a name in other letters", "BANK_PAY", "{}", "BANK_PAY", "{}"],
])(
  "the variant %s of a compatible service is understood or left unchanged",
  async (_what, name, input, toolName, taken) => {
    const model = modelOf("compatible", place());
    const { result } = await askOnce(server, { kind: "reply", toolCalls: [{ name, input }] }, { model });
    expect(result).toMatchObject({ reply: { content: [{ toolName, input: taken }] } });
  },
);
