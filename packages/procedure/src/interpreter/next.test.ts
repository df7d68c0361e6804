import { describe, expect, test } from "vitest";
import {
  approved,
  asked,
  call,
  cancelled,
  branchTaken,
  example,
  dispatched,
  intent,
  ok,
  outcome,
  recovered,
  rejected,
  stateAfter,
  unknown,
} from "./example.fixture.ts";
import type { Entry } from "./journal.ts";
import { defaultRunLimits } from "./limits.ts";
import { next, resume } from "./next.ts";

const small = branchTaken("small");
const large = branchTaken("large");
const retry = outcome("check", { status: "error", error: { message: "busy" } }, { retryAtMs: 99 });

function stepAfter(entries: readonly Entry[], limits = defaultRunLimits) {
  return next(example, stateAfter(...entries), limits);
}

describe("the next step", () => {
  test.each<[string, readonly Entry[], object]>([
    ["a condition is evaluated", [], { do: "choose", node: { id: "size" }, visit: 1 }],
    [
      "its second visit is a new one",
      [small, intent("check"), outcome("check", ok), intent("doubt"), outcome("doubt", ok)],
      { do: "choose", visit: 2 },
    ],
    ["a call is proposed", [small], { do: "propose", node: { id: "check" }, visit: 1, approved: undefined }],
    ["a call whose intent is durable is made", [small, intent("check")], { do: "call", intent: intent("check") }],
    [
      "a call whose owner is lost is reconsidered, not made",
      [small, intent("check"), recovered],
      { do: "reconsider", intent: intent("check") },
    ],
    [
      "a dispatched call is awaited, by any owner",
      [small, dispatched("check"), recovered],
      { do: "await", intent: dispatched("check"), cancelled: false },
    ],
    [
      "… and withdrawn when the run is cancelled",
      [small, dispatched("check"), cancelled],
      { do: "await", node: { id: "check" }, cancelled: true },
    ],
    [
      "an uncertain answer is reviewed, because no other answer can arrive",
      [small, dispatched("check"), outcome("check", { status: "unknown", reason: "cut", answered: true })],
      { do: "ask_outcome", reason: "cut", answered: true, notBeforeMs: undefined },
    ],
    ["a backoff waits", [small, intent("check"), retry], { do: "wait", untilMs: 99, review: undefined }],
    ["a review is opened", [large], { do: "ask", node: { id: "ask" }, visit: 1, covered: { id: "pay" } }],
    ["an open review waits indefinitely", [large, asked("ask", "human_review")], { do: "wait", untilMs: undefined }],
    [
      "or until it expires",
      [
        large,
        asked("ask", "human_review", {
          rules: { roles: [], people: [], approvals: 1, outputs: true, expiresAtMs: 77 },
        }),
      ],
      { do: "wait", untilMs: 77 },
    ],
    [
      "a covered call is proposed as approved",
      [large, asked("ask", "human_review", { call }), approved],
      { do: "propose", approved: { digest: "call-digest", reviewId: "rev_1" } },
    ],
    [
      "an approved guard's call is sent as frozen",
      [large, asked("ask", "human_review"), approved, asked("pay", "guard", { call }), approved],
      { do: "intend", visit: 1, call: { attempt: 1, approvedDigest: "call-digest" } },
    ],
    [
      "a call whose function requires a review is sent as frozen, once approved",
      [large, asked("ask", "human_review"), approved, asked("pay", "function", { call }), approved],
      { do: "intend", visit: 1, call: { attempt: 1, approvedDigest: "call-digest" } },
    ],
    [
      "and leaves by the rejected branch, once rejected",
      [large, asked("ask", "human_review"), approved, asked("pay", "function", { call }), rejected],
      { do: "finish", node: { id: "rejected" } },
    ],
    [
      "an event is emitted",
      [large, asked("ask", "human_review"), approved, intent("pay"), outcome("pay", ok)],
      { do: "emit", node: { id: "pay" }, visit: 1 },
    ],
    [
      "an end is rendered",
      [large, asked("ask", "human_review"), approved, asked("pay", "guard", { call }), rejected],
      { do: "finish", node: { id: "rejected" } },
    ],
    [
      "a failure is recorded",
      [large, asked("ask", "human_review"), rejected],
      { do: "end", result: { status: "failed", error: "no" }, nodeId: "ask" },
    ],
    [
      "an unknown outcome is reviewed at once",
      [small, intent("check"), outcome("check", unknown)],
      { do: "ask_outcome", reason: "cut", notBeforeMs: undefined },
    ],
    [
      "one whose owner was lost waits: its answer may arrive until the call's time is over",
      [small, intent("check"), recovered, outcome("check", unknown)],
      { do: "wait", untilMs: 4 + 2 * 5_000, review: undefined },
    ],
    [
      "or fails if the procedure says so",
      [small, intent("check"), outcome("check", ok), intent("doubt"), outcome("doubt", unknown)],
      { do: "end", result: { status: "failed", error: 'It is not known whether "doubt" did its work: cut' } },
    ],
    [
      "after the end there is no step",
      [{ type: "ended", atMs: 1, result: { status: "failed", error: "x" } }],
      { do: "done", result: { error: "x" } },
    ],
  ])("%s", (_name, entries, step) => {
    expect(stepAfter(entries)).toMatchObject(step);
  });

  test("after a backoff is the next attempt", () => {
    const state = stateAfter(small, intent("check"), retry);
    expect(resume(example, state, defaultRunLimits)).toMatchObject({ do: "intend", visit: 1, call: { attempt: 2 } });
  });

  test("after the loss of a call's owner is a review, once its answer can no longer arrive", () => {
    const state = stateAfter(small, intent("check"), recovered, outcome("check", unknown));
    expect(resume(example, state, defaultRunLimits)).toMatchObject({ do: "ask_outcome", notBeforeMs: 4 + 2 * 5_000 });
  });

  test("is otherwise unchanged", () => {
    const state = stateAfter(small);
    expect(resume(example, state, defaultRunLimits)).toEqual(next(example, state, defaultRunLimits));
  });
});

