import { describe, expect, test } from "vitest";
import { getRunQuerySchema, listRunsQuerySchema, runSchema, runStatuses, runSummarySchema } from "./runs.ts";

const at = "2026-01-31T09:30:00.000Z";
const facts = {
  runId: "run_1",
  statusUrl: "https://runner.test/runs/run_1",
  procedureId: "vendor-payment",
  procedureVersion: "v1",
  environment: "sandbox",
  startedBy: "ana",
  createdAt: at,
};
const review = { reviewId: "rev_1", digest: "d", title: "Pay?", data: { amount: 1 }, requestedAt: at };
const isRun = (value: object): boolean => runSchema.safeParse({ ...facts, ...value }).success;

test("a run is running, awaiting review, completed or failed; timeout is not a status of a run", () => {
  expect(runStatuses).toEqual(["running", "awaiting_review", "completed", "failed"]);
  expect(isRun({ status: "timeout" })).toBe(false);
  expect(isRun({ status: "cancelled", error: "Cancelled by ops." })).toBe(false);
});

describe("a polled run", () => {
  test("has its output when it completed, and only then", () => {
    expect(isRun({ status: "completed", output: {}, completedAt: at })).toBe(true);
    expect(isRun({ status: "completed", completedAt: at })).toBe(false);
    expect(isRun({ status: "running", output: {} })).toBe(false);
  });

  test("has its error when it failed, and only then", () => {
    expect(isRun({ status: "failed", error: "Rejected: too much.", completedAt: at })).toBe(true);
    expect(isRun({ status: "failed", completedAt: at })).toBe(false);
    expect(isRun({ status: "completed", output: {}, completedAt: at, error: "No." })).toBe(false);
  });

  test("has its open review while it waits for one", () => {
    expect(isRun({ status: "awaiting_review", review })).toBe(true);
    expect(isRun({ status: "running", review })).toBe(false);
  });

  test("belongs to sandbox or live", () => {
    expect(isRun({ status: "running", environment: "live" })).toBe(true);
    expect(isRun({ status: "running", environment: "production" })).toBe(false);
  });

  test("has times in ISO 8601 UTC", () => {
    for (const createdAt of ["2026-01-31", "2026-01-31T09:30:00", 1_769_851_800_000]) {
      expect(isRun({ status: "running", createdAt })).toBe(false);
    }
  });

  test("contains its steps with input, output, times and duration on request", () => {
    const step = {
      nodeId: "pay",
      kind: "tool_call",
      visit: 1,
      status: "failed",
      input: { amount: 1 },
      output: { error: "Card declined." },
      attempts: 4,
      startedAt: at,
      completedAt: at,
      durationMs: 12.5,
    };
    expect(isRun({ status: "running", steps: [step] })).toBe(true);
    expect(isRun({ status: "running", steps: [{ ...step, visit: 0 }] })).toBe(false);
    expect(isRun({ status: "running", steps: [{ ...step, worker: "w1" }] })).toBe(false);
  });
});

test("a step of a timeline has the sizes of its values in their place", () => {
  const step = { nodeId: "pay", kind: "tool_call", visit: 1, status: "completed", startedAt: at };
  const sized = { ...step, bytes: { input: 20, output: 0 }, hasTurns: false };
  expect(isRun({ status: "running", timeline: [sized] })).toBe(true);
  expect(isRun({ status: "running", timeline: [step] })).toBe(false);
  const call = { call: 1, attempts: 1, startedAt: at };
  expect(isRun({ status: "running", timeline: [{ ...sized, calls: [call] }] })).toBe(true);
  for (const large of [
    { input: 1 },
    { output: 1 },
    { turns: [] },
    { exchanges: [] },
    { calls: [{ ...call, arguments: {} }] },
  ]) {
    expect(isRun({ status: "running", timeline: [{ ...sized, ...large }] })).toBe(false);
  }
});

