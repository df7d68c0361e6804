import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { APICallError, InvalidPromptError, LoadAPIKeyError, TypeValidationError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createNotice } from "../ports/notice.ts";
import { systemClock } from "../ports/system-clock.ts";
import type { ModelRequest } from "./model-request.ts";
import { askModel } from "./ask-model.ts";
import type { AgentModel } from "./models.ts";

/* Models are third-party code: each test shows the result of an attempt for one behaviour of a model. */

const limits = { stepBytes: 100_000, depth: 32 };
const ports = { clock: systemClock, limits, unforced: new WeakSet<AgentModel["model"]>() };

const request: ModelRequest = {
  messages: [{ role: "user", text: "Hello." }],
  tools: [{ name: "pay", description: "Pays.", input: { type: "object" } }],
  toolChoice: "auto",
  aborted: createNotice(),
};

function modelThat(does: Partial<Pick<LanguageModelV4, "doGenerate" | "doStream" | "provider">>): AgentModel["model"] {
  const none = (): never => {
    throw new Error("not asked for");
  };
  return {
    specificationVersion: "v4",
    provider: "own.chat",
    modelId: "m",
    supportedUrls: {},
    doGenerate: none,
    doStream: none,
    ...does,
  };
}

const count = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const none = { inputTokens: count, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
const answer = (changes: Partial<LanguageModelV4GenerateResult>): LanguageModelV4GenerateResult => ({
  content: [],
  finishReason: { unified: "stop", raw: undefined },
  usage: none,
  warnings: [],
  ...changes,
});

const ask = (model: AgentModel["model"], more: Partial<AgentModel> = {}) =>
  askModel(ports, { model, ...more }, request);
const askFor = (changes: Partial<LanguageModelV4GenerateResult>) =>
  ask(modelThat({ doGenerate: async () => answer(changes) }));
const askThrowing = (error: unknown) => {
  const { promise, reject } = Promise.withResolvers<LanguageModelV4GenerateResult>();
  reject(error);
  return ask(modelThat({ doGenerate: () => promise }));
};
const streamOf = (...parts: LanguageModelV4StreamPart[]): AgentModel["model"] =>
  modelThat({ doStream: async () => ({ stream: ReadableStream.from(parts) }) });
const finish = (changes: Partial<Extract<LanguageModelV4StreamPart, { type: "finish" }>> = {}) =>
  ({ type: "finish", usage: none, finishReason: { unified: "stop", raw: "stop" }, ...changes }) as const;

describe("a reply", () => {
  test("omits parts that no agent requests, and counts them", async () => {
    const { result } = await askFor({
      content: [
        { type: "source", sourceType: "url", id: "1", url: "https://a.example" },
        { type: "text", text: "Paid." },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
        { type: "source", sourceType: "url", id: "2", url: "https://b.example" },
        { type: "tool-call", toolCallId: "1", toolName: "search", input: "{}", providerExecuted: true },
        { type: "custom", kind: "own.thing" },
      ],
      providerMetadata: { own: { tier: "fast" } },
    });
    expect(result).toMatchObject({
      reply: {
        content: [{ type: "text", text: "Paid." }],
        providerMetadata: {
          own: { tier: "fast" },
          procedo: { leftOut: { source: 2, file: 1, "tool-call": 1, "own.thing": 1 } },
        },
      },
    });
  });

  test("keeps the provider's metadata unchanged, or drops it if it is not JSON or too large", async () => {
    const given = { own: { signature: "s".repeat(1_000), list: [1, null, { deep: true }] } };
    const parts = (providerMetadata: typeof given) => [{ type: "reasoning" as const, text: "", providerMetadata }];
    expect(await askFor({ content: parts(given), providerMetadata: given })).toMatchObject({
      result: {
        reply: { content: [{ type: "reasoning", text: "", providerMetadata: given }], providerMetadata: given },
      },
    });
    const odd = { own: { signature: "s", list: [1n] } } as unknown as typeof given;
    const much = { own: { signature: "s".repeat(70_000), list: [] } };
    const { result } = await askFor({ content: parts(odd), providerMetadata: much });
    expect(result).toMatchObject({ reply: { content: [{ type: "reasoning", text: "" }] } });
    expect(JSON.stringify(result)).not.toContain("providerMetadata");
  });

  test("names the model and the answer as the provider did, else the requested model", async () => {
    const named = await askFor({ response: { id: "r_1", modelId: "m-2026" } });
    expect(named).toMatchObject({ result: { reply: { modelId: "m-2026", responseId: "r_1", provider: "own.chat" } } });
    expect(await askFor({})).toMatchObject({ result: { reply: { modelId: "m" } } });
  });

  test.each(["interrupted", "error"] as const)(
    "that ended with %s is discarded, and requested again",
    async (unified) => {
      const attempt = await askFor({ finishReason: { unified, raw: "x" }, content: [{ type: "text", text: "Pay 5" }] });
      expect(attempt).toMatchObject({ result: { status: "error" }, retry: {} });
    },
  );

  test("is gathered from a stream in the order in which its parts began, with the last metadata of each", async () => {
    const model = streamOf(
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "r_1" },
      { type: "reasoning-start", id: "0", providerMetadata: { own: { signature: "" } } },
      { type: "text-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "Due " },
      { type: "text-delta", id: "0", delta: "I " },
      { type: "reasoning-delta", id: "0", delta: "today." },
      { type: "reasoning-end", id: "0", providerMetadata: { own: { signature: "s" } } },
      { type: "text-delta", id: "0", delta: "pay." },
      { type: "text-end", id: "0" },
      { type: "response-metadata", modelId: "m-2026" },
      { type: "ping" },
      { type: "tool-input-start", id: "1", toolName: "pay" },
      { type: "tool-input-delta", id: "1", delta: "{}" },
      { type: "tool-input-end", id: "1" },
      { type: "tool-call", toolCallId: "1", toolName: "pay", input: "{}" },
      // A repeated id starts another block.
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Done." },
      finish(),
    );
    expect(await ask(model, { streaming: true })).toMatchObject({
      result: {
        reply: {
          responseId: "r_1",
          modelId: "m-2026",
          content: [
            { type: "reasoning", text: "Due today.", providerMetadata: { own: { signature: "s" } } },
            { type: "text", text: "I pay." },
            { type: "tool_call", toolCallId: "1", toolName: "pay", input: "{}" },
            { type: "text", text: "Done." },
          ],
        },
      },
    });
  });
});

describe("a stream", () => {
  test("that is too long is cancelled while it arrives", async () => {
    let sent = 0;
    let cancelled = false;
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      pull: (controller) => {
        sent += 1;
        controller.enqueue({ type: "tool-input-delta", id: "1", delta: "x".repeat(10_000) });
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const attempt = await ask(modelThat({ doStream: async () => ({ stream }) }), { streaming: true });
    expect(attempt).toMatchObject({
      result: { error: { message: expect.stringContaining("100000 bytes"), code: "limit" } },
    });
    expect({ sent, cancelled }).toEqual({ sent: expect.closeTo(12, -1), cancelled: true });
  });

  test.each([
    ["without its end", []],
    ["with a text for an error", [{ type: "error", error: "overloaded" } as const, finish()]],
    ["with an unknown error", [{ type: "error", error: new Error("boom") } as const]],
    [
      "with a code for a rate limit",
      [{ type: "error", error: { message: "x", code: "rate_limit_exceeded" } } as const],
    ],
    ["with an unreadable answer", [{ type: "error", error: new TypeValidationError({ value: 1, cause: 1 }) } as const]],
  ])("that ends %s is requested again", async (_how, parts) => {
    const attempt = await ask(streamOf({ type: "text-delta", id: "0", delta: "Pay" }, ...parts), { streaming: true });
    expect(attempt).toMatchObject({ result: { status: "error" }, retry: {} });
  });

  test.each(["invalid_request_error", "context_length_exceeded", "permission_error", "insufficient_quota"])(
    "that ends with %s is not requested again",
    async (code) => {
      const attempt = await ask(streamOf({ type: "error", error: { message: "No.", code } }), { streaming: true });
      expect(attempt).toMatchObject({ result: { status: "error" } });
      expect(attempt).not.toHaveProperty("retry");
    },
  );
});

describe("an error", () => {
  const callError = (changes: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
    new APICallError({ message: "It failed.", url: "https://a.example", requestBodyValues: {}, ...changes });

  test.each([
    ["of a connection", Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } })],
    ["of a name", Object.assign(new Error("getaddrinfo"), { code: "EAI_AGAIN" })],
    ["of the model's own timeout", new DOMException("too slow", "TimeoutError")],
    ["without a status", callError({})],
    ["marked by its package as retryable", callError({ statusCode: 400, isRetryable: true })],
    ["of a gateway", callError({ statusCode: 502 })],
    ["of an answer with an unexpected shape", new TypeValidationError({ value: { a: 1 }, cause: new Error("x") })],
  ])("%s is worth another attempt", async (_what, error) => {
    expect(await askThrowing(error)).toMatchObject({ result: { status: "error" }, retry: {} });
  });

  test.each([
    ["of a missing key", new LoadAPIKeyError({ message: "No key." })],
    ["of an invalid prompt", new InvalidPromptError({ prompt: {}, message: "No prompt." })],
    ["of the model's own code", new Error("boom")],
    ["that is a text", "boom"],
    ["that is undefined", undefined],
  ])("%s is final", async (_what, error) => {
    const attempt = await askThrowing(error);
    expect(attempt).toMatchObject({ result: { status: "error", modelId: "m" } });
    expect(attempt).not.toHaveProperty("retry");
  });

  test("that is its own cause is handled", async () => {
    const error = new Error("boom");
    error.cause = error;
    expect(await askThrowing(error)).toMatchObject({ result: { status: "error" } });
  });

  test("is reported in one short line", async () => {
    const { result } = await askThrowing(new Error(`a\n\tb ${"😀".repeat(500)}`));
    expect(result).toMatchObject({ error: { message: expect.stringContaining("could not be asked: a b 😀") } });
    const { message } = result.status === "error" ? result.error : { message: "" };
    expect(message.length).toBeLessThan(400);
    expect(message.isWellFormed()).toBe(true);
  });

  test.each([
    ["no answer", async () => undefined as unknown as LanguageModelV4GenerateResult],
    [
      "an exception instead of a promise",
      () => {
        throw new Error("boom");
      },
    ],
  ])("of a model that gives %s is the result of the attempt", async (_what, doGenerate) => {
    expect(await ask(modelThat({ doGenerate }))).toMatchObject({ result: { status: "error" } });
  });
});

