import { describe, expect, test } from "vitest";
import {
  agents,
  agentStateAfter,
  answer,
  concluded,
  gaveUp,
  prompted,
  proposal,
  replied,
  reply,
  toLook,
  toPay,
  unanswered,
  words,
} from "./agent.fixture.ts";
import { approved, asked, cancelled, frozen, intent, ok, outcome, recovered, rejected } from "./example.fixture.ts";
import { fold } from "./fold.ts";
import type { Entry, OpenReview } from "./journal.ts";

const error = { status: "error", error: { message: "no" } } as const;
const call = { ...frozen, nodeId: "look", digest: "call-digest" } as const;

/** A turn that proposes a call, and the call with its outcome. */
function called(turn: number, result: Parameters<typeof outcome>[1] = ok): readonly Entry[] {
  return [
    prompted("look", turn),
    replied("look", turn),
    intent("look", { call: turn }),
    outcome("look", result, { call: turn }),
  ];
}

describe("the position of a run within an agent's node", () => {
  test.each<[string, readonly Entry[], object]>([
    ["prompted: the model will be asked", [prompted("sort")], { at: "asking", nodeId: "sort", turn: 1, attempt: 1 }],
    ["… also by another owner", [prompted("sort"), recovered], { at: "asking", turn: 1, attempt: 1 }],
    ["replied: the reply will be judged", [prompted("sort"), replied("sort")], { at: "replied", nodeId: "sort" }],
    [
      "received feedback on a fault: asked again",
      [prompted("sort"), replied("sort"), prompted("sort", 2)],
      { at: "asking", turn: 2, attempt: 1 },
    ],
    [
      "the model could not answer: a later attempt",
      [prompted("sort"), unanswered("sort", 1, 99)],
      { at: "model_backoff", nodeId: "sort", turn: 1, attempt: 2, retryAtMs: 99 },
    ],
    [
      "and then answered",
      [prompted("sort"), unanswered("sort", 1, 99), replied("sort", 1, reply(), 2)],
      { at: "replied", nodeId: "sort" },
    ],
    [
      "or never answered: the run has failed",
      [prompted("sort"), unanswered("sort", 1, 99), unanswered("sort", 2)],
      { at: "failed", nodeId: "sort", error: "Too many requests." },
    ],
    [
      "which a call's error branch handles",
      [...toLook, prompted("look"), unanswered("look", 1)],
      { at: "node", nodeId: "failed" },
    ],
    ["answered: at the branch's node", toLook, { at: "node", nodeId: "look" }],
    ["given up", [prompted("sort"), gaveUp("sort")], { at: "failed", error: "No usable reply." }],
    [
      "its one call was made: at the next node",
      [...toPay, prompted("pay"), replied("pay"), intent("pay"), outcome("pay", ok)],
      { at: "node", nodeId: "sort" },
    ],
    [
      "one of several calls has its outcome: the agent will be informed",
      [...toLook, ...called(1)],
      { at: "answered", nodeId: "look" },
    ],
    ["… its failure too", [...toLook, ...called(1, error)], { at: "answered", nodeId: "look" }],
    [
      "… but no limit of the run",
      [...toLook, ...called(1, { status: "error", error: { message: "too large", code: "limit" } })],
      { at: "failed", error: "too large" },
    ],
    ["its last allowed call: finished", [...toLook, ...called(1), ...called(2), ...called(3)], { at: "emit" }],
    [
      "no further call proposed: finished",
      [...toLook, ...called(1), prompted("look", 2), replied("look", 2), concluded],
      { at: "emit", nodeId: "look" },
    ],
    [
      "it failed between calls",
      [...toLook, ...called(1), prompted("look", 2), replied("look", 2), gaveUp("look")],
      { at: "node", nodeId: "failed" },
    ],
  ])("%s", (_name, entries, cursor) => {
    expect(agentStateAfter(...entries).cursor).toMatchObject(cursor);
  });
});

