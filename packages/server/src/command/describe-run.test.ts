import type { RunRecordView, StepRecord, TurnRecord } from "@procedo/engine";
import { expect, test } from "vitest";
import { describeRun } from "./describe-run.ts";

const usage = { inputTokens: 812, outputTokens: 45 };
const reply = { modelId: "m-1", provider: "p", content: [], finishReason: "tool-calls", usage };
const ask = { attempt: 1, modelId: "m-1", endedAtMs: 1_640, latencyMs: 639.6, error: undefined };

function turn(more: Partial<TurnRecord> = {}): TurnRecord {
  const times = { startedAtMs: 1_000, endedAtMs: 1_640 };
  return { turn: 1, ...times, added: [], asks: [ask], reply, stop: "called", ...more };
}

function described(more: Partial<StepRecord>): readonly string[] {
  const step: StepRecord = {
    nodeId: "pay",
    visit: 1,
    kind: "tool_call",
    status: "completed",
    startedAtMs: 1_000,
    endedAtMs: 2_000,
    input: { amount: 1 },
    output: { id: 1 },
    error: undefined,
    reason: undefined,
    confidence: undefined,
    attempts: [],
    calls: [],
    reviews: [],
    turns: [],
    authorization: undefined,
    seq: 2,
    ...more,
  };
  return describeRun(runWith([step])).map((line) => line.trim());
}

function runWith(steps: readonly StepRecord[]): RunRecordView {
  return {
    runId: "run_1",
    status: "completed",
    procedureId: "p",
    procedureVersion: "v1",
    environment: "sandbox",
    startedBy: "ann",
    reference: undefined,
    createdAtMs: 0,
    trigger: undefined,
    completedAtMs: 2_000,
    output: {},
    error: undefined,
    steps,
    archived: false,
  };
}

test("an agent's turn is one line with the model, latency, tokens and result", () => {
  expect(described({ turns: [turn()] })).toContain(
    "turn 1 at 1970-01-01T00:00:01.000Z: m-1, 640 ms, 812 + 45 tokens, finished by tool-calls → called",
  );
});

test("a turn shows the number of model calls and the reason of a failure", () => {
  const failed = { ...ask, attempt: 2, error: "Overloaded.\u001b[2J" };
  expect(described({ turns: [turn({ asks: [ask, failed], reply: undefined, stop: "failed" })] })).toContain(
    "turn 1 at 1970-01-01T00:00:01.000Z: m-1, 640 ms, asked 2 times → failed (Overloaded.\u{1b}[2J)",
  );
  expect(described({ turns: [turn({ asks: [], reply: undefined, stop: undefined })] })).toContain(
    "turn 1 at 1970-01-01T00:00:01.000Z → open",
  );
});

test("attempts name their call when a step has several", () => {
  const call = { arguments: {}, startedAtMs: 0, endedAtMs: 5, output: 1, error: undefined };
  const attempt = {
    attempt: 1,
    idempotencyKey: "k",
    connection: "bank",
    action: "pay",
    startedAtMs: 0,
    endedAtMs: 5,
    outcome: "ok",
    message: undefined,
    retryAtMs: undefined,
    exchange: undefined,
  } as const;
  const lines = described({
    calls: [
      { call: 1, ...call },
      { call: 2, ...call },
    ],
    attempts: [
      { call: 1, ...attempt },
      { call: 2, ...attempt },
    ],
  });
  expect(lines).toContain("call 2, attempt 1 at 1970-01-01T00:00:00.000Z: bank.pay → ok, 5 ms");
  const one = described({ calls: [{ call: 1, ...call }], attempts: [{ call: 1, ...attempt }] });
  expect(one).toContain("attempt 1 at 1970-01-01T00:00:00.000Z: bank.pay → ok, 5 ms");
});

test("a step shows the connection that its call waits for", () => {
  const wait = { connection: "books", connectionId: "con_1", reason: "It is not authorized yet." };
  const authorization = { ...wait, sinceMs: 1_000, untilMs: 2_000 };
  expect(described({ status: "running", endedAtMs: undefined, authorization })).toContain(
    "waits for connection books since 1970-01-01T00:00:01.000Z, until 1970-01-01T00:00:02.000Z: It is not authorized yet.",
  );
});

test("an answer shows the agent's confidence", () => {
  const lines = described({ kind: "condition", output: { branch: "a", reason: "It fits." }, confidence: 0.75 });
  expect(lines).toEqual(expect.arrayContaining(["confidence 0.75", 'out {"branch":"a","reason":"It fits."}']));
});

test("a run names what started it", () => {
  const scheduled = {
    kind: "schedule",
    triggerId: "trg_1",
    firingId: "fir_1",
    scheduledAt: "2026-11-26T05:30:00Z",
  } as const;
  expect(describeRun({ ...runWith([]), trigger: scheduled })).toContain(
    "Trigger: trg_1 (schedule), firing fir_1, scheduled for 2026-11-26T05:30:00Z",
  );
  expect(describeRun({ ...runWith([]), trigger: { kind: "manual" } })).toContain("Trigger: by hand");
  expect(describeRun(runWith([])).join()).not.toContain("Trigger");
});