test.each([false, true])(
  "a model of version 3 of the specification is asked in the same way (streaming %s)",
  async (streaming) => {
    const content = { type: "tool-call", toolCallId: "1", toolName: "pay", input: '{"sum":5}' } as const;
    const finishReason = { unified: "tool-calls", raw: "tool_use" } as const;
    const asked: LanguageModelV3CallOptions[] = [];
    const model: LanguageModelV3 = {
      specificationVersion: "v3",
      provider: "own.chat",
      modelId: "m",
      supportedUrls: {},
      doGenerate: async (options) => {
        asked.push(options);
        return { content: [content], finishReason, usage: none, warnings: [] };
      },
      doStream: async (options) => {
        asked.push(options);
        return { stream: ReadableStream.from([content, { type: "finish" as const, finishReason, usage: none }]) };
      },
    };
    expect(await ask(model, { streaming })).toMatchObject({
      result: {
        reply: {
          content: [{ type: "tool_call", input: '{"sum":5}' }],
          finishReason: "tool-calls",
          rawFinishReason: "tool_use",
        },
      },
    });
    expect(asked).toMatchObject([{ prompt: [{ role: "user" }], tools: [{ name: "pay" }], maxOutputTokens: 4_096 }]);
  },
);

test("the cancellation of a run ends the wait for its model", async () => {
  const cancelled = createNotice();
  const asked = Promise.withResolvers<LanguageModelV4CallOptions>();
  const model = modelThat({
    doGenerate: (options) => {
      asked.resolve(options);
      return new Promise(() => {});
    },
  });
  const asking = askModel(ports, { model }, { ...request, cancelled });
  const { abortSignal } = await asked.promise;
  cancelled.give();
  const attempt = await asking;
  expect(attempt).toMatchObject({
    result: { error: { message: "The run was cancelled before the model had answered." } },
  });
  expect(attempt).not.toHaveProperty("cost");
  expect(abortSignal?.aborted).toBe(true);
});

test("a shutdown ends the wait for a model that ignores its abort signal", async () => {
  const aborted = createNotice();
  const asked = Promise.withResolvers<LanguageModelV4CallOptions>();
  const model = modelThat({
    doGenerate: (options) => {
      asked.resolve(options);
      return new Promise(() => {});
    },
  });
  const asking = askModel(ports, { model }, { ...request, aborted });
  const { abortSignal } = await asked.promise;
  aborted.give();
  expect(await asking).toMatchObject({ result: { status: "error" }, retry: {} });
  expect(abortSignal?.aborted).toBe(true);
});
