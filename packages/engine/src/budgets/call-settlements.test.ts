import type { SumLimit } from "@procedo/contract";
import {
  initialState,
  type AgentState,
  type CompiledProcedure,
  type Cursor,
  type Entry,
  type Intent,
  type OpenReview,
  type RunState,
} from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { callKey } from "../journal/effect-keys.ts";
import { boundedProcedure, facts } from "./bounded.fixture.ts";
import { reservationKey, settledBy } from "./call-settlements.ts";

const limit: SumLimit = { name: "total", sum: "args.amount", atMost: 100, per: "run" };
const bounded = boundedProcedure([limit]);
const byAgent = boundedProcedure([limit], { pay: { instructions: "Pay.", maxCalls: 3 } });

const atMs = 9;
const frozen = { args: { amount: 7 } } as unknown as Intent["frozen"];
const reserved = [{ budget: "sum/vendor-payment/pay/total/run/run_1", amount: 7 }];

/** A run at its second visit of `pay`, or about to begin it. */
function stateAt(cursor: Cursor, more: Partial<RunState> = {}, procedure = bounded): RunState {
  const begun = initialState(procedure, { type: "started", atMs: 1, input: {}, facts });
  const visit = cursor.at === "node" ? 1 : 2;
  return { ...begun, visits: { start: 1, pay: visit, tell: visit }, cursor, ...more };
}

function intentOf(more: Partial<Intent> = {}): Intent {
  const key = callKey("run_1", "pay", 2, more.call ?? 1);
  const numbered = { type: "intent", atMs, nodeId: "pay", visit: 2, call: 1, attempt: 1 } as const;
  return { ...numbered, key, frozen, reserved, sendByMs: 9, timeoutMs: 9, ...more };
}

function outcome(result: "ok" | "error" | "unknown", more: object = {}): Entry {
  const of = { type: "outcome", atMs, nodeId: "pay", visit: 2, call: 1, attempt: 1 } as const;
  switch (result) {
    case "ok":
      return { ...of, result: { status: "ok", output: {} }, ...more };
    case "error":
      return { ...of, result: { status: "error", error: { message: "No." } }, ...more };
    case "unknown":
      return { ...of, result: { status: "unknown", reason: "Cut." }, ...more };
  }
}

const nodeFailed: Entry = {
  type: "node_failed",
  atMs,
  nodeId: "pay",
  kind: "tool_call",
  visit: 2,
  error: { message: "No." },
};
const ended: Entry = { type: "ended", atMs, result: { status: "failed", error: "Cancelled." } };
const prompted: Entry = { type: "prompted", atMs, nodeId: "pay", visit: 2, turn: 3, wants: { calls: 3 }, added: [] };

function answered(status: "approved" | "rejected" | "expired" | "cancelled"): Entry {
  const answer = { status, reason: "No.", decisions: [] } as never;
  return { type: "review_closed", atMs, reviewId: "rev_1", answer };
}

function review(kind: OpenReview["kind"], held = true): OpenReview {
  return { reviewId: "rev_1", kind, ...(held && { call: { ...frozen, nodeId: "pay", digest: "d" } }) } as never;
}

function agentAt(turns: number, calls: number): AgentState {
  const turn = { added: [], reply: undefined };
  const call = { arguments: {}, result: { output: 1 } };
  return { turns: Array(turns).fill(turn) as [], calls: Array(calls).fill(call) as [], modelCalls: turns };
}

const keyOf = (call: number, visit = 2): string => `call:${callKey("run_1", "pay", visit, call)}`;
const nothingOf = (key: string) => ({ key, spent: "nothing" });

const node: Cursor = { at: "node", nodeId: "pay" };
const calling: Cursor = { at: "calling", nodeId: "pay", intent: intentOf(), lost: false };
const unknown: Cursor = { at: "unknown", nodeId: "pay", intent: intentOf(), reason: "Cut.", atMs: 1, lost: true };
const held: Cursor = { at: "review", nodeId: "pay", review: review("guard") };
const inDoubt: Cursor = { at: "review", nodeId: "pay", review: review("outcome_unknown", false), intent: intentOf() };
const replied: Cursor = { at: "replied", nodeId: "pay" };

function ready(attempt: number, more: object = {}): Cursor {
  return { at: "ready", nodeId: "pay", call: { frozen, call: 1, attempt, ...more } };
}
function backoff(attempt: number, more: object = {}): Cursor {
  const call = { frozen, call: 1, attempt, ...more };
  return { at: "backoff", nodeId: "pay", call, failedAtMs: 1, retryAtMs: 9, failed: intentOf() };
}
describe("the reservation of a call is released", () => {
  test.each<[string, Cursor, Entry]>([
    ["when its last attempt certainly failed", calling, outcome("error")],
    ["when a late answer says that it failed", unknown, outcome("error", { late: true })],
    [
      "when a late answer says that it failed, before it is repeated",
      backoff(2, { uncertainReason: "Cut." }),
      outcome("error", { late: true }),
    ],
    ["when the node fails before its intent, for which an earlier owner may have reserved", node, nodeFailed],
    ["when the run ends before its intent", node, ended],
    ["when an approved call is not made after all", ready(1), nodeFailed],
    ["when the run ends between the approval and the intent", ready(1), ended],
    ["when the run ends between attempts that certainly failed", backoff(2, { reserved }), ended],
    ["when the next attempt may not be made", ready(2, { reserved }), nodeFailed],
    ["when people reject it", held, answered("rejected")],
    ["when its review expires", held, answered("expired")],
    ["when its review is cancelled", held, answered("cancelled")],
    ["when the run ends while its review is open", held, ended],
  ])("%s", (_name, cursor, entry) => {
    const expected = cursor.at === "node" ? keyOf(1, 2) : keyOf(1);
    expect(settledBy(bounded, stateAt(cursor), entry)).toEqual(nothingOf(expected));
  });

  test.each<[string, Cursor, Entry]>([
    ["when the agent is asked to correct its reply", replied, prompted],
    ["when the node fails because of the reply", replied, nodeFailed],
    ["when the run ends before it is judged", replied, ended],
    ["when people reject it", held, answered("rejected")],
  ])("for the call that an agent proposes, under the key of its turn, %s", (_name, cursor, entry) => {
    const agent = agentAt(3, 2);
    expect(settledBy(byAgent, stateAt(cursor, { agent }, byAgent), entry)).toEqual(nothingOf(`${keyOf(3)}:3`));
  });

  test("for an agent's call that certainly failed, under the key of the turn that proposed it", () => {
    const cursor: Cursor = { at: "calling", nodeId: "pay", intent: intentOf({ call: 3 }), lost: false };
    const before = stateAt(cursor, { agent: agentAt(4, 2) }, byAgent);
    expect(settledBy(byAgent, before, outcome("error", { call: 3 }))).toEqual(nothingOf(`${keyOf(3)}:4`));
  });
});