describe("a conversation", () => {
  test("is the fold of its turns: the additions, and the reply as received", () => {
    const first = reply(words, { ...proposal, providerMetadata: { p: { signature: "x" } } });
    const { agent } = agentStateAfter(prompted("sort"), replied("sort", 1, first), prompted("sort", 2));
    expect(agent?.turns).toEqual([
      { added: prompted("sort").added, reply: first },
      { added: prompted("sort", 2).added, reply: undefined },
    ]);
  });

  test("belongs to one visit, however the node is left", () => {
    expect(agentStateAfter(...toPay).agent).toBeUndefined();
    expect(agentStateAfter(...toLook, prompted("look"), gaveUp("look")).agent).toBeUndefined();
    const asking = asked("look", "guard", { call });
    expect(agentStateAfter(...toLook, prompted("look"), replied("look"), asking, rejected).agent).toBeUndefined();
    const again = [
      ...toPay,
      prompted("pay"),
      replied("pay"),
      intent("pay"),
      outcome("pay", ok),
      prompted("sort", 1, 2),
    ];
    const state = agentStateAfter(...again);
    expect(state.agent?.turns).toHaveLength(1);
    expect(state.visits).toMatchObject({ sort: 2, pay: 1 });
  });

  test("counts its visit once, each attempt to ask, and the tokens of replies", () => {
    const { counts, visits, agent } = agentStateAfter(
      prompted("sort"),
      unanswered("sort", 1, 99),
      replied("sort", 1, reply(words), 2),
      prompted("sort", 2),
      replied("sort", 2),
    );
    expect(counts).toMatchObject({ nodeVisits: 2, modelCalls: 3, tokens: 220, toolCalls: 0 });
    expect(visits).toEqual({ start: 1, sort: 1 });
    expect(agent?.modelCalls).toBe(3);
  });

  test.each([NaN, -5, Infinity])("counts no tokens if a provider reports %d", (inputTokens) => {
    const odd = { ...reply(), usage: { inputTokens, outputTokens: 7.9 } };
    expect(agentStateAfter(prompted("sort"), replied("sort", 1, odd)).counts.tokens).toBe(7);
  });

  test("counts the requests that lost workers may have made, one per takeover", () => {
    const { counts, agent, cursor } = agentStateAfter(prompted("sort"), recovered, recovered, replied("sort"));
    expect(counts).toMatchObject({ modelCalls: 3, recoveries: 2, tokens: 110 });
    expect(agent?.modelCalls).toBe(3);
    expect(cursor).toMatchObject({ at: "replied" });
  });

  test("counts a lost attempt only from when it was due", () => {
    const due = (retryAtMs: number) =>
      agentStateAfter(prompted("sort"), unanswered("sort", 1, retryAtMs), recovered).counts.modelCalls;
    expect([due(recovered.atMs), due(recovered.atMs + 1)]).toEqual([2, 1]);
  });

  test("counts no attempt if the model was not asked", () => {
    for (const entries of [[], [prompted("sort"), replied("sort")], toLook]) {
      const before = agentStateAfter(...entries).counts.modelCalls;
      expect(agentStateAfter(...entries, recovered).counts.modelCalls).toBe(before);
    }
  });

  test("continues if the run is cancelled meanwhile: the reply is recorded", () => {
    expect(agentStateAfter(prompted("sort"), cancelled, replied("sort")).cursor).toMatchObject({ at: "replied" });
  });
});

