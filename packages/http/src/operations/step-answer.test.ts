import { runStepSchema } from "@procedo/contract";
import type { AttemptRecord, CallRecord, StepRecord, TurnRecord } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { stepAnswer } from "./step-answer.ts";

const second = 1_000;
const at = (seconds: number): string => new Date(seconds * second).toISOString();

function step(more: Partial<StepRecord> = {}): StepRecord {
  return {
    nodeId: "pay",
    visit: 1,
    kind: "tool_call",
    status: "completed",
    startedAtMs: 10 * second,
    endedAtMs: 12 * second,
    input: undefined,
    output: undefined,
    error: undefined,
    reason: undefined,
    confidence: undefined,
    attempts: [],
    calls: [],
    reviews: [],
    turns: [],
    authorization: undefined,
    seq: 3,
    ...more,
  };
}

const turn: TurnRecord = {
  turn: 1,
  startedAtMs: 10 * second,
  endedAtMs: 11 * second,
  added: [
    { role: "system", text: "Pay." },
    { role: "tool", toolCallId: "c0", toolName: "pay", output: "No.", isError: true },
  ],
  asks: [
    { attempt: 1, modelId: "m", endedAtMs: 10 * second, latencyMs: 3, error: "Overloaded." },
    { attempt: 2, modelId: "m-1", endedAtMs: 11 * second, latencyMs: 640.5, error: undefined },
  ],
  reply: {
    modelId: "m-1",
    provider: "p.chat",
    responseId: "resp_1",
    content: [
      { type: "reasoning", text: "Hm.", providerMetadata: { p: { signature: "s" } } },
      { type: "text", text: "I pay." },
      { type: "tool_call", toolCallId: "c1", toolName: "pay", input: '{"amount":9007199254740993}' },
      { type: "tool_call", toolCallId: "c2", toolName: "pay", input: '{"amount":' },
    ],
    finishReason: "tool-calls",
    rawFinishReason: "tool_calls",
    usage: { inputTokens: 812, outputTokens: 45 },
    providerMetadata: { p: { cached: 5 } },
  },
  stop: "called",
};

function attempt(call: number, number: number): AttemptRecord {
  const exchange = { request: { method: "POST", url: `https://x.test/${call}`, headers: {} } };
  return {
    call,
    attempt: number,
    idempotencyKey: `key-${call}`,
    connection: "bank",
    action: "pay",
    startedAtMs: 0,
    endedAtMs: 1,
    outcome: "ok",
    message: undefined,
    retryAtMs: undefined,
    exchange,
  };
}

function call(number: number, more: Partial<CallRecord> = {}): CallRecord {
  return {
    call: number,
    arguments: { number },
    startedAtMs: 11 * second,
    endedAtMs: 12 * second,
    output: { id: number },
    error: undefined,
    ...more,
  };
}

/** The value as a client reads it from JSON. */
const answered = (more: Partial<StepRecord>) => runStepSchema.parse(JSON.parse(JSON.stringify(stepAnswer(step(more)))));

describe("a turn in an answer", () => {
  test("shows its messages, model, token usage and result", () => {
    expect(answered({ turns: [turn] }).turns).toEqual([
      {
        turn: 1,
        attempts: 2,
        modelId: "m-1",
        provider: "p.chat",
        messages: turn.added,
        reply: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "I pay." },
          { type: "tool_call", toolCallId: "c1", toolName: "pay", arguments: { amount: "9007199254740993" } },
          { type: "tool_call", toolCallId: "c2", toolName: "pay", arguments: '{"amount":' },
        ],
        finishReason: "tool-calls",
        rawFinishReason: "tool_calls",
        usage: { inputTokens: 812, outputTokens: 45 },
        latencyMs: 640.5,
        stop: "called",
        startedAt: at(10),
        completedAt: at(11),
      },
    ]);
  });

  test("omits a missing reply, and shows the error of a failed one", () => {
    const open = { ...turn, endedAtMs: undefined, reply: undefined, stop: undefined };
    const asked = { turn: 1, messages: turn.added, startedAt: at(10) };
    expect(answered({ turns: [{ ...open, asks: [] }] }).turns).toEqual([{ ...asked, attempts: 0 }]);
    expect(answered({ turns: [{ ...open, asks: turn.asks.slice(0, 1) }] }).turns).toEqual([
      { ...asked, attempts: 1, modelId: "m", latencyMs: 3, error: "Overloaded." },
    ]);
  });

  test("shows arguments that are nested too deep as the model's text", () => {
    const input = `${"[".repeat(65)}${"]".repeat(65)}`;
    const content = [{ type: "tool_call", toolCallId: "c1", toolName: "pay", input }] as const;
    const deep = { ...turn, ...(turn.reply && { reply: { ...turn.reply, content } }) };
    expect(answered({ turns: [deep] }).turns?.[0]?.reply).toMatchObject([{ arguments: input }]);
  });
});

