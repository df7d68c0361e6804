import type { Observe } from "@procedo/engine";
import type { Entry } from "@procedo/procedure";

/**
 * A run with a model retry, and a call with an uncertain outcome that a person then approves. It contains nearly every
 * type of entry.
 */
export const run: Parameters<Observe>[0] = {
  runId: "run_1",
  procedureId: "vendor-payment",
  procedureVersion: "1",
  environment: "sandbox",
  createdAt: "2026-01-01T00:00:00.000Z",
  startedBy: "ana",
};

/** Present in the run's data; must never appear in logs, metrics or spans. */
export const payload = "payload-canary";

const turn = { nodeId: "pay", visit: 1, turn: 1 } as const;
const call = { nodeId: "pay", visit: 1, call: 1 } as const;
const at = Date.parse(run.createdAt);

export const entries: readonly Entry[] = [
  { type: "started", atMs: at, input: { payload }, facts: run },
  { type: "branch_taken", atMs: at + 1, nodeId: "size", visit: 1, branch: "large" },
  { type: "prompted", atMs: at + 1, ...turn, wants: { calls: 1 }, added: [{ role: "user", text: payload }] },
  {
    type: "replied",
    atMs: at + 1,
    ...turn,
    attempt: 1,
    result: { status: "error", modelId: "m", error: { message: payload } },
    latencyMs: 1,
    retryAtMs: at + 1,
  },
  {
    type: "replied",
    atMs: at + 2,
    ...turn,
    attempt: 2,
    result: {
      status: "ok",
      reply: {
        modelId: "m",
        provider: "openai.chat",
        content: [{ type: "tool_call", toolCallId: "call_1", toolName: "post_payment", input: payload }],
        finishReason: "tool-calls",
        usage: { inputTokens: 100, outputTokens: 20 },
      },
    },
    latencyMs: 1,
  },
  {
    type: "intent",
    atMs: at + 2,
    ...call,
    attempt: 1,
    key: "key",
    frozen: {
      connection: "ledger",
      connectionId: "con_1",
      action: "post_payment",
      revision: "1",
      effect: "once",
      args: { payload },
    },
    sendByMs: at + 5_000,
    timeoutMs: 1_000,
  },
  { type: "outcome", atMs: at + 12, ...call, attempt: 1, result: { status: "unknown", reason: payload } },
  {
    type: "review_opened",
    atMs: at + 12,
    nodeId: "pay",
    visit: 1,
    review: {
      reviewId: "rev_1",
      kind: "outcome_unknown",
      title: payload,
      data: { payload },
      digest: "digest",
      effectKey: "effect",
      rules: { roles: [], people: [], approvals: 1, outputs: true },
    },
  },
  {
    type: "review_closed",
    atMs: at + 50,
    reviewId: "rev_1",
    answer: { status: "approved", outputs: { payload }, decisions: [] },
  },
  { type: "emitted", atMs: at + 50, nodeId: "pay", visit: 1, event: "custom.paid", payload: { payload } },
  { type: "node_failed", atMs: at + 51, nodeId: "end", kind: "end", visit: 1, error: { message: payload } },
  { type: "ended", atMs: at + 51, nodeId: "end", result: { status: "failed", error: payload } },
];
