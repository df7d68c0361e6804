import { describe, expect, test } from "vitest";
import { loadProcedure } from "../compile/compile-procedure.ts";
import {
  agentDocument,
  agents,
  agentStateAfter,
  concluded,
  gaveUp,
  prompted,
  replied,
  reply,
  toLook,
  toPay,
  unanswered,
  words,
} from "./agent.fixture.ts";
import { approved, asked, cancelled, frozen, intent, ok, outcome, recovered } from "./example.fixture.ts";
import type { Entry } from "./journal.ts";
import { declineTool } from "./conversation.ts";
import { defaultRunLimits } from "./limits.ts";
import { next, resume } from "./next.ts";

const call = { ...frozen, nodeId: "look", digest: "call-digest" } as const;
const firstCall = [...toLook, prompted("look"), replied("look"), intent("look"), outcome("look", ok)];

function stepAfter(entries: readonly Entry[], limits = defaultRunLimits, procedure = agents) {
  return next(procedure, agentStateAfter(...entries), limits);
}

describe("the next step within an agent's node", () => {
  test.each<[string, readonly Entry[], object]>([
    ["a question is asked", [], { do: "prompt", node: { id: "sort" }, visit: 1, agent: undefined }],
    [
      "its second visit is another conversation",
      [...toPay, prompted("pay"), replied("pay"), intent("pay"), outcome("pay", ok)],
      { do: "prompt", node: { id: "sort" }, visit: 2, agent: undefined },
    ],
    ["a call is requested", toLook, { do: "prompt", node: { id: "look" }, visit: 1, agent: undefined }],
    [
      "the model is asked",
      [prompted("sort")],
      { do: "ask_model", node: { id: "sort" }, visit: 1, turn: 1, attempt: 1, agent: { turns: [{}] } },
    ],
    ["… by any owner of the run", [prompted("sort"), recovered], { do: "ask_model", turn: 1, attempt: 1 }],
    [
      "its reply is judged",
      [prompted("sort"), replied("sort")],
      { do: "judge", node: { id: "sort" }, visit: 1, agent: { turns: [{ reply: { modelId: "m-1" } }] } },
    ],
    [
      "the model is asked again after feedback on a fault",
      [prompted("sort"), replied("sort"), prompted("sort", 2)],
      { do: "ask_model", turn: 2, attempt: 1, agent: { turns: [{}, {}] } },
    ],
    [
      "a model that could not answer is asked later",
      [prompted("sort"), unanswered("sort", 1, 99)],
      { do: "wait", untilMs: 99, review: undefined },
    ],
    ["a call is made", [...toPay, prompted("pay"), replied("pay"), intent("pay")], { do: "call" }],
    [
      "an agent that may make several calls gets each result",
      firstCall,
      { do: "prompt", node: { id: "look" }, visit: 1, agent: { turns: [{}], calls: [{}] } },
    ],
    [
      "and proposes the next call",
      [...firstCall, prompted("look", 2), replied("look", 2)],
      { do: "judge", agent: { turns: [{}, {}] } },
    ],
    [
      "which a person approves",
      [...firstCall, prompted("look", 2), replied("look", 2), asked("look", "guard", { call }), approved],
      { do: "intend", visit: 1, call: { call: 2, attempt: 1, approvedDigest: "call-digest" } },
    ],
    [
      "until it finishes",
      [...firstCall, prompted("look", 2), replied("look", 2, reply(words)), concluded],
      { do: "emit", node: { id: "look" }, visit: 1 },
    ],
    [
      "an unsure answer waits for a person",
      [prompted("sort"), replied("sort"), asked("sort", "question")],
      { do: "wait", untilMs: undefined, review: { kind: "question" } },
    ],
    ["an agent that failed ends the run", [prompted("sort"), gaveUp("sort")], { do: "end", nodeId: "sort" }],
  ])("%s", (_name, entries, step) => {
    expect(stepAfter(entries)).toMatchObject(step);
  });

  test("repeats a due request to the model unchanged", () => {
    const state = agentStateAfter(prompted("sort"), unanswered("sort", 1, 99));
    expect(resume(agents, state, defaultRunLimits)).toMatchObject({ do: "ask_model", turn: 1, attempt: 2, visit: 1 });
  });
});

