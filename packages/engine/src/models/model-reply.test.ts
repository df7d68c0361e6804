import type { TokenUsage } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { replyOf } from "./model-reply.ts";
import type { AnswerPart } from "./model-stream.ts";

const hundreds: AnswerPart = { type: "text", text: "x".repeat(300) };
const promptCharacters = 1_000;

/** The token usage of a reply whose provider reports these totals. */
function usageOf(input: number | undefined, output: number | undefined, content: readonly AnswerPart[]): TokenUsage {
  const answer = {
    content,
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: undefined, reasoning: undefined },
    },
  } as const;
  return replyOf(answer, {
    model: { provider: "own.chat", modelId: "m" },
    tools: [],
    promptCharacters: () => promptCharacters,
    limits: { depth: 32, bytes: 100_000 },
  }).usage;
}

describe("the tokens of a reply", () => {
  test.each([
    [12.4, 13],
    [1, 1],
    [1e300, 1e12],
  ])("are those that the provider reports: %s become %i", (total, counted) => {
    expect(usageOf(total, total, [hundreds])).toEqual({ inputTokens: counted, outputTokens: counted });
  });

  test.each([undefined, 0, Number.NaN, -5, Number.POSITIVE_INFINITY])(
    "are estimated if it reports %s: a third of the characters of the prompt and of the answer, marked as estimates",
    (total) => {
      expect(usageOf(total, total, [hundreds])).toEqual({
        inputTokens: Math.ceil(promptCharacters / 3),
        outputTokens: Math.ceil(JSON.stringify([hundreds]).length / 3),
        estimated: ["inputTokens", "outputTokens"],
      });
    },
  );

  test("are estimated for the side that it does not report", () => {
    expect(usageOf(7, undefined, [hundreds])).toMatchObject({ inputTokens: 7, estimated: ["outputTokens"] });
    expect(usageOf(undefined, 7, [hundreds])).toMatchObject({ outputTokens: 7, estimated: ["inputTokens"] });
  });

  test("may be zero for an answer without content", () => {
    expect(usageOf(7, 0, [])).toEqual({ inputTokens: 7, outputTokens: 0 });
  });
});