describe("the output of an agent's node", () => {
  test("is the output of its call if it makes one", () => {
    const state = agentStateAfter(...toPay, prompted("pay"), replied("pay"), intent("pay"), outcome("pay", ok));
    expect(state.nodes["pay"]).toEqual({ output: { id: 1 } });
  });

  test("is each call with its result and the final text, if it may make several calls", () => {
    const two = [...toLook, ...called(1), ...called(2, error)];
    const calls = [
      { arguments: { n: 1 }, output: { id: 1 } },
      { arguments: { n: 1 }, error: "no" },
    ];
    const state = agentStateAfter(...two, prompted("look", 3), replied("look", 3), concluded);
    expect(state.nodes["look"]).toEqual({ output: { calls, text: "That is all." } });
    // The agent is not asked for a final text after its last call.
    const all = { calls: [...calls, calls[0]], text: "" };
    expect(agentStateAfter(...two, ...called(3)).nodes["look"]).toEqual({ output: all });
  });

  test("is the error, and the calls that were made before it", () => {
    const calls = [{ arguments: { n: 1 }, output: { id: 1 } }];
    const failed = agentStateAfter(...toLook, ...called(1), prompted("look", 2), gaveUp("look"));
    expect(failed.nodes["look"]).toEqual({ output: { error: "No usable reply.", calls }, error: "No usable reply." });
    const held = [prompted("look", 2), replied("look", 2), asked("look", "guard", { call }), rejected];
    expect(agentStateAfter(...toLook, ...called(1), ...held).nodes["look"]).toEqual({
      output: { error: "no", calls },
      error: "no",
    });
  });

  test("is the branch and the reason if it answered a question", () => {
    expect(agentStateAfter(...toLook).nodes["sort"]).toEqual({ output: { branch: "several", reason: "It fits." } });
  });

  test("is the error of the last call if all of them failed, even if the agent concludes", () => {
    const tooLate = { status: "error", error: { message: "too late" } } as const;
    const failed = [...toLook, ...called(1, error), ...called(2, tooLate)];
    const calls = [
      { arguments: { n: 1 }, error: "no" },
      { arguments: { n: 1 }, error: "too late" },
    ];
    const done = agentStateAfter(...failed, prompted("look", 3), replied("look", 3), concluded);
    expect(done).toMatchObject({ cursor: { at: "node", nodeId: "failed" }, agent: undefined });
    expect(done.nodes["look"]).toEqual({ output: { error: "too late", calls }, error: "too late" });
    const last = agentStateAfter(...failed, ...called(3, error));
    expect(last.cursor).toEqual({ at: "node", nodeId: "failed" });
    expect(last.nodes["look"]).toMatchObject({ error: "no", output: { calls: [{}, {}, { error: "no" }] } });
  });

  test("is a success as soon as one of its calls succeeded", () => {
    const state = agentStateAfter(...toLook, ...called(1), ...called(2, error), ...called(3, error));
    expect(state.cursor).toEqual({ at: "emit", nodeId: "look" });
  });
});

describe("a person's decision between several calls", () => {
  const held = [...toLook, ...called(1), prompted("look", 2), replied("look", 2)];

  test("approves the next call, not the first", () => {
    const state = agentStateAfter(...held, asked("look", "guard", { call }), approved);
    expect(state.cursor).toEqual({
      at: "ready",
      nodeId: "look",
      call: { frozen, call: 2, attempt: 1, approvedDigest: "call-digest" },
    });
    const after = agentStateAfter(
      ...held,
      asked("look", "guard", { call }),
      approved,
      intent("look", { call: 2, approvedDigest: "call-digest" }),
      outcome("look", ok, { call: 2 }),
    );
    expect(after).toMatchObject({ cursor: { at: "answered" }, agent: { calls: [{}, {}] } });
  });

  test("allows that call alone to exceed the shown limits", () => {
    const waived = asked("look", "guard", { call, waivesLimits: true });
    expect(agentStateAfter(...held, waived, approved).cursor).toMatchObject({ call: { waivesLimits: true } });
    expect(agentStateAfter(...held, asked("look", "guard", { call }), approved).cursor).not.toHaveProperty(
      "call.waivesLimits",
    );
  });

  test("settles a call of unknown outcome, and the agent is informed", () => {
    const lost = [intent("look", { call: 2 }), outcome("look", { status: "unknown", reason: "cut" }, { call: 2 })];
    const reported: Entry = {
      type: "review_closed",
      atMs: 6,
      reviewId: "rev_1",
      answer: { status: "approved", outputs: { n: 2 }, decisions: [] },
    };
    const state = agentStateAfter(...held, ...lost, asked("look", "outcome_unknown"), reported);
    expect(state.cursor).toEqual({ at: "answered", nodeId: "look" });
    expect(state.agent?.calls.at(-1)).toEqual({ arguments: { n: 1 }, result: { output: { n: 2 } } });
  });
});

