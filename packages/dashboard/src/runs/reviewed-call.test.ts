import { describe, expect, test } from "vitest";
import { argumentsSent, canonicalText, reviewOfStep, sendingStep } from "./reviewed-call.ts";

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const step = (nodeId: string, visit: number, seconds: number, reviewId?: string) => ({
  nodeId,
  visit,
  startedAt: at(seconds),
  ...(reviewId !== undefined && { reviewId }),
});

const steps = [step("approve", 1, 1, "rev_1"), step("pay", 1, 5), step("approve", 2, 7, "rev_2"), step("pay", 2, 9)];
const nodes = [
  { id: "approve", kind: "human_review", title: "Pay?", covers: "pay" },
  { id: "pay", kind: "tool_call", connection: "bank", action: "pay" },
] as const;

test("a call shows the review that covers it, of the visit before", () => {
  const reviewOf = (index: number) => reviewOfStep(steps[index] ?? step("pay", 9, 9), steps, nodes);
  expect([0, 1, 2, 3].map(reviewOf)).toEqual(["rev_1", "rev_1", "rev_2", "rev_2"]);
  expect(reviewOfStep(step("pay", 1, 0), [step("pay", 1, 0), ...steps], nodes as never)).toBeUndefined();
});

describe("the call of an approved review is sent by", () => {
  const call = { nodeId: "pay", connection: "bank", action: "pay", effect: "once", arguments: {}, actionRevision: "r" };
  const review = { status: "approved", kind: "human_review", nodeId: "approve", requestedAt: at(7), call } as const;

  test("the next visit of the covered node", () => {
    expect(sendingStep(review as never, steps)).toEqual(step("pay", 2, 9));
  });

  test("the step that asked itself", () => {
    expect(sendingStep({ ...review, kind: "guard", nodeId: "pay", requestedAt: at(6) } as never, steps)).toEqual(
      step("pay", 1, 5),
    );
  });

  test.each(["open", "rejected", "expired"])("no step while it is %s", (status) => {
    expect(sendingStep({ ...review, status } as never, steps)).toBeUndefined();
  });
});

test("the arguments that were sent are those of the first call after the approval", () => {
  const attempt = { attempt: 1, idempotencyKey: "k", connection: "bank", action: "pay" };
  const calls = [1, 2].map((call) => ({ call, attempts: 1, arguments: { amount: call }, startedAt: at(call * 10) }));
  const callAttempts = [1, 2].map((call) => ({ ...attempt, call, startedAt: at(call * 10) }));
  expect(argumentsSent({ calls, callAttempts, input: { amount: 2 } }, 15_000)).toEqual({ amount: 2 });
  expect(argumentsSent({ input: { amount: 1 }, callAttempts: callAttempts.slice(0, 1) }, 5_000)).toEqual({ amount: 1 });
  expect(argumentsSent({ input: { amount: 1 } }, 0)).toBeUndefined();
});

test("equal values have one text, in whichever order their members are", () => {
  expect(canonicalText({ b: [{ d: 1, c: 2 }], a: "x" })).toBe(canonicalText({ a: "x", b: [{ c: 2, d: 1 }] }));
  expect(canonicalText([1, 2])).not.toBe(canonicalText([2, 1]));
  expect(canonicalText({ a: 1 })).not.toBe(canonicalText({ a: "1" }));
});
