import type { Entry, Outcome, Prompted, Replied, ReplyPart } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { stepsOf } from "./run-record.ts";

type Fact = Entry extends infer One ? (One extends Entry ? Omit<One, "atMs"> : never) : never;

/** Each entry is 10 ms later than the previous one. */
function steps(...facts: readonly Fact[]) {
  const entries = facts.map((fact, index) => ({ seq: index + 1, entry: { atMs: (index + 1) * 10, ...fact } }));
  return stepsOf(entries);
}

const several = { calls: 2 } as const;

function prompted(turn = 1, wants: Prompted["wants"] = { calls: 1 }): Fact {
  return { type: "prompted", nodeId: "pay", visit: 1, turn, wants, added: [{ role: "user", text: `turn ${turn}` }] };
}

const proposal: ReplyPart = { type: "tool_call", toolCallId: "c1", toolName: "pay", input: "{}" };

function replied(turn = 1, more: Partial<Replied> = {}): Fact {
  const usage = { inputTokens: 100, outputTokens: 10 };
  const reply = { modelId: "m-1", provider: "p", content: [proposal], finishReason: "tool-calls", usage };
  const result = { status: "ok", reply } as const;
  return { type: "replied", nodeId: "pay", visit: 1, turn, attempt: 1, result, latencyMs: 7, ...more };
}

const busy = { status: "error", modelId: "m", error: { message: "Overloaded." } } as const;

function intent(call = 1, attempt = 1): Fact {
  const frozen = {
    connection: "bank",
    connectionId: "con_1",
    action: "pay",
    revision: "r",
    effect: "once",
    args: { call },
  } as const;
  const at = { nodeId: "pay", visit: 1, call, attempt, key: `key-${call}` };
  return { type: "intent", ...at, frozen, sendByMs: 0, timeoutMs: 0 };
}

function outcome(result: Outcome["result"], call = 1, attempt = 1, more: Partial<Outcome> = {}): Fact {
  return { type: "outcome", nodeId: "pay", visit: 1, call, attempt, result, ...more };
}

const ok = { status: "ok", output: { id: 1 } } as const;
const refused = { status: "error", error: { message: "no" } } as const;

function asked(kind: "guard" | "question" | "outcome_unknown", nodeId = "pay"): Fact {
  const rules = { roles: [], people: [], approvals: 1, outputs: true } as const;
  const proposed = { branch: "a", reason: "It fits.", confidence: 0.5 };
  const shown = { reviewId: "rev_1", title: "Pay?", data: { d: 1 }, digest: "g", effectKey: "k", rules };
  return {
    type: "review_opened",
    nodeId,
    visit: 1,
    review: { ...shown, kind, ...(kind === "question" && { proposed }) },
  };
}

function approved(outputs?: { readonly [name: string]: string }): Fact {
  const answer = { status: "approved", decisions: [], ...(outputs !== undefined && { outputs }) } as const;
  return { type: "review_closed", reviewId: "rev_1", answer };
}

const nodeFailed: Fact = {
  type: "node_failed",
  nodeId: "pay",
  kind: "tool_call",
  visit: 1,
  error: { message: "No usable reply." },
};
const cancelled: Fact = { type: "ended", nodeId: "pay", result: { status: "failed", error: "Cancelled by ann" } };

