import type { CompiledProcedure } from "../compiled.ts";
import { loadProcedure } from "../compile/compile-procedure.ts";
import { fold, initialState } from "./fold.ts";
import type { FrozenCall } from "./frozen-call.ts";
import type { ReviewOpened, Entry, Intent, OpenReview, Outcome, Started } from "./journal.ts";
import type { RunState } from "./state.ts";

/** A document with every kind of node and every branch, and the entries that move it. */
export const example: CompiledProcedure = loadProcedure({
  schemaVersion: 1,
  procedureId: "example",
  name: "Example",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "size", kind: "condition", branches: [{ name: "large", when: "input.amount > 10" }], otherwise: "small" },
    { id: "ask", kind: "human_review", title: "Pay?", covers: "pay" },
    { id: "pay", kind: "tool_call", connection: "bank", action: "pay", emit: { name: "paid" } },
    { id: "check", kind: "tool_call", connection: "bank", action: "check" },
    { id: "doubt", kind: "tool_call", connection: "bank", action: "doubt", onUnknownOutcome: "fail" },
    { id: "done", kind: "end" },
    { id: "failed", kind: "end" },
    { id: "rejected", kind: "end" },
  ],
  edges: [
    { from: "start", to: "size" },
    { from: "size", branch: "large", to: "ask" },
    { from: "size", branch: "small", to: "check" },
    { from: "ask", to: "pay" },
    { from: "pay", to: "done" },
    { from: "pay", branch: "error", to: "failed" },
    { from: "pay", branch: "rejected", to: "rejected" },
    { from: "check", to: "doubt" },
    { from: "doubt", to: "size" },
  ],
});

export const started: Started = {
  type: "started",
  atMs: 1,
  input: { amount: 11 },
  facts: {
    runId: "run_1",
    procedureId: "example",
    procedureVersion: "v1",
    environment: "sandbox",
    createdAt: "1970-01-01T00:00:00.001Z",
    startedBy: "ann",
  },
};

export const frozen: FrozenCall = {
  connection: "bank",
  connectionId: "con_1",
  action: "pay",
  revision: "r1",
  effect: "once",
  args: { n: 1 },
};

export function branchTaken(branch: string, visit = 1): Entry {
  return { type: "branch_taken", atMs: 2, nodeId: "size", visit, branch };
}

export function intent(
  nodeId: string,
  numbers: Partial<Pick<Intent, "attempt" | "notStarted" | "call" | "visit" | "approvedDigest" | "reserved">> = {},
): Intent {
  const { attempt = 1, call = 1, visit = 1, ...more } = numbers;
  return {
    type: "intent",
    atMs: 3,
    nodeId,
    visit,
    call,
    attempt,
    key: "k",
    frozen,
    sendByMs: 5_003,
    timeoutMs: 1_000,
    ...more,
  };
}

/** The same intent, dispatched to a client that polls. */
export function dispatched(nodeId: string): Intent {
  return { ...intent(nodeId), frozen: { ...frozen, dispatched: true } };
}

export function outcome(
  nodeId: string,
  result: Outcome["result"],
  more: Partial<Pick<Outcome, "attempt" | "call" | "retryAtMs" | "visit">> = {},
): Outcome {
  return { type: "outcome", atMs: 4, nodeId, visit: 1, call: 1, attempt: 1, result, ...more };
}

export function asked(nodeId: string, kind: OpenReview["kind"], more: Partial<OpenReview> = {}): ReviewOpened {
  return {
    type: "review_opened",
    atMs: 5,
    nodeId,
    visit: 1,
    review: {
      reviewId: "rev_1",
      kind,
      title: "Pay?",
      data: {},
      digest: "d",
      effectKey: "e",
      rules: { roles: [], people: [], approvals: 1, outputs: true },
      ...more,
    },
  };
}

export const call = { ...frozen, nodeId: "pay", digest: "call-digest" } as const;

export const approved: Entry = {
  type: "review_closed",
  atMs: 6,
  reviewId: "rev_1",
  answer: { status: "approved", decisions: [] },
};

export const rejected: Entry = {
  type: "review_closed",
  atMs: 6,
  reviewId: "rev_1",
  answer: { status: "rejected", reason: "no", decisions: [] },
};

export const cancelled: Entry = { type: "cancel_requested", atMs: 7, by: "ann" };

export const recovered: Entry = { type: "recovered", atMs: 7, workerId: "w2", epoch: 2 };

export const ok: Outcome["result"] = { status: "ok", output: { id: 1 } };

export const unknown: Outcome["result"] = { status: "unknown", reason: "cut" };

export function stateAfter(...entries: readonly Entry[]): RunState {
  return entries.reduce((state, entry) => fold(example, state, entry), initialState(example, started));
}
