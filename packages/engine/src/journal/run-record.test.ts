import type { Entry, OpenReview, Outcome, ReviewAnswer } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { stepsOf } from "./run-record.ts";

let clock = 0;
const tick = (): number => (clock += 10);

function started(): Entry {
  const facts = {
    runId: "run_1",
    procedureId: "p",
    procedureVersion: "v1",
    environment: "sandbox",
    createdAt: "",
    startedBy: "ann",
  } as const;
  return { type: "started", atMs: tick(), input: { n: 1 }, facts };
}

function intent(nodeId: string, numbers: { readonly visit?: number; readonly attempt?: number } = {}): Entry {
  const { visit = 1, attempt = 1 } = numbers;
  const frozen = {
    connection: "bank",
    connectionId: "con_1",
    action: "pay",
    revision: "r",
    effect: "once",
    args: { a: visit },
  } as const;
  return {
    type: "intent",
    atMs: tick(),
    nodeId,
    visit,
    call: 1,
    attempt,
    key: `key-${visit}`,
    frozen,
    sendByMs: 0,
    timeoutMs: 0,
  };
}

function outcome(
  nodeId: string,
  result: object,
  more: Partial<Pick<Outcome, "visit" | "attempt" | "retryAtMs" | "late" | "exchange">> = {},
): Entry {
  const { visit = 1, attempt = 1, ...rest } = more;
  return { type: "outcome", atMs: tick(), nodeId, visit, call: 1, attempt, result, ...rest } as Entry;
}

function asked(nodeId: string, kind: OpenReview["kind"], reviewId = "rev_1"): Entry {
  const rules = { roles: [], people: [], approvals: 1, outputs: true } as const;
  return {
    type: "review_opened",
    atMs: tick(),
    nodeId,
    visit: 1,
    review: { reviewId, kind, title: "Pay?", data: { d: 1 }, digest: "g", effectKey: "k", rules },
  };
}

function answered(answer: object, reviewId = "rev_1"): Entry {
  return {
    type: "review_closed",
    atMs: tick(),
    reviewId,
    answer: { decisions: [], ...answer } as unknown as ReviewAnswer,
  };
}

function ended(result: object, nodeId?: string): Entry {
  return { type: "ended", atMs: tick(), result, ...(nodeId === undefined ? {} : { nodeId }) } as Entry;
}

const ok = { status: "ok", output: { id: 1 } };
const failure = { status: "failed", error: "Cancelled by ann" };

function steps(...entries: readonly Entry[]) {
  return stepsOf([started(), ...entries].map((entry, index) => ({ seq: index + 1, entry }))).slice(1);
}

function brief(...entries: readonly Entry[]) {
  return steps(...entries).map(({ nodeId, status, output, error }) => [nodeId, status, output, error]);
}

