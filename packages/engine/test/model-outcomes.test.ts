import type { TokenUsage } from "@procedo/procedure";
import { startModelServer, type ModelAnswer, type ModelServer } from "@procedo-testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { promptCharacters } from "../src/models/ask-model.ts";
import type { LanguageModel } from "../src/models/models.ts";
import { askOnce, fetches, modelOf, providers, requestOf, type Provider } from "./model-harness.ts";

/*
 * The result of each answer of a model's service, through the providers' own packages and both kinds of network access.
 */

interface Mode {
  readonly provider: Provider;
  readonly streaming: boolean;
  readonly guarded: boolean;
}

const modes = providers.flatMap((provider) =>
  [false, true].flatMap((streaming) =>
    Object.entries(fetches).map(([network, fetch]) => {
      const mode: Mode = { provider, streaming, guarded: network === "guarded" };
      return [`${provider}, ${streaming ? "streamed" : "whole"}, ${network} fetch`, mode, fetch] as const;
    }),
  ),
);

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const call = { input: { vendorId: "ven_1", amount: 500 } };
const callText = '{"vendorId":"ven_1","amount":500}';
const cutText = '{"vendorId":"ven_1","amo';
const toolCall = (input: string) => ({
  type: "tool_call",
  toolCallId: expect.any(String),
  toolName: "bank.pay",
  input,
});
const text = (said: string) => ({ type: "text", text: said });
const reply = { text: "I will pay this invoice now.", toolCalls: [call] };

const requestLength = promptCharacters(requestOf());

interface Reply {
  readonly content: readonly unknown[];
  readonly finishReason: string;
  /** In the terms of OpenAI and compatible services, and of Anthropic. */
  readonly raw: readonly [string, string];
  /** @defaultValue the usage that the service reports */
  readonly usage?: TokenUsage;
}

const replies: readonly (readonly [string, ModelAnswer, Reply | ((mode: Mode) => Reply)])[] = [
  [
    "text and a tool call are the reply, the tool under its own name",
    { kind: "reply", ...reply },
    { content: [text(reply.text), toolCall(callText)], finishReason: "tool-calls", raw: ["tool_calls", "tool_use"] },
  ],
  [
    "several tool calls in one reply are all returned",
    { kind: "reply", toolCalls: [call, call] },
    {
      content: [toolCall(callText), toolCall(callText)],
      finishReason: "tool-calls",
      raw: ["tool_calls", "tool_use"],
    },
  ],
  [
    "a call of a tool that was never offered keeps its name",
    { kind: "reply", toolCalls: [{ ...call, name: "bank_refund" }] },
    {
      content: [{ ...toolCall(callText), toolName: "bank_refund" }],
      finishReason: "tool-calls",
      raw: ["tool_calls", "tool_use"],
    },
  ],
  [
    "text alone is a reply",
    { kind: "reply", text: "Nothing is to be paid." },
    { content: [text("Nothing is to be paid.")], finishReason: "stop", raw: ["stop", "end_turn"] },
  ],
  [
    "a refusal is reported as a content filter, with the model's text",
    { kind: "reply", refusal: "I cannot help with that." },
    { content: [text("I cannot help with that.")], finishReason: "content-filter", raw: ["stop", "refusal"] },
  ],
  [
    "a reply that a content filter withheld is empty, with that reason",
    { kind: "reply", stop: "content_filter" },
    { content: [], finishReason: "content-filter", raw: ["content_filter", "refusal"] },
  ],
  [
    "a reply that was cut off at the token limit says so, with the partial arguments",
    { kind: "reply", toolCalls: [{ input: cutText }], stop: "length" },
    ({ provider, streaming }) => ({
      // Anthropic's complete answers have arguments as JSON, so they cannot be truncated.
      content: [toolCall(provider === "anthropic" && !streaming ? "{}" : cutText)],
      finishReason: "length",
      raw: ["length", "max_tokens"],
    }),
  ],
  [
    "an empty answer is an empty reply",
    { kind: "reply" },
    { content: [], finishReason: "stop", raw: ["stop", "end_turn"] },
  ],
  [
    "tokens that are not reported are estimated, and marked as estimates",
    { kind: "reply", text: "Done.", usage: "unreported" },
    {
      content: [text("Done.")],
      finishReason: "stop",
      raw: ["stop", "end_turn"],
      usage: {
        inputTokens: Math.ceil(requestLength / 3),
        outputTokens: Math.ceil('[{"type":"text","text":"Done."}]'.length / 3),
        estimated: ["inputTokens", "outputTokens"],
      },
    },
  ],
];

const lost = ({ guarded }: Mode): string =>
  guarded ? "was lost before the answer was whole." : "gave no answer: the connection failed (terminated).";
const early = ({ provider }: Mode): string =>
  provider === "compatible"
    ? "sent an unreadable answer: Response stream ended without a finish reason."
    : "ended its answer before it was complete.";
const unreadable = (mode: Mode): string =>
  mode.streaming
    ? early(mode)
    : "sent an unreadable answer: Invalid JSON response. Check that the model's address is that of its API.";

