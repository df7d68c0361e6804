import { answerWith, callOf, type ModelAnswer } from "../model-types.ts";

const good = callOf("call_1", "pay", { amount: 5, reference: "INV-1" });

function strange(change: object): ModelAnswer {
  return { ...answerWith([good]), ...change };
}

const part = (change: object): object => ({ content: [{ ...good, ...change }] });
const circle: Record<string, unknown> = {};
circle["self"] = circle;

/**
 * Answers that a provider's package should never return, by name: without the shape of the AI SDK, or with unrequested
 * parts. None may cause a failure of the engine. A call is made only if the answer contains exactly one valid call.
 */
export const strangeAnswers: readonly (readonly [string, ModelAnswer])[] = [
  ["no content", strange({ content: undefined })],
  ["content that is null", strange({ content: null })],
  ["content that is a text", strange({ content: "pay" })],
  ["a part that is null", strange({ content: [null] })],
  ["a part of no type", strange(part({ type: undefined }))],
  ["a part of an unknown type", strange(part({ type: "surprise" }))],
  ["arguments that are an object", strange(part({ input: { amount: 5, reference: "INV-1" } }))],
  ["arguments that are null", strange(part({ input: null }))],
  ["arguments that are a number", strange(part({ input: 5 }))],
  ["a tool without a name", strange(part({ toolName: undefined }))],
  ["a tool whose name is an object", strange(part({ toolName: { toString: "pay" } }))],
  ["a call without an id", strange(part({ toolCallId: undefined }))],
  ["a text that is a number", strange({ content: [{ type: "text", text: 5 }] })],
  ["a text that is null", strange({ content: [{ type: "text", text: null }, good] })],
  ["no finish reason", strange({ finishReason: undefined })],
  ["an unknown finish reason", strange({ finishReason: { unified: "surprise", raw: "surprise" } })],
  ["no usage", strange({ usage: undefined })],
  ["a usage that is no number", strange({ usage: { inputTokens: { total: NaN }, outputTokens: { total: "x" } } })],
  ["a usage below zero", strange({ usage: { inputTokens: { total: -5 }, outputTokens: { total: -1e308 } } })],
  ["a usage without an end", strange({ usage: { inputTokens: { total: Infinity }, outputTokens: { total: 1e400 } } })],
  ["metadata in a circle", strange({ providerMetadata: { provider: circle } })],
  ["ten megabytes of metadata", strange({ providerMetadata: { provider: { x: "x".repeat(10 * 1024 * 1024) } } })],
  ["metadata of a call in a circle", strange(part({ providerMetadata: { provider: circle } }))],
  ["metadata that is a text", strange({ providerMetadata: "x" })],
  ["a getter that throws", strange(Object.defineProperty({}, "content", { enumerable: true, get: () => [][0] }))],
  ["a file and a source", strange({ content: [{ type: "file", mediaType: "text/html", data: "x" }, good] })],
  ["an answer that is null", null as unknown as ModelAnswer],
  ["an answer that is a text", "pay" as unknown as ModelAnswer],
];