describe("a cancelled run", () => {
  const end = { do: "end", result: { status: "failed", error: "Cancelled by ann" } };

  test.each<[string, readonly Entry[], object]>([
    ["ends at a node", [small, cancelled], { ...end, nodeId: "check" }],
    ["ends in a backoff", [small, intent("check"), retry, cancelled], end],
    ["ends in a review", [large, asked("ask", "human_review"), cancelled], end],
    [
      "ends before its event",
      [large, asked("ask", "human_review"), approved, intent("pay"), outcome("pay", ok), cancelled],
      end,
    ],
    ["ends when the outcome is known", [small, intent("check"), cancelled, outcome("check", ok)], end],
    ["ends without a review if it is unknown", [small, intent("check"), cancelled, outcome("check", unknown)], end],
    ["waits for a call in progress", [small, intent("check"), cancelled], { do: "call" }],
    ["reconsiders a call whose owner is lost", [small, intent("check"), cancelled, recovered], { do: "reconsider" }],
    [
      "waits for the answer to a call whose owner was lost, as long as it can arrive",
      [small, intent("check"), recovered, outcome("check", unknown), cancelled],
      { do: "wait", review: undefined },
    ],
    [
      "fails with the recorded error",
      [large, asked("ask", "human_review"), rejected, cancelled],
      { do: "end", result: { error: "no" } },
    ],
  ])("%s", (_name, entries, step) => {
    expect(stepAfter(entries)).toMatchObject(step);
  });

  test("does not start another attempt", () => {
    expect(resume(example, stateAfter(small, intent("check"), retry, cancelled), defaultRunLimits)).toMatchObject(end);
  });

  test("ends without a review once the answer to a lost call can no longer arrive", () => {
    const state = stateAfter(small, intent("check"), recovered, outcome("check", unknown), cancelled);
    expect(resume(example, state, defaultRunLimits)).toMatchObject(end);
  });

  test("states the reason", () => {
    const reasoned: Entry = { type: "cancel_requested", atMs: 1, by: "ann", reason: "duplicate" };
    expect(stepAfter([reasoned])).toMatchObject({ result: { error: "Cancelled by ann: duplicate" } });
  });
});

describe("limits", () => {
  test("of node visits end the run at the first node beyond them, and name themselves", () => {
    expect(stepAfter([small], { ...defaultRunLimits, nodeVisits: 2 })).toMatchObject({
      do: "end",
      nodeId: "check",
      result: { error: "The run reached its limit of 2 node visits." },
    });
    expect(stepAfter([small], { ...defaultRunLimits, nodeVisits: 3 })).toMatchObject({ do: "propose" });
  });

  test("of tool calls end it before the call and before the retry", () => {
    const limits = { ...defaultRunLimits, toolCalls: 1 };
    const error = { do: "end", result: { error: "The run reached its limit of 1 tool calls." } };
    expect(stepAfter([small, intent("check"), outcome("check", ok)], limits)).toMatchObject(error);
    expect(resume(example, stateAfter(small, intent("check"), retry), limits)).toMatchObject(error);
    expect(stepAfter([small, intent("check")], limits)).toMatchObject({ do: "call" });
  });

  test("of tool calls never end it while a call may have had an effect: the repetition that a person requested is made", () => {
    const limits = { ...defaultRunLimits, toolCalls: 1 };
    const uncertainReason = [
      small,
      intent("check"),
      outcome("check", unknown),
      asked("check", "outcome_unknown"),
      approved,
    ];
    expect(stepAfter(uncertainReason, limits)).toMatchObject({ do: "intend" });
  });

  test("keep their defaults unless they are set", () => {
    expect(defaultRunLimits).toEqual({
      nodeVisits: 200,
      toolCalls: 100,
      modelCalls: 50,
      tokens: 200_000,
      stepBytes: 4_194_304,
      runBytes: 33_554_432,
      depth: 64,
    });
  });
});
