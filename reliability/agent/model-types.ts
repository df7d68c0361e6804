import type { EngineOptions } from "@procedo/engine";

/** The models of an engine, and a language model of the AI SDK for the proofs. */
export type AgentModels = NonNullable<EngineOptions["models"]>;
export type Model = Extract<NonNullable<AgentModels["arguments"]>["model"], { readonly specificationVersion: "v4" }>;
export type ModelOptions = Parameters<Model["doGenerate"]>[0];
export type ModelAnswer = Awaited<ReturnType<Model["doGenerate"]>>;
export type ModelContent = ModelAnswer["content"][number];
export type ModelPrompt = ModelOptions["prompt"];

/** The usage of an answer with this many tokens. */
export function usageOf(inputTokens: number, outputTokens: number): ModelAnswer["usage"] {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
  };
}

export function callOf(toolCallId: string, toolName: string, input: unknown): ModelContent {
  return { type: "tool-call", toolCallId, toolName, input: typeof input === "string" ? input : JSON.stringify(input) };
}

/** An answer with this content; `tool-calls` is how one with calls ends. */
export function answerWith(content: readonly ModelContent[], more: Partial<ModelAnswer> = {}): ModelAnswer {
  const calls = content.some(({ type }) => type === "tool-call");
  return {
    content: [...content],
    finishReason: { unified: calls ? "tool-calls" : "stop", raw: undefined },
    usage: usageOf(100, 20),
    warnings: [],
    ...more,
  };
}
