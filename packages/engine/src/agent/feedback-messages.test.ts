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

describe("what became of a call", () => {
  test("is told to the call that proposed it, a failure as such", () => {
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

  test("is told in part when it is larger than a model should see, and says so", () => {
    const output = { rows: Array.from({ length: 100_000 }, (_one, id) => ({ id })), total: 100_000 };
    const [told] = outcomeMessages(agentAfter(begin), { arguments: {}, result: { output } }, Infinity);
    expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(70_000);
    expect(told).toMatchObject({
      output: { result: { total: 100_000 }, leftOut: [expect.stringMatching(/^\/rows: the last/)] },
    });
  });
});

describe("what was wrong", () => {
  test("is told to each call of the reply, once where they share an id", () => {
    const told = problemMessages(replyCalling("a", "b", "a"), ["One at a time."]);
    const output = { outcome: "not_made", problems: ["One at a time."] };
    expect(told).toEqual(
      ["a", "b"].map((toolCallId) => ({ role: "tool", toolCallId, toolName: "pay", output, isError: true })),
    );
  });

  test("is told in words where there was no call", () => {
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

  test("count since the beginning or since the latest call, of either kind", () => {
    expect(repairsSoFar(agentAfter(begin))).toBe(0);
    expect(repairsSoFar(agentAfter(begin, wrong, text))).toBe(2);
    expect(repairsSoFar(agentAfter(begin, wrong, text, done))).toBe(0);
    expect(repairsSoFar(agentAfter(begin, wrong, done, text))).toBe(1);
  });

  test("are not taken for what a call answered, whatever it answered", () => {
    expect(repairsSoFar(agentAfter(begin, done, done))).toBe(0);
  });
});