/** The error message, and the delay before the same prompt is sent again: `undefined` if it is not. */
const failures: readonly (readonly [
  string,
  ModelAnswer,
  string | ((mode: Mode) => string),
  { readonly afterMs?: number } | undefined,
])[] = [
  ["a body that is not JSON is asked for again", { kind: "broken", body: '{"id": "chat' }, unreadable, {}],
  ["a page, too", { kind: "broken", body: "<html></html>", contentType: "text/html" }, unreadable, {}],
  ["JSON that is not an answer, too", { kind: "broken", body: '{"id":"chat"}' }, unreadable, {}],
  ["a connection that breaks during the answer is retried", { kind: "cut", reply }, lost, {}],
  [
    "a stream that ends before its reply is not a reply",
    { kind: "ends_early", reply },
    (mode) => (mode.streaming ? early(mode) : lost(mode)),
    {},
  ],
  [
    "a service that becomes overloaded during the answer is asked again",
    { kind: "fails", reply, status: 529, code: "overloaded_error", message: "Overloaded" },
    ({ streaming }) => (streaming ? "broke off its answer: Overloaded" : "answered 529: Overloaded."),
    {},
  ],
  [
    "a request that is refused during the answer is not repeated",
    { kind: "fails", reply, status: 400, code: "invalid_request_error", message: "The context is too long." },
    ({ streaming }) =>
      streaming ? "broke off its answer: The context is too long (400)." : "answered 400: The context",
    undefined,
  ],
  [
    "a rate limit causes the wait that the service requests",
    { kind: "error", status: 429, message: "Slow down.", headers: { "retry-after": "7" } },
    "answered 429: Slow down. Its rate limit is reached.",
    { afterMs: 7_000 },
  ],
  [
    "to the millisecond if it is that precise",
    { kind: "error", status: 429, headers: { "retry-after": "7", "retry-after-ms": "1500" } },
    "answered 429",
    { afterMs: 1_500 },
  ],
  [
    "for hours, for a daily limit",
    { kind: "error", status: 503, headers: { "retry-after": "7200" } },
    "The service cannot answer at the moment.",
    { afterMs: 7_200_000 },
  ],
  ["an overloaded service is asked again", { kind: "error", status: 529, message: "Overloaded" }, "answered 529", {}],
  ["a fault of the service, too", { kind: "error", status: 500, body: "<h1>oops</h1>" }, "answered 500", {}],
  ["a conflict, too", { kind: "error", status: 409 }, "answered 409", {}],
  ["a request that arrived too slowly, too", { kind: "error", status: 408 }, "answered 408", {}],
  [
    "a request that the model does not support is permanent",
    { kind: "error", status: 400, message: "This model does not support tools." },
    "answered 400: This model does not support tools. Check that the model can call tools",
    undefined,
  ],
  [
    "an unknown model is permanent",
    { kind: "error", status: 404, message: "No such model." },
    "answered 404: No such model. Check the model's name and address.",
    undefined,
  ],
  [
    "a model that the key may not use is permanent",
    { kind: "error", status: 403 },
    "Check that the key may",
    undefined,
  ],
  ["a request that is too large is permanent", { kind: "error", status: 413 }, "too long for the model", undefined],
  ["a request with an invalid shape is permanent", { kind: "error", status: 422 }, "answered 422", undefined],
];

describe.each(modes)("%s", (_name, mode, fetch) => {
  let model: LanguageModel;
  beforeAll(() => {
    model = modelOf(mode.provider, { ...server, fetch });
  });
  const ask = (answer: ModelAnswer) => askOnce(server, answer, { model, streaming: mode.streaming });

  test.each(replies)("%s", async (_promise, answer, expected) => {
    const { content, finishReason, raw, usage } = typeof expected === "function" ? expected(mode) : expected;
    const attempt = await ask(answer);
    expect(attempt).toEqual({
      result: {
        status: "ok",
        reply: {
          modelId: model.modelId,
          provider: model.provider,
          responseId: expect.stringMatching(/^(chatcmpl-|msg_)\d+$/),
          content,
          finishReason,
          rawFinishReason: raw[mode.provider === "anthropic" ? 1 : 0],
          usage: usage ?? { inputTokens: 100, outputTokens: 20 },
          providerMetadata: { [mode.provider === "compatible" ? "local" : mode.provider]: expect.any(Object) },
        },
      },
      latencyMs: expect.any(Number),
    });
  });

  test.each(failures)("%s", async (_promise, answer, says, retry) => {
    const before = server.requests.length;
    const attempt = await ask(answer);
    expect(attempt).toMatchObject({ result: { status: "error", modelId: model.modelId } });
    if (attempt.result.status !== "error") return;
    expect(attempt.result.error.message).toContain(`The model "${model.modelId}" (${model.provider})`);
    expect(attempt.result.error.message).toContain(typeof says === "function" ? says(mode) : says);
    expect(attempt.retry).toEqual(retry);
    // The run repeats the request: each attempt is recorded in its journal.
    expect(server.requests.length - before).toBe(1);
  });
});