describe("the turns of a step", () => {
  test("have the messages, the model, the times and the usage", () => {
    const [step] = steps(prompted(), replied());
    expect(step).toMatchObject({ nodeId: "pay", kind: "tool_call", status: "running", startedAtMs: 10, seq: 2 });
    expect(step?.turns).toEqual([
      {
        turn: 1,
        startedAtMs: 10,
        endedAtMs: 20,
        added: [{ role: "user", text: "turn 1" }],
        asks: [{ attempt: 1, modelId: "m-1", endedAtMs: 20, latencyMs: 7, error: undefined }],
        reply: expect.objectContaining({ provider: "p", content: [proposal] }) as object,
        stop: undefined,
      },
    ]);
  });

  test("list each request to the model", () => {
    const waiting = steps(prompted(), replied(1, { result: busy, retryAtMs: 99 }));
    expect(waiting[0]).toMatchObject({ status: "running", turns: [{ endedAtMs: undefined, stop: undefined }] });
    const [step] = steps(prompted(), replied(1, { result: busy, retryAtMs: 99 }), replied(1, { attempt: 2 }));
    expect(step?.turns).toMatchObject([
      {
        endedAtMs: 30,
        asks: [
          { attempt: 1, modelId: "m", error: "Overloaded." },
          { attempt: 2, modelId: "m-1", error: undefined },
        ],
        reply: { finishReason: "tool-calls" },
      },
    ]);
  });

  test.each<[string, readonly Fact[], readonly (string | undefined)[]]>([
    ["its call was made", [prompted(), replied(), intent()], ["called"]],
    ["the model was asked for a correction", [prompted(), replied(), prompted(2)], ["corrected", undefined]],
    ["a person was asked first", [prompted(), replied(), asked("guard"), approved(), intent()], ["reviewed"]],
    ["the step failed", [prompted(), replied(), nodeFailed], ["failed"]],
    ["the model could not answer at all", [prompted(), replied(1, { result: busy })], ["failed"]],
    ["no model could be asked", [prompted(), nodeFailed], ["failed"]],
    ["the run ended in between", [prompted(), replied(), cancelled], [undefined]],
    [
      "the agent wanted no further call",
      [
        prompted(1, several),
        replied(),
        intent(),
        outcome(ok),
        prompted(2, several),
        replied(2),
        { type: "concluded", nodeId: "pay", visit: 1, text: "Done." },
      ],
      ["called", "concluded"],
    ],
    [
      "the agent answered",
      [
        prompted(1, "answer"),
        replied(),
        { type: "branch_taken", nodeId: "pay", visit: 1, branch: "a", reason: "It fits." },
      ],
      ["answered"],
    ],
  ])("show the consequence of a reply: %s", (_name, facts, stops) => {
    expect(steps(...facts)[0]?.turns.map(({ stop }) => stop)).toEqual(stops);
  });

  test("end the step with the error of a model that could not answer", () => {
    expect(steps(prompted(), replied(1, { result: busy }))[0]).toMatchObject({
      status: "failed",
      output: { error: "Overloaded." },
      error: "Overloaded.",
      turns: [{ endedAtMs: 20 }],
    });
  });
});