describe("the reservation of a call is kept", () => {
  test.each<[string, Cursor, Entry]>([
    ["when it was made", calling, outcome("ok")],
    ["when its outcome is unknown", calling, outcome("unknown")],
    ["when it is repeated", calling, outcome("error", { retryAtMs: 9 })],
    ["when it is repeated after an unknown outcome", calling, outcome("unknown", { retryAtMs: 9 })],
    ["when the run ends with an unknown outcome", unknown, ended],
    ["when people reject a call of unknown outcome", inDoubt, answered("rejected")],
    ["when people enter its outcome", inDoubt, answered("approved")],
    ["when a run with an unknown outcome is cancelled", inDoubt, answered("cancelled")],
    [
      "when the run ends between attempts, one of them uncertain",
      backoff(2, { reserved, uncertainReason: "Cut." }),
      ended,
    ],
    [
      "when an attempt after an uncertain one may not be made",
      ready(2, { reserved, uncertainReason: "Cut." }),
      nodeFailed,
    ],
    ["when people approve it", held, answered("approved")],
    [
      "when its review is opened",
      node,
      { type: "review_opened", atMs, nodeId: "pay", visit: 2, review: review("guard") },
    ],
    ["when its intent is written", node, intentOf()],
    ["when the event after its success cannot be rendered", { at: "emit", nodeId: "pay" }, nodeFailed],
    ["when another owner takes the run over", node, { type: "recovered", atMs, workerId: "w", epoch: 2 }],
    ["when a cancel is requested", calling, { type: "cancel_requested", atMs, by: "ann" }],
    ["when the run has ended before", { at: "failed", nodeId: "pay", error: "No." }, ended],
  ])("%s", (_name, cursor, entry) => {
    expect(settledBy(bounded, stateAt(cursor), entry)).toBeUndefined();
  });

  test("when its agent concludes, or is asked for the first time", () => {
    const concluded: Entry = { type: "concluded", atMs, nodeId: "pay", visit: 2, text: "Done." };
    const reported = stateAt(replied, { agent: agentAt(3, 2) }, byAgent);
    expect(settledBy(byAgent, reported, concluded)).toBeUndefined();
    expect(settledBy(byAgent, stateAt(node, {}, byAgent), prompted)).toBeUndefined();
    expect(settledBy(byAgent, stateAt(node, {}, byAgent), nodeFailed)).toBeUndefined();
  });
});

describe("a node without limits", () => {
  const tell = (cursor: Cursor): Cursor => ({ ...cursor, nodeId: "tell" }) as Cursor;

  test.each<[string, Cursor, Entry]>([
    ["fails", node, nodeFailed],
    ["ends the run", node, ended],
    ["is rejected", held, answered("rejected")],
    ["may not be made", ready(1), nodeFailed],
    ["may not be made again", ready(2), nodeFailed],
  ])("settles nothing when it %s", (_name, cursor, entry) => {
    expect(settledBy(bounded, stateAt(tell(cursor)), entry)).toBeUndefined();
  });

  test("settles nothing when its call certainly failed", () => {
    const { reserved: _none, ...intent } = intentOf();
    expect(settledBy(bounded, stateAt({ ...calling, intent }), outcome("error"))).toBeUndefined();
  });

  test("settles its reservation of the procedure's tool calls", () => {
    const budgets = { day: { toolCalls: 5, timeZone: "UTC" } };
    const procedure: CompiledProcedure = boundedProcedure([], { budgets });
    const before = stateAt(tell(node), {}, procedure);
    expect(settledBy(procedure, before, nodeFailed)).toEqual(nothingOf(`call:${callKey("run_1", "tell", 2, 1)}`));
  });
});

test("a human review that covers a bounded call settles nothing, regardless of its result", () => {
  const cursor: Cursor = { at: "review", nodeId: "ask", review: review("human_review") };
  for (const entry of [answered("rejected"), answered("expired"), ended]) {
    expect(settledBy(bounded, stateAt(cursor), entry)).toBeUndefined();
  }
});

test("no two calls of a run share a reservation", () => {
  const keys = [1, 2].flatMap((visit) =>
    [1, 2].flatMap((call) =>
      [undefined, agentAt(1, 0), agentAt(2, 1)].map((agent) =>
        reservationKey({ key: callKey("run_1", "pay", visit, call) }, { agent }),
      ),
    ),
  );
  expect(new Set(keys).size).toBe(12);
});