describe("a call that is made again", () => {
  test("keeps its reservations", () => {
    const reserved = [{ budget: "sum/agents/pay/eur/run/run_1", amount: 5 }];
    const entries = [...toPay, prompted("pay"), replied("pay"), intent("pay", { reserved })];
    const retried = agentStateAfter(...entries, outcome("pay", error, { retryAtMs: 9 }));
    expect(retried.cursor).toMatchObject({ at: "backoff", call: { attempt: 2, reserved } });
  });
});

describe("a review of an agent's answer", () => {
  const proposed = { branch: "several", reason: "There are many.", confidence: 0.5 };
  const asking: Partial<OpenReview> = { proposed };
  const after = (outputs: object | undefined) =>
    agentStateAfter(prompted("sort"), replied("sort"), asked("sort", "question", asking), {
      type: "review_closed",
      atMs: 6,
      reviewId: "rev_1",
      answer: { status: "approved", decisions: [], ...(outputs === undefined ? {} : { outputs: { ...outputs } }) },
    });

  test.each<[string, object | undefined, string, object]>([
    ["agrees", undefined, "look", { branch: "several", reason: "There are many." }],
    ["agrees for another reason", { reason: "Said so." }, "look", { branch: "several", reason: "Said so." }],
    ["names the same branch", { branch: "several" }, "look", { branch: "several", reason: "There are many." }],
    ["chooses another one, without the agent's reason", { branch: "one" }, "pay", { branch: "one" }],
    ["takes another one and says why", { branch: "one", reason: "Few." }, "pay", { branch: "one", reason: "Few." }],
  ])("%s", (_name, outputs, nodeId, output) => {
    const state = after(outputs);
    expect(state.cursor).toEqual({ at: "node", nodeId });
    expect(state.nodes["sort"]).toEqual({ output });
    expect(state.agent).toBeUndefined();
  });

  test("rejects it, which fails the run", () => {
    const entries = [prompted("sort"), replied("sort"), asked("sort", "question", asking), rejected];
    expect(agentStateAfter(...entries).cursor).toMatchObject({ at: "failed", nodeId: "sort", error: "no" });
  });

  test("cannot name a branch that does not exist", () => {
    expect(() => after({ branch: "none" })).toThrow();
  });
});

describe("an entry that cannot follow", () => {
  test.each<[string, readonly Entry[], Entry]>([
    ["a reply without a request", [], replied("sort")],
    ["a reply of another turn", [prompted("sort")], replied("sort", 2)],
    ["a reply of another attempt", [prompted("sort")], replied("sort", 1, reply(), 2)],
    ["a reply of another node", [prompted("sort")], replied("look")],
    ["a second reply", [prompted("sort"), replied("sort")], replied("sort")],
    ["a prompt before the model has answered", [prompted("sort")], prompted("sort", 2)],
    ["a skipped turn", [prompted("sort"), replied("sort")], prompted("sort", 3)],
    ["a conversation without its beginning", [], prompted("sort", 2)],
    ["a prompt of another node", [prompted("sort"), replied("sort")], prompted("look", 2)],
    [
      "a prompt while a call is open",
      [...toLook, prompted("look"), replied("look"), intent("look")],
      prompted("look", 2),
    ],
    ["an end without a reply", [...toLook, prompted("look")], concluded],
    ["an end of another node", [prompted("sort"), replied("sort")], concluded],
    ["a call out of sequence", [...toLook, prompted("look"), replied("look")], intent("look", { call: 2 })],
    [
      "an outcome of another call",
      [...toLook, prompted("look"), replied("look"), intent("look")],
      outcome("look", ok, { call: 2 }),
    ],
    ["an answer without a branch", [prompted("sort"), replied("sort")], answer("none")],
  ])("is an error: %s", (_name, before, entry) => {
    const state = agentStateAfter(...before);
    expect(() => fold(agents, state, entry)).toThrow();
  });
});