describe("an agent's step", () => {
  const turn = {
    turn: 1,
    attempts: 2,
    modelId: "m-1",
    provider: "p",
    messages: [
      { role: "system", text: "Pay." },
      { role: "user", text: "{}" },
      { role: "tool", toolCallId: "c0", toolName: "pay", output: { id: 1 }, isError: true },
    ],
    reply: [
      { type: "text", text: "I pay." },
      { type: "reasoning", text: "" },
      { type: "tool_call", toolCallId: "c1", toolName: "pay", arguments: { amount: 1 } },
      { type: "tool_call", toolCallId: "c2", toolName: "pay", arguments: "{" },
    ],
    finishReason: "tool-calls",
    rawFinishReason: "tool_calls",
    usage: { inputTokens: 100, outputTokens: 0 },
    latencyMs: 812.5,
    stop: "called",
    startedAt: at,
    completedAt: at,
  };
  const step = { nodeId: "pay", kind: "tool_call", visit: 1, status: "running", startedAt: at };
  const isStep = (more: object): boolean => isRun({ status: "running", steps: [{ ...step, ...more }] });

  test("contains its turns: messages, reply, usage and consequence", () => {
    expect(isStep({ turns: [turn] })).toBe(true);
    for (const stop of ["called", "corrected", "answered", "concluded", "reviewed", "failed"]) {
      expect(isStep({ turns: [{ ...turn, stop }] })).toBe(true);
    }
    const open = { turn: 1, attempts: 0, messages: [], startedAt: at };
    expect(isStep({ turns: [open] })).toBe(true);
    expect(isStep({ turns: [{ ...open, attempts: 1, modelId: "m", error: "Overloaded.", latencyMs: 0 }] })).toBe(true);
  });

  test.each<[string, object]>([
    ["a turn before the first", { turn: 0 }],
    ["an unknown stop", { stop: "paid" }],
    ["a message of another role", { messages: [{ role: "assistant", text: "" }] }],
    ["a part of another kind", { reply: [{ type: "image", url: "" }] }],
    ["provider metadata", { reply: [{ type: "text", text: "", providerMetadata: {} }] }],
    ["an invalid token count", { usage: { inputTokens: -1, outputTokens: 0.5 } }],
    ["a negative latency", { latencyMs: -1 }],
  ])("has no turn with %s", (_name, wrong) => {
    expect(isStep({ turns: [{ ...turn, ...wrong }] })).toBe(false);
  });

  test("lists several calls separately, and each exchange names its call", () => {
    const call = { call: 1, attempts: 1, arguments: {}, startedAt: at };
    const exchange = { attempt: 1, request: { method: "GET", url: "https://x.test", headers: {} } };
    expect(
      isStep({
        calls: [
          { ...call, output: null, completedAt: at },
          { ...call, call: 2, error: "no" },
        ],
      }),
    ).toBe(true);
    expect(isStep({ exchanges: [exchange, { call: 2, ...exchange }] })).toBe(true);
    expect(isStep({ calls: [{ ...call, call: 0 }] })).toBe(false);
    expect(isStep({ calls: [{ ...call, attempts: 0 }] })).toBe(true);
    expect(isStep({ calls: [{ ...call, attempts: -1 }] })).toBe(false);
  });

  test("has the reason of an answer to a question, and the agent's confidence", () => {
    expect(isStep({ kind: "condition", branch: "a", reason: "It fits.", confidence: 0.9 })).toBe(true);
    expect(isStep({ confidence: 1.1 })).toBe(false);
    expect(isStep({ confidence: -0.1 })).toBe(false);
  });
});

test("a run in a list contains no data", () => {
  expect(runSummarySchema.safeParse({ ...facts, status: "failed", error: "No.", completedAt: at }).success).toBe(true);
  expect(runSummarySchema.safeParse({ ...facts, status: "completed", output: {} }).success).toBe(false);
});

test("?include= accepts steps or the timeline", () => {
  expect(getRunQuerySchema.parse({})).toEqual({});
  expect(getRunQuerySchema.parse({ include: "timeline" })).toEqual({ include: "timeline" });
  expect(getRunQuerySchema.parse({ include: "steps" })).toEqual({ include: "steps" });
  expect(getRunQuerySchema.safeParse({ include: "journal" }).success).toBe(false);
});

describe("a list of runs", () => {
  test("is filtered by status, procedure and time, with any offset", () => {
    const query = {
      status: "failed,running,failed",
      procedureId: "p",
      from: "2026-01-01T00:00:00+05:30",
      to: at,
      limit: "10",
    };
    expect(listRunsQuerySchema.parse(query)).toEqual({ ...query, status: ["failed", "running"], limit: 10 });
  });

  test("accepts no other filter, status or form of time", () => {
    for (const query of [{ state: "failed" }, { status: "timeout" }, { from: "yesterday" }]) {
      expect(listRunsQuerySchema.safeParse(query).success).toBe(false);
    }
  });
});
