import type { AgentState, AgentTurn, ModelReply, PromptMessage } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { repairsSoFar, outcomeMessages, problemMessages } from "./feedback-messages.ts";

function replyCalling(...ids: readonly string[]): ModelReply {
  const content = ids.map((toolCallId) => ({ type: "tool_call", toolCallId, toolName: "pay", input: "{}" }) as const);
  return { modelId: "m", provider: "p", content, finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
}

const begin: readonly PromptMessage[] = [
  { role: "system", text: "Pay." },
  { role: "user", text: "Data." },
];

function agentAfter(...added: readonly (readonly PromptMessage[])[]): AgentState {
  const turns = added.map((messages): AgentTurn => ({ added: messages, reply: replyCalling("c1") }));
  return { turns, calls: [], modelCalls: turns.length };
}

describe("the outcome of a call", () => {
  test("answers the tool call that proposed it, and marks a failure as an error", () => {
    const agent = agentAfter(begin);
    expect(outcomeMessages(agent, { arguments: {}, result: { output: [1] } }, 1_000)).toEqual([
      { role: "tool", toolCallId: "c1", toolName: "pay", output: { outcome: "done", result: [1] } },
    ]);
    const errorDetails = { status: 422, reason: "The limit is 500.00 EUR.", body: { limit: 50_000 } };
    const [refused] = outcomeMessages(agent, { arguments: {}, result: { error: "422", errorDetails } }, 1_000);
    expect(refused).toMatchObject({
      output: { outcome: "failed", error: "422", status: 422, reason: "The limit is 500.00 EUR." },
    });
    expect(outcomeMessages(agent, { arguments: {}, result: { error: "no funds" } }, 1_000)).toEqual([
      {
        role: "tool",
        toolCallId: "c1",
        toolName: "pay",
        output: { outcome: "failed", error: "no funds" },
        isError: true,
      },
    ]);
  });

  test("is cut to the size that a model should see, and lists the parts left out", () => {
    const output = { rows: Array.from({ length: 100_000 }, (_one, id) => ({ id })), total: 100_000 };
    const [reported] = outcomeMessages(agentAfter(begin), { arguments: {}, result: { output } }, Infinity);
    expect(Buffer.byteLength(JSON.stringify(reported))).toBeLessThan(70_000);
    expect(reported).toMatchObject({
      output: { result: { total: 100_000 }, leftOut: [expect.stringMatching(/^\/rows: the last/)] },
    });
  });
});

describe("the problems of a reply", () => {
  test("answer each tool call of the reply, and calls with the same id once", () => {
    const reported = problemMessages(replyCalling("a", "b", "a"), ["One at a time."]);
    const output = { outcome: "not_made", problems: ["One at a time."] };
    expect(reported).toEqual(
      ["a", "b"].map((toolCallId) => ({ role: "tool", toolCallId, toolName: "pay", output, isError: true })),
    );
  });

  test("become a user message if the reply has no call", () => {
    expect(problemMessages(replyCalling(), ["Call it.", "Now."])).toEqual([{ role: "user", text: "Call it.\nNow." }]);
  });
});

describe("repairs", () => {
  const wrong = problemMessages(replyCalling("c1"), ["No."]);
  const text = problemMessages(replyCalling(), ["No."]);
  const done = outcomeMessages(
    agentAfter(begin),
    { arguments: {}, result: { output: { outcome: "not_made" } } },
    1_000,
  );

  test("of either kind count from the first prompt or from the latest call", () => {
    expect(repairsSoFar(agentAfter(begin))).toBe(0);
    expect(repairsSoFar(agentAfter(begin, wrong, text))).toBe(2);
    expect(repairsSoFar(agentAfter(begin, wrong, text, done))).toBe(0);
    expect(repairsSoFar(agentAfter(begin, wrong, done, text))).toBe(1);
  });

  test("do not include the outcome of a call, even one whose result looks like a repair", () => {
    expect(repairsSoFar(agentAfter(begin, done, done))).toBe(0);
  });
});