describe("a step in an answer", () => {
  test("shows the connection that its call waits for, and no time of a next attempt", () => {
    const wait = { connection: "books", connectionId: "con_1", reason: "The authorization has ended." };
    const authorization = { ...wait, sinceMs: 11 * second, untilMs: 99 * second };
    const attempts = [{ ...attempt(1, 1), outcome: "unknown" as const, retryAtMs: 12 * second }];
    const held = answered({ status: "running", endedAtMs: undefined, attempts, authorization });
    expect(held.authorization).toEqual({ ...wait, since: at(11), until: at(99) });
    expect(held.retryAt).toBeUndefined();
  });

  test("omits turns without an agent, and the list of calls for a single call", () => {
    const plain = answered({ calls: [call(1)], attempts: [attempt(1, 1), attempt(1, 2)] });
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(["turns"]));
    expect(plain).toMatchObject({ attempts: 2, exchanges: [{ attempt: 1 }, { attempt: 2 }] });
    expect(plain.calls).toBeUndefined();
    expect(plain.exchanges?.[0]).not.toHaveProperty("call");
  });

  test("lists each attempt with its key, its outcome and the time of the next one", () => {
    const failed = { ...attempt(1, 1), outcome: "error", message: "Unavailable.", retryAtMs: 14 * second } as const;
    const { callAttempts } = answered({ calls: [call(1)], attempts: [failed, attempt(1, 2)] });
    expect(callAttempts).toMatchObject([
      { call: 1, attempt: 1, outcome: "error", message: "Unavailable.", retryAt: at(14) },
      { call: 1, attempt: 2, outcome: "ok", idempotencyKey: callAttempts?.[0]?.idempotencyKey },
    ]);
    expect(callAttempts?.[1]).not.toHaveProperty("exchange");
  });

  test("counts only attempts that were started", () => {
    const notStarted = { ...attempt(2, 1), outcome: "not_started" } as const;
    const attempts = [attempt(1, 1), notStarted];
    expect(answered({ calls: [call(1), call(2)], attempts })).toMatchObject({
      attempts: 1,
      calls: [{ attempts: 1 }, { attempts: 0 }],
    });
    expect(answered({ attempts: [notStarted] })).not.toHaveProperty("attempts");
  });

  test("lists several calls separately, with their attempts and exchanges", () => {
    const calls = [
      call(1),
      call(2, { output: undefined, error: "no" }),
      call(3, { endedAtMs: undefined, output: undefined }),
    ];
    const attempts = [attempt(1, 1), attempt(2, 1), attempt(2, 2), attempt(3, 1)];
    expect(answered({ calls, attempts })).toMatchObject({
      attempts: 4,
      calls: [
        { call: 1, attempts: 1, arguments: { number: 1 }, output: { id: 1 }, startedAt: at(11), completedAt: at(12) },
        { call: 2, attempts: 2, error: "no" },
        { call: 3, attempts: 1, startedAt: at(11) },
      ],
      exchanges: [
        { call: 1, attempt: 1 },
        { call: 2, attempt: 1 },
        { call: 2, attempt: 2 },
        { call: 3, attempt: 1 },
      ],
    });
  });

  test("shows the branch, reason and confidence of an answered question", () => {
    const output = { branch: "large", reason: "Too much." };
    expect(answered({ kind: "condition", output, reason: "Too much.", confidence: 0.9 })).toMatchObject({
      branch: "large",
      reason: "Too much.",
      confidence: 0.9,
    });
  });
});

test("a step that waits for a retry shows the time and reason of the retry", () => {
  const failed = {
    ...attempt(1, 1),
    outcome: "error",
    message: "Daily limit reached.",
    retryAtMs: 40 * second,
  } as const;
  const waiting = { status: "running", calls: [call(1, { endedAtMs: undefined, output: undefined })] } as const;
  expect(answered({ ...waiting, attempts: [failed] })).toMatchObject({
    retryAt: "1970-01-01T00:00:40.000Z",
    retryReason: "Daily limit reached.",
  });
  expect(answered({ ...waiting, attempts: [failed, attempt(1, 2)] })).not.toHaveProperty("retryAt");
});