describe("the steps of a journal", () => {
  test("the start has the run's data", () => {
    clock = 0;
    expect(stepsOf([{ seq: 1, entry: started() }])).toMatchObject([
      {
        nodeId: "start",
        kind: "start",
        status: "completed",
        input: { n: 1 },
        output: { n: 1 },
        startedAtMs: 10,
        endedAtMs: 10,
        seq: 1,
      },
    ]);
  });

  test("a call under way is running, and shows its arguments", () => {
    expect(steps(intent("a"))).toMatchObject([
      {
        nodeId: "a",
        kind: "tool_call",
        status: "running",
        input: { a: 1 },
        output: undefined,
        endedAtMs: undefined,
        attempts: [
          {
            attempt: 1,
            idempotencyKey: "key-1",
            connection: "bank",
            action: "pay",
            outcome: undefined,
            endedAtMs: undefined,
          },
        ],
      },
    ]);
  });

  test("failed attempts are listed beside the one that succeeded", () => {
    clock = 0;
    const [step] = steps(
      intent("a"),
      outcome("a", { status: "error", error: { message: "busy" } }, { retryAtMs: 99 }),
      intent("a", { attempt: 2 }),
      outcome("a", ok, { attempt: 2 }),
    );
    expect(step).toMatchObject({
      status: "completed",
      startedAtMs: 10,
      endedAtMs: 40,
      output: { id: 1 },
      attempts: [
        { attempt: 1, startedAtMs: 10, endedAtMs: 20, outcome: "error", message: "busy" },
        { attempt: 2, startedAtMs: 30, endedAtMs: 40, outcome: "ok", message: undefined },
      ],
      seq: 5,
    });
  });

  test("an attempt shows its exchange, even after a late answer without one", () => {
    const exchange = { request: { method: "GET", url: "https://x.test", headers: {} } };
    const entries = [intent("a"), outcome("a", { status: "unknown", reason: "?" }, { exchange })];
    expect(steps(...entries)[0]?.attempts[0]?.exchange).toEqual(exchange);
    const late = outcome("a", ok, { late: true });
    expect(steps(...entries, late)[0]?.attempts[0]).toMatchObject({ outcome: "ok", exchange });
  });

  test("between two attempts a step is running", () => {
    expect(
      brief(intent("a"), outcome("a", { status: "error", error: { message: "busy" } }, { retryAtMs: 99 })),
    ).toEqual([["a", "running", undefined, undefined]]);
  });

  test("a failed call has its message as output and error", () => {
    expect(brief(intent("a"), outcome("a", { status: "error", error: { message: "no" } }))).toEqual([
      ["a", "failed", { error: "no" }, "no"],
    ]);
  });

  test("an outcome that a person entered is the step's result", () => {
    const entries = [intent("a"), outcome("a", { status: "unknown", reason: "?" }), asked("a", "outcome_unknown")];
    expect(brief(...entries)).toEqual([["a", "awaiting_review", undefined, undefined]]);
    expect(brief(...entries, answered({ status: "approved", outputs: { seen: 1 } }))).toEqual([
      ["a", "completed", { seen: 1 }, undefined],
    ]);
    expect(
      brief(
        ...entries,
        answered({ status: "approved" }),
        intent("a", { attempt: 2 }),
        outcome("a", ok, { attempt: 2 }),
      ),
    ).toEqual([["a", "completed", { id: 1 }, undefined]]);
    expect(brief(...entries, answered({ status: "rejected", reason: "no" }))).toEqual([
      ["a", "failed", { error: "no" }, "no"],
    ]);
  });

  test("a late answer replaces the unknown outcome of its attempt", () => {
    const [step] = steps(
      intent("a"),
      outcome("a", { status: "unknown", reason: "?" }),
      asked("a", "outcome_unknown"),
      answered({ status: "settled" }),
      { ...outcome("a", ok), late: true } as Entry,
    );
    expect(step).toMatchObject({
      status: "completed",
      output: { id: 1 },
      attempts: [{ outcome: "ok" }],
      reviews: [{ answer: { status: "settled" } }],
    });
  });

  test("a guard's review belongs to the step that it blocks", () => {
    const entries = [asked("a", "guard")];
    expect(steps(...entries)).toMatchObject([
      { kind: "tool_call", status: "awaiting_review", reviews: [{ reviewId: "rev_1", kind: "guard", digest: "g" }] },
    ]);
    expect(brief(...entries, answered({ status: "approved" }), intent("a"), outcome("a", ok))).toEqual([
      ["a", "completed", { id: 1 }, undefined],
    ]);
    expect(steps(...entries, answered({ status: "approved" }), intent("a"))[0]).toMatchObject({
      status: "running",
      input: { a: 1 },
    });
    expect(brief(...entries, answered({ status: "rejected", reason: "no" }))).toEqual([
      ["a", "failed", { error: "no" }, "no"],
    ]);
  });

  test("a human review ends with its decision", () => {
    expect(brief(asked("r", "human_review"))).toEqual([["r", "awaiting_review", undefined, undefined]]);
    expect(brief(asked("r", "human_review"), answered({ status: "approved" }))).toEqual([
      ["r", "completed", { approved: true }, undefined],
    ]);
    expect(brief(asked("r", "human_review"), answered({ status: "approved", outputs: { x: 1 } }))).toEqual([
      ["r", "completed", { x: 1 }, undefined],
    ]);
    expect(
      brief(asked("r", "human_review"), answered({ status: "rejected", reason: "no" }), ended(failure, "r")),
    ).toEqual([["r", "failed", { error: "no" }, "no"]]);
    expect(brief(asked("r", "human_review"), answered({ status: "expired" }))[0]?.slice(0, 2)).toEqual(["r", "failed"]);
  });

  test("each visit is a step of its own", () => {
    const entries = [
      intent("a"),
      outcome("a", ok),
      intent("a", { visit: 2 }),
      outcome("a", { status: "error", error: { message: "no" } }, { visit: 2 }),
    ];
    expect(steps(...entries).map(({ nodeId, visit, status }) => [nodeId, visit, status])).toEqual([
      ["a", 1, "completed"],
      ["a", 2, "failed"],
    ]);
  });

  test("conditions and ends have their results as output", () => {
    const entries: readonly Entry[] = [
      { type: "branch_taken", atMs: tick(), nodeId: "c", visit: 1, branch: "large" },
      ended({ status: "completed", output: { o: 1 } }, "done"),
    ];
    expect(steps(...entries)).toMatchObject([
      { nodeId: "c", kind: "condition", status: "completed", output: { branch: "large" } },
      { nodeId: "done", kind: "end", status: "completed", output: { o: 1 } },
    ]);
  });

  test("a run that is ended from outside ends its current step", () => {
    expect(brief(intent("a"), outcome("a", { status: "unknown", reason: "?" }), ended(failure, "a"))).toEqual([
      ["a", "failed", undefined, "Cancelled by ann"],
    ]);
    expect(brief(asked("r", "human_review"), ended(failure, "r"))).toEqual([
      ["r", "failed", undefined, "Cancelled by ann"],
    ]);
  });

  test("a run that is ended from outside ends no completed step, and none that never began", () => {
    expect(brief(intent("a"), outcome("a", ok), ended(failure, "a"))).toEqual([
      ["a", "completed", { id: 1 }, undefined],
    ]);
    expect(brief(ended(failure, "a"))).toEqual([]);
    expect(brief(ended(failure))).toEqual([]);
  });
});