describe("the calls of a step", () => {
  test("are one for an agent that makes one call, whose output is the step's output", () => {
    const [step] = steps(prompted(), replied(), intent(), outcome(ok));
    expect(step).toMatchObject({
      status: "completed",
      input: { call: 1 },
      output: { id: 1 },
      calls: [{ call: 1, arguments: { call: 1 }, output: { id: 1 }, error: undefined, startedAtMs: 30, endedAtMs: 40 }],
    });
  });

  const first = [prompted(1, several), replied(), intent(1), outcome(refused, 1)];

  test("are listed separately, and leave the step open until the last call that its agent may make", () => {
    expect(steps(...first)[0]).toMatchObject({ status: "running", output: undefined, calls: [{ error: "no" }] });
    const second = [prompted(2, several), replied(2), intent(2), outcome(refused, 2, 1, { retryAtMs: 99 })];
    expect(steps(...first, ...second)[0]).toMatchObject({ status: "running", calls: [{}, { endedAtMs: undefined }] });
    const [step] = steps(...first, ...second, intent(2, 2), outcome(ok, 2, 2));
    expect(step).toMatchObject({
      status: "completed",
      input: { call: 2 },
      output: {
        calls: [
          { arguments: { call: 1 }, error: "no" },
          { arguments: { call: 2 }, output: { id: 1 } },
        ],
        text: "",
      },
      attempts: [
        { call: 1, attempt: 1, outcome: "error" },
        { call: 2, attempt: 1, outcome: "error" },
        { call: 2, attempt: 2, outcome: "ok" },
      ],
    });
  });

  test("are part of the output, beside the agent's last words", () => {
    const concluded: Fact = { type: "concluded", nodeId: "pay", visit: 1, text: "Done." };
    const made = [prompted(1, several), replied(), intent(1), outcome(ok, 1)];
    expect(steps(...made, prompted(2, several), replied(2), concluded)[0]).toMatchObject({
      status: "completed",
      output: { calls: [{ output: { id: 1 } }], text: "Done." },
      turns: [{}, { stop: "concluded" }],
    });
  });

  test("fail the step if none of them succeeded, regardless of the last words", () => {
    const concluded: Fact = { type: "concluded", nodeId: "pay", visit: 1, text: "Done." };
    const last = [prompted(2, several), replied(2), intent(2), outcome(refused, 2)];
    for (const facts of [[prompted(2, several), replied(2), concluded], last]) {
      expect(steps(...first, ...facts)[0]).toMatchObject({ status: "failed", error: "no", output: { error: "no" } });
    }
  });

  test("are listed beside the error of a step that failed after them, but not beside a single call's error", () => {
    expect(steps(...first, prompted(2, several), nodeFailed)[0]).toMatchObject({
      status: "failed",
      output: { error: "No usable reply.", calls: [{ arguments: { call: 1 }, error: "no" }] },
    });
    expect(steps(prompted(), replied(), intent(), outcome(refused))[0]?.output).toEqual({ error: "no" });
  });

  test("end with a run that is ended between two of them", () => {
    expect(steps(...first, cancelled)[0]).toMatchObject({ status: "failed", error: "Cancelled by ann" });
  });

  test("have the outcome that a person enters for an unknown one, and the step continues", () => {
    const lost = [intent(1), outcome({ status: "unknown", reason: "?" }), asked("outcome_unknown")];
    const open = [prompted(1, several), replied(), ...lost];
    expect(steps(...open)[0]).toMatchObject({ status: "awaiting_review" });
    expect(steps(...open, approved({ id: "seen" }))[0]).toMatchObject({
      status: "running",
      calls: [{ output: { id: "seen" } }],
    });
  });
});

describe("an answered question", () => {
  const branchTaken: Fact = {
    type: "branch_taken",
    nodeId: "sort",
    visit: 1,
    branch: "a",
    reason: "It fits.",
    confidence: 0.9,
  };
  const sorting = [
    { ...prompted(1, "answer"), nodeId: "sort" },
    { ...replied(), nodeId: "sort" },
  ] as Fact[];

  test("is a condition as of its first turn", () => {
    expect(steps(...sorting.slice(0, 1))[0]).toMatchObject({ kind: "condition", status: "running" });
  });

  test("has its branch, reason and confidence", () => {
    expect(steps(...sorting, branchTaken)[0]).toMatchObject({
      status: "completed",
      output: { branch: "a", reason: "It fits." },
      reason: "It fits.",
      confidence: 0.9,
    });
  });

  test("by a person has the agent's reason and confidence only if it is the agent's branch", () => {
    const asking = [...sorting, asked("question", "sort")];
    expect(steps(...asking)[0]).toMatchObject({
      status: "awaiting_review",
      input: undefined,
      reviews: [{ kind: "question", proposed: { branch: "a", confidence: 0.5 } }],
    });
    expect(steps(...asking, approved())[0]).toMatchObject({
      status: "completed",
      output: { branch: "a", reason: "It fits." },
      confidence: 0.5,
    });
    expect(steps(...asking, approved({ branch: "b" }))[0]).toMatchObject({
      status: "completed",
      output: { branch: "b" },
      reason: undefined,
      confidence: undefined,
    });
  });

  test("fails if it was rejected", () => {
    const rejected: Fact = {
      type: "review_closed",
      reviewId: "rev_1",
      answer: { status: "rejected", reason: "Neither.", decisions: [] },
    };
    expect(steps(...sorting, asked("question", "sort"), rejected)[0]).toMatchObject({
      status: "failed",
      output: { error: "Neither." },
      turns: [{ stop: "reviewed" }],
    });
  });
});