describe("a cancelled run", () => {
  const end = { do: "end", result: { status: "failed", error: "Cancelled by ann" } };

  test.each<[string, readonly Entry[]]>([
    ["asks no model", [prompted("sort"), cancelled]],
    ["judges no reply", [prompted("sort"), cancelled, replied("sort")]],
    ["sends no result to an agent", [...firstCall, cancelled]],
    ["ends during a wait for a model", [prompted("sort"), unanswered("sort", 1, 99), cancelled]],
    ["ends during the review of an answer", [prompted("sort"), replied("sort"), asked("sort", "question"), cancelled]],
  ])("%s", (_name, entries) => {
    expect(stepAfter(entries)).toMatchObject(end);
    expect(resume(agents, agentStateAfter(...entries), defaultRunLimits)).toMatchObject(end);
  });
});

describe("limits", () => {
  const twice = [prompted("sort"), replied("sort"), prompted("sort", 2), replied("sort", 2), prompted("sort", 3)];
  const ends = (error: string) => ({ do: "end", nodeId: "sort", result: { status: "failed", error } });

  test("of model calls end the run before the first call beyond them", () => {
    expect(stepAfter(twice, { ...defaultRunLimits, modelCalls: 3 })).toMatchObject({ do: "ask_model" });
    expect(stepAfter(twice, { ...defaultRunLimits, modelCalls: 2 })).toMatchObject(
      ends("The run reached its limit of 2 model calls."),
    );
  });

  test("count attempts without an answer", () => {
    const limits = { ...defaultRunLimits, modelCalls: 1 };
    const state = agentStateAfter(prompted("sort"), unanswered("sort", 1, 99));
    expect(resume(agents, state, limits)).toMatchObject(ends("The run reached its limit of 1 model calls."));
  });

  test("of tokens end the run once they are used", () => {
    expect(stepAfter(twice, { ...defaultRunLimits, tokens: 221 })).toMatchObject({ do: "ask_model" });
    expect(stepAfter(twice, { ...defaultRunLimits, tokens: 220 })).toMatchObject(
      ends("The run reached its limit of 220 tokens."),
    );
  });

  test("of the procedure and of the engine both apply, the lower one first", () => {
    const bounded = (run: object) => loadProcedure({ ...agentDocument, budgets: { run } });
    expect(stepAfter(twice, defaultRunLimits, bounded({ modelCalls: 2 }))).toMatchObject(
      ends("The run reached its limit of 2 model calls."),
    );
    expect(stepAfter(twice, defaultRunLimits, bounded({ tokens: 5 }))).toMatchObject(
      ends("The run reached its limit of 5 tokens."),
    );
    expect(stepAfter(twice, { ...defaultRunLimits, modelCalls: 2 }, bounded({ modelCalls: 9 }))).toMatchObject(
      ends("The run reached its limit of 2 model calls."),
    );
  });

  test("of tool calls end the run before an agent is asked for the first call, and before the next", () => {
    const error = { do: "end", nodeId: "look", result: { error: "The run reached its limit of 1 tool calls." } };
    const limits = { ...defaultRunLimits, toolCalls: 1 };
    expect(stepAfter(toLook, { ...limits, toolCalls: 0 })).toMatchObject({ do: "end", nodeId: "look" });
    expect(stepAfter([...firstCall, prompted("look", 2), replied("look", 2)], limits)).toMatchObject(error);
  });

  test("of tool calls are the lower ones of the engine and the procedure", () => {
    const bounded = loadProcedure({ ...agentDocument, budgets: { run: { toolCalls: 1 } } });
    const second = [...firstCall, prompted("look", 2), replied("look", 2)];
    const reached = (calls: number) => ({
      do: "end",
      nodeId: "look",
      result: { status: "failed", error: `The run reached its limit of ${calls} tool calls.` },
    });
    expect(stepAfter(toLook, defaultRunLimits, bounded)).toMatchObject({ do: "prompt" });
    expect(stepAfter(second, defaultRunLimits, bounded)).toMatchObject(reached(1));
    expect(stepAfter(second, { ...defaultRunLimits, toolCalls: 0 }, bounded)).toMatchObject(reached(0));
  });

  test("of tool calls leave an agent its last text", () => {
    const limits = { ...defaultRunLimits, toolCalls: 1 };
    expect(stepAfter(firstCall, limits)).toMatchObject({ do: "prompt" });
    const done = [...firstCall, prompted("look", 2), replied("look", 2, reply(words))];
    expect(stepAfter(done, limits)).toMatchObject({ do: "judge" });
    const declines = reply({ type: "tool_call", toolCallId: "c2", toolName: declineTool("look"), input: "{}" });
    const declined = [...firstCall, prompted("look", 2), replied("look", 2, declines)];
    expect(stepAfter(declined, limits)).toMatchObject({ do: "judge" });
    expect(stepAfter([prompted("sort"), replied("sort")], { ...limits, toolCalls: 0 })).toMatchObject({ do: "judge" });
  });
});
