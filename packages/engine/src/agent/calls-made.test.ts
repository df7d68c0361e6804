import type { AgentState, Entry } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { withCallsMade } from "./calls-made.ts";

const made = { arguments: {}, result: { output: 1 } } as const;
const refused = { arguments: {}, result: { error: "No funds." } } as const;

function agentWith(...calls: AgentState["calls"]): AgentState {
  return { turns: [], calls, modelCalls: 1 };
}

const nodeFailed: Entry = {
  type: "node_failed",
  atMs: 1,
  nodeId: "pay",
  kind: "tool_call",
  visit: 1,
  error: { message: "No usable reply.", details: { status: 400 } },
};

function unanswered(retryAtMs?: number): Entry {
  return {
    type: "replied",
    atMs: 1,
    nodeId: "pay",
    visit: 1,
    turn: 3,
    attempt: 4,
    latencyMs: 1,
    result: { status: "error", modelId: "m", error: { message: "Overloaded." } },
    ...(retryAtMs !== undefined && { retryAtMs }),
  };
}

describe("the failure of an agent's node", () => {
  test("states how many of its calls were made before, without those that failed", () => {
    expect(withCallsMade(nodeFailed, agentWith(made, refused, made))).toMatchObject({
      error: {
        message: "No usable reply. 2 of its calls were made before: see the run's steps.",
        details: { status: 400 },
      },
    });
    expect(withCallsMade(unanswered(), agentWith(made))).toMatchObject({
      result: { error: { message: "Overloaded. 1 of its calls was made before: see the run's steps." } },
    });
  });

  test("stays unchanged if no call was made", () => {
    for (const agent of [undefined, agentWith(), agentWith(refused)]) {
      expect(withCallsMade(nodeFailed, agent)).toBe(nodeFailed);
      expect(withCallsMade(unanswered(), agent)).toEqual(unanswered());
    }
  });
});

test("the entry of a node that continues stays unchanged", () => {
  const concluded: Entry = { type: "concluded", atMs: 1, nodeId: "pay", visit: 1, text: "Done." };
  expect(withCallsMade(concluded, agentWith(made))).toBe(concluded);
  expect(withCallsMade(unanswered(9), agentWith(made))).toEqual(unanswered(9));
});
