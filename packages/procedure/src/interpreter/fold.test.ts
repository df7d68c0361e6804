import type { JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { fold } from "./fold.ts";
import {
  approved,
  asked,
  call,
  cancelled,
  branchTaken,
  example,
  frozen,
  intent,
  ok,
  outcome,
  recovered,
  rejected,
  started,
  stateAfter,
  unknown,
} from "./example.fixture.ts";
import type { Entry } from "./journal.ts";

const small = branchTaken("small");
const large = branchTaken("large");
const error = { status: "error", error: { message: "no" } } as const;
const notStarted = { status: "error", error: { message: "stopped", code: "not_started" } } as const;
const expired: Entry = {
  type: "review_closed",
  atMs: 6,
  reviewId: "rev_1",
  answer: { status: "expired", decisions: [] },
};
const settled: Entry = { type: "review_closed", atMs: 6, reviewId: "rev_1", answer: { status: "settled" } };
const nodeFailed: Entry = {
  type: "node_failed",
  atMs: 6,
  nodeId: "pay",
  kind: "tool_call",
  visit: 1,
  error: { message: "guard" },
};

describe("the position of a run after its journal", () => {
  test.each<[string, readonly Entry[], object]>([
    ["it has started: at the node after the start", [], { at: "node", nodeId: "size" }],
    ["a condition chose: at that branch's node", [large], { at: "node", nodeId: "ask" }],
    ["the other branch", [small], { at: "node", nodeId: "check" }],
    ["an intent: calling", [small, intent("check")], { at: "calling", nodeId: "check", lost: false }],
    ["its owner was lost", [small, intent("check"), recovered], { at: "calling", lost: true }],
    ["an owner was lost with no call open", [small, recovered], { at: "node", nodeId: "check" }],
    [
      "a call succeeded: at the next node",
      [small, intent("check"), outcome("check", ok)],
      { at: "node", nodeId: "doubt" },
    ],
    [
      "one with an event succeeded",
      [large, asked("ask", "human_review"), approved, intent("pay"), outcome("pay", ok)],
      { at: "emit", nodeId: "pay" },
    ],
    [
      "to be retried",
      [small, intent("check"), outcome("check", error, { retryAtMs: 9 })],
      { at: "backoff", retryAtMs: 9, call: { frozen, call: 1, attempt: 2 } },
    ],
    [
      "tried again",
      [small, intent("check"), outcome("check", error, { retryAtMs: 9 }), intent("check", { attempt: 2 })],
      { at: "calling" },
    ],
    [
      "not started: the next attempt has the count",
      [
        small,
        intent("check"),
        outcome("check", notStarted, { retryAtMs: 9 }),
        intent("check", { attempt: 2, notStarted: 1 }),
        outcome("check", notStarted, { retryAtMs: 9, attempt: 2 }),
      ],
      { at: "backoff", retryAtMs: 9, call: { frozen, call: 1, attempt: 3, notStarted: 2 } },
    ],
    [
      "failed after one that was not started",
      [
        small,
        intent("check"),
        outcome("check", notStarted, { retryAtMs: 9 }),
        intent("check", { attempt: 2, notStarted: 1 }),
        outcome("check", error, { retryAtMs: 9, attempt: 2 }),
      ],
      { at: "backoff", call: { attempt: 3, notStarted: 1 } },
    ],
    [
      "failed without an error branch",
      [small, intent("check"), outcome("check", error)],
      { at: "failed", nodeId: "check", error: "no" },
    ],
    [
      "failed with one",
      [large, asked("ask", "human_review"), approved, intent("pay"), outcome("pay", error)],
      { at: "node", nodeId: "failed" },
    ],
    [
      "refused before it was sent",
      [large, asked("ask", "human_review"), approved, nodeFailed],
      { at: "node", nodeId: "failed" },
    ],
    ["unknown", [small, intent("check"), outcome("check", unknown)], { at: "unknown", reason: "cut", lost: false }],
    [
      "unknown because its owner was lost",
      [small, intent("check"), recovered, outcome("check", unknown)],
      { at: "unknown", lost: true },
    ],
    [
      "asked about",
      [small, intent("check"), outcome("check", unknown), asked("check", "outcome_unknown")],
      { at: "review", intent: intent("check") },
    ],
    [
      "approved without a result: once more",
      [small, intent("check"), outcome("check", unknown), asked("check", "outcome_unknown"), approved],
      { at: "ready", call: { frozen, call: 1, attempt: 2 } },
    ],
    [
      "rejected",
      [small, intent("check"), outcome("check", unknown), asked("check", "outcome_unknown"), rejected],
      { at: "failed", error: "no" },
    ],
    [
      "settled by a late answer",
      [
        small,
        intent("check"),
        outcome("check", unknown),
        asked("check", "outcome_unknown"),
        settled,
        outcome("check", ok),
      ],
      { at: "node", nodeId: "doubt" },
    ],
    ["a review", [large, asked("ask", "human_review")], { at: "review", nodeId: "ask" }],
    ["approved", [large, asked("ask", "human_review"), approved], { at: "node", nodeId: "pay" }],
    [
      "rejected by a person",
      [large, asked("ask", "human_review"), rejected],
      { at: "failed", nodeId: "ask", error: "no" },
    ],
    [
      "expired",
      [large, asked("ask", "human_review"), expired],
      { at: "failed", error: 'Review "Pay?" expired without a decision.' },
    ],
    [
      "a guard's review opened",
      [large, asked("ask", "human_review"), approved, asked("pay", "guard", { call })],
      { at: "review", nodeId: "pay" },
    ],
    [
      "and was approved",
      [large, asked("ask", "human_review"), approved, asked("pay", "guard", { call }), approved],
      { at: "ready", call: { frozen, call: 1, attempt: 1, approvedDigest: "call-digest" } },
    ],
    [
      "or was rejected, with a branch",
      [large, asked("ask", "human_review"), approved, asked("pay", "guard", { call }), rejected],
      { at: "node", nodeId: "rejected" },
    ],
    [
      "the end",
      [small, { type: "ended", atMs: 9, nodeId: "done", result: { status: "completed", output: {} } }],
      { at: "ended", result: { status: "completed" } },
    ],
    [
      "superseded news",
      [small, { type: "superseded", atMs: 9, effectKey: "x", body: {} }],
      { at: "node", nodeId: "check" },
    ],
    ["a cancel", [small, cancelled], { at: "node", nodeId: "check" }],
  ])("%s", (_name, entries, cursor) => {
    expect(stateAfter(...entries).cursor).toMatchObject(cursor);
  });
});

describe("the state of a run contains", () => {
  test("each node's latest result, and the error of a failed one", () => {
    const first = stateAfter(small, intent("check"), outcome("check", ok));
    expect(first.nodes["check"]).toEqual({ output: { id: 1 } });
    expect(first.nodes["size"]).toEqual({ output: { branch: "small" } });
    expect(first.nodes["pay"]).toEqual({});
    const failed = stateAfter(large, asked("ask", "human_review"), approved, intent("pay"), outcome("pay", error));
    expect(failed.nodes["pay"]).toEqual({ output: { error: "no" }, error: "no" });
    expect(failed.nodes["ask"]).toEqual({ output: { approved: true } });
  });

  test("the other service's reason for a refused call", () => {
    const after = (details: JsonValue) => {
      const result = { status: "error", error: { message: "no", details } } as const;
      const entries = [large, asked("ask", "human_review"), approved, intent("pay"), outcome("pay", result)];
      return stateAfter(...entries).nodes["pay"]?.errorDetails;
    };
    const answer = { status: 422, reason: "Over the limit.", body: { code: "limit" } };
    expect(after({ ...answer, more: 1 })).toEqual(answer);
    expect(after({ status: 404 })).toEqual({ status: 404 });
    expect(after({ status: "404", reason: 7 })).toBeUndefined();
    expect(after(["a", "list"])).toBeUndefined();
  });

  test("the outputs that a person entered", () => {
    const answer: Entry = {
      type: "review_closed",
      atMs: 6,
      reviewId: "rev_1",
      answer: { status: "approved", outputs: { n: 2 }, decisions: [] },
    };
    expect(stateAfter(large, asked("ask", "human_review"), answer).nodes["ask"]).toEqual({ output: { n: 2 } });
    const reported = stateAfter(
      small,
      intent("check"),
      outcome("check", unknown),
      asked("check", "outcome_unknown"),
      answer,
    );
    expect(reported.nodes["check"]).toEqual({ output: { n: 2 } });
    expect(reported.cursor).toEqual({ at: "node", nodeId: "doubt" });
  });

  test("visits and calls: the entries of one visit count once, attempts each", () => {
    const { visits, counts } = stateAfter(
      small,
      intent("check"),
      outcome("check", error, { retryAtMs: 9 }),
      intent("check", { attempt: 2 }),
      outcome("check", ok, { attempt: 2 }),
      intent("doubt"),
      outcome("doubt", ok),
      branchTaken("small", 2),
      recovered,
    );
    expect(visits).toMatchObject({ start: 1, size: 2, check: 1, doubt: 1 });
    expect(counts).toEqual({ nodeVisits: 5, toolCalls: 3, modelCalls: 0, tokens: 0, recoveries: 1, events: 0 });
  });

  test("the number of its published events", () => {
    const counted = (...entries: readonly Entry[]) => stateAfter(small, ...entries).counts.events;
    expect(counted(intent("check"), outcome("check", unknown))).toBe(0);
    expect(counted(intent("check"), outcome("check", unknown), asked("check", "outcome_unknown"))).toBe(1);
    expect(counted({ type: "ended", atMs: 9, result: { status: "failed", error: "no" } })).toBe(1);
  });

  test("no attempts that were not started among its tool calls", () => {
    const { counts } = stateAfter(
      small,
      intent("check"),
      outcome("check", notStarted, { retryAtMs: 9 }),
      intent("check", { attempt: 2, notStarted: 1 }),
    );
    expect(counts.toolCalls).toBe(1);
  });

  test("an approved call until the visit that it is for, and no longer", () => {
    const review = asked("ask", "human_review", { call });
    const waiting = stateAfter(large, review, approved);
    expect(waiting.approved["pay"]).toEqual({ frozen, digest: "call-digest", reviewId: "rev_1" });
    expect(stateAfter(large, review, approved, intent("pay")).approved).toEqual({});
    expect(stateAfter(large, review, approved, nodeFailed).approved).toEqual({});
    expect(stateAfter(large, review, rejected).approved).toEqual({});
  });

  test("the approval, over every attempt of the call", () => {
    const entries = [
      large,
      asked("ask", "human_review", { call }),
      approved,
      intent("pay", { approvedDigest: "call-digest" }),
    ];
    const again = stateAfter(...entries, outcome("pay", error, { retryAtMs: 9 }));
    expect(again.cursor).toMatchObject({ call: { attempt: 2, approvedDigest: "call-digest" } });
    const uncertainReason = stateAfter(...entries, outcome("pay", unknown), asked("pay", "outcome_unknown"), approved);
    expect(uncertainReason.cursor).toMatchObject({ at: "ready", call: { attempt: 2, approvedDigest: "call-digest" } });
  });

  test("the person who cancelled it", () => {
    expect(stateAfter({ ...cancelled, reason: "why" } as Entry).cancel).toEqual({ by: "ann", reason: "why" });
  });
});

describe("an entry that cannot follow", () => {
  test.each<[string, readonly Entry[], Entry]>([
    ["a second start", [], started],
    ["an outcome without an intent", [small], outcome("check", ok)],
    ["an outcome of another node", [small, intent("check")], outcome("doubt", ok)],
    ["an outcome of another attempt", [small, intent("check")], outcome("check", ok, { attempt: 2 })],
    ["a second outcome", [small, intent("check"), outcome("check", ok)], outcome("check", ok)],
    ["an answer without a review", [small], approved],
    ["an answer to another review", [large, asked("ask", "human_review", { reviewId: "rev_2" })], approved],
    ["a second answer", [large, asked("ask", "human_review"), approved], approved],
    ["a branch that the node does not have", [], branchTaken("huge")],
    [
      "an approval of a guard without its call",
      [large, asked("ask", "human_review"), approved, asked("pay", "guard")],
      approved,
    ],
  ])("is an error: %s", (_name, before, entry) => {
    const state = stateAfter(...before);
    expect(() => fold(example, state, entry)).toThrow();
  });

  test("and the earlier state is unchanged: folding mutates nothing", () => {
    const state = stateAfter(small, intent("check"));
    const copy = structuredClone(state);
    fold(example, state, outcome("check", ok));
    fold(example, state, recovered);
    expect(state).toEqual(copy);
  });
});
