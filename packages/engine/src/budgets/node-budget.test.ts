import type { AgentState } from "@procedo/procedure";
import { expect, test } from "vitest";
import { usedUp } from "./node-budget.ts";

/** Turns with these token counts; a turn without an answer used none. */
function agentWith(tokens: readonly (number | undefined)[], modelCalls = tokens.length): AgentState {
  const turns = tokens.map((used) => ({
    added: [],
    reply: used === undefined ? undefined : { usage: { inputTokens: used - 1, outputTokens: 1 } },
  }));
  return { turns, calls: [], modelCalls } as unknown as AgentState;
}

test("an agent without turns may be asked, regardless of its budget", () => {
  expect(usedUp("pay", { modelCalls: 1, tokens: 1 }, undefined)).toBeUndefined();
});

test("a node without a budget is never limited", () => {
  expect(usedUp("pay", {}, agentWith([1_000_000], 999))).toBeUndefined();
});

test("a turn fits until the budget's model calls are used, attempts without an answer included", () => {
  const budget = { modelCalls: 3 };
  expect(usedUp("pay", budget, agentWith([10, undefined], 2))).toBeUndefined();
  expect(usedUp("pay", budget, agentWith([10, undefined], 3))).toBe(
    'The agent of "pay" has used its budget of 3 model calls.',
  );
});

test("a turn fits until prompts and replies together reach the budget's tokens", () => {
  const budget = { tokens: 30 };
  expect(usedUp("pay", budget, agentWith([10, 19]))).toBeUndefined();
  expect(usedUp("pay", budget, agentWith([10, 20]))).toBe('The agent of "pay" has used its budget of 30 tokens.');
});
