import type { Cursor, Entry, Intent, OpenReview, RunState } from "@procedo/procedure";
import { lapsedKeyOf } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { outcomeKey } from "../journal/effect-keys.ts";
import type { DecisionBody, NotificationBody } from "../inbox/notification.ts";
import { entriesOf, type SettleDispatched } from "./notification-entries.ts";

const review: OpenReview = {
  reviewId: "rev_1",
  kind: "human_review",
  title: "Pay?",
  data: {},
  digest: "d",
  effectKey: "review:rev_1",
  rules: { roles: [], people: [], approvals: 1, outputs: true },
};
const intent = {
  type: "intent",
  nodeId: "a",
  visit: 2,
  call: 1,
  attempt: 3,
  key: "k",
  frozen: {},
} as unknown as Intent;
const doubt: OpenReview = { ...review, kind: "outcome_unknown", effectKey: outcomeKey(intent) };

function at(cursor: Cursor): RunState {
  return { cursor } as RunState;
}

function typesOf(
  cursor: Cursor,
  effectKey: string,
  body: NotificationBody | readonly DecisionBody[],
): readonly Entry[] {
  const settle: SettleDispatched = (_intent, { effect, message }) =>
    effect === "unknown"
      ? { result: { status: "unknown", reason: message } }
      : { result: { status: "error", error: { message } } };
  return entriesOf(at(cursor), { effectKey, body: JSON.stringify(body) }, 9, [], settle);
}

function decision(more: Partial<DecisionBody>): DecisionBody {
  return {
    decisionId: "dec_1",
    person: "bob",
    via: "key",
    approved: true,
    atMs: 8,
    digest: "d",
    idempotencyKey: "u",
    ...more,
  };
}

const cursors: { readonly [name: string]: Cursor } = {
  node: { at: "node", nodeId: "a" },
  calling: { at: "calling", nodeId: "a", intent, lost: false },
  lost: { at: "calling", nodeId: "a", intent, lost: true },
  dispatched: {
    at: "calling",
    nodeId: "a",
    intent: { ...intent, frozen: { ...intent.frozen, dispatched: true } },
    lost: false,
  },
  backoff: {
    at: "backoff",
    nodeId: "a",
    call: { frozen: intent.frozen, call: 1, attempt: 4 },
    failedAtMs: 2,
    retryAtMs: 20,
    failed: intent,
  },
  unknown: { at: "unknown", nodeId: "a", intent, reason: "?", atMs: 1, lost: false },
  review: { at: "review", nodeId: "a", review },
  doubt: { at: "review", nodeId: "a", review: doubt, intent },
  ended: { at: "ended", result: { status: "failed", error: "x" } },
};
const ok: NotificationBody = { type: "late_answer", result: { status: "ok", output: 1 } };
const refused: NotificationBody = { type: "late_answer", result: { status: "error", error: { message: "no" } } };
const earlier = outcomeKey({ ...intent, attempt: 2 });

describe("notifications folded into the run", () => {
  test.each<[string, string, NotificationBody | readonly DecisionBody[], readonly string[]]>([
    ["node", "cancel", { type: "cancel", by: "ann" }, ["cancel_requested"]],
    ["calling", "cancel", { type: "cancel", by: "ann" }, ["cancel_requested"]],
    ["ended", "cancel", { type: "cancel", by: "ann" }, ["superseded"]],
    ["review", "review:rev_1", { type: "expired" }, ["review_closed"]],
    ["review", "review:rev_0", { type: "expired" }, ["superseded"]],
    ["node", "review:rev_1", { type: "expired" }, ["superseded"]],
    ["review", "review:rev_1", [decision({})], ["review_closed"]],
    ["review", "review:rev_0", [decision({})], ["superseded"]],
    ["node", "review:rev_1", [decision({})], ["superseded"]],
    ["ended", "review:rev_1", [decision({})], ["superseded"]],
    ["doubt", outcomeKey(intent), [decision({})], ["review_closed"]],
    [
      "doubt",
      outcomeKey(intent),
      { type: "late_answer", result: { status: "ok", output: 1 } },
      ["review_closed", "outcome"],
    ],
    ["unknown", outcomeKey(intent), { type: "late_answer", result: { status: "ok", output: 1 } }, ["outcome"]],
    ["lost", outcomeKey(intent), { type: "late_answer", result: { status: "ok", output: 1 } }, ["outcome"]],
    ["calling", outcomeKey(intent), ok, ["superseded"]],
    ["backoff", outcomeKey(intent), ok, ["outcome"]],
    ["backoff", outcomeKey(intent), refused, ["outcome"]],
    ["backoff", outcomeKey(intent), { type: "returned", output: 1 }, ["outcome"]],
    ["backoff", outcomeKey(intent), { type: "failed", failure: { effect: "none", message: "no" } }, ["outcome"]],
    ["backoff", outcomeKey(intent), { type: "failed", failure: { effect: "unknown", message: "?" } }, ["superseded"]],
    ["backoff", lapsedKeyOf(outcomeKey(intent)), { type: "lapsed" }, ["superseded"]],
    ["backoff", outcomeKey({ key: "j", attempt: 3 }), ok, ["superseded"]],
    ["backoff", earlier, ok, ["outcome"]],
    ["backoff", earlier, refused, ["superseded"]],
    ["unknown", earlier, ok, ["outcome"]],
    ["doubt", earlier, ok, ["review_closed", "outcome"]],
    ["doubt", earlier, refused, ["superseded"]],
    ["doubt", earlier, { type: "returned", output: 1 }, ["superseded"]],
    ["lost", earlier, ok, ["superseded"]],
    ["calling", earlier, ok, ["superseded"]],
    ["unknown", outcomeKey({ key: "k", attempt: 4 }), ok, ["superseded"]],
    ["doubt", `${outcomeKey(intent)}x`, ok, ["superseded"]],
    ["review", outcomeKey(intent), { type: "late_answer", result: { status: "ok", output: 1 } }, ["superseded"]],
    ["dispatched", outcomeKey(intent), { type: "returned", output: 1 }, ["outcome"]],
    ["dispatched", outcomeKey({ key: "k", attempt: 2 }), { type: "returned", output: 1 }, ["superseded"]],
    ["dispatched", lapsedKeyOf(outcomeKey(intent)), { type: "lapsed" }, ["outcome"]],
    ["unknown", lapsedKeyOf(outcomeKey(intent)), { type: "lapsed" }, ["superseded"]],
    ["doubt", lapsedKeyOf(outcomeKey(intent)), { type: "lapsed" }, ["superseded"]],
    ["doubt", outcomeKey(intent), { type: "returned" }, ["review_closed", "outcome"]],
    ["node", outcomeKey(intent), { type: "returned", output: 1 }, ["superseded"]],
    ["ended", outcomeKey(intent), { type: "returned", output: 1 }, ["superseded"]],
    ["calling", outcomeKey(intent), { type: "returned", output: 1 }, ["superseded"]],
  ])("at %s, %s", (name, effectKey, body, expected) => {
    const cursor = cursors[name];
    if (cursor === undefined) throw new Error(`There is no cursor "${name}".`);
    expect(typesOf(cursor, effectKey, body).map(({ type }) => type)).toEqual(expected);
  });

  test("a notification that comes too late is recorded with its whole body", () => {
    const body: NotificationBody = { type: "cancel", by: "ann", reason: "why" };
    expect(typesOf({ at: "ended", result: { status: "failed", error: "x" } }, "cancel", body)).toEqual([
      { type: "superseded", atMs: 9, effectKey: "cancel", body },
    ]);
  });

  test("a result is late only if the run no longer waited, and an answered unknown outcome is marked as answered", () => {
    const reported = (name: string, body: NotificationBody) =>
      typesOf(cursors[name] as Cursor, outcomeKey(intent), body).find(({ type }) => type === "outcome");
    const failed = (effect: "none" | "unknown"): NotificationBody => ({
      type: "failed",
      failure: { effect, message: "no" },
    });
    expect(reported("dispatched", { type: "returned", output: 1 })).not.toHaveProperty("late");
    expect(reported("doubt", { type: "returned", output: 1 })).toMatchObject({ late: true });
    expect(reported("dispatched", failed("none"))).toMatchObject({ result: { status: "error" } });
    expect(reported("dispatched", failed("unknown"))).toMatchObject({ result: { status: "unknown", answered: true } });
    expect(reported("doubt", { type: "returned" })).toMatchObject({ result: { status: "ok", output: null } });
  });

  test("an earlier attempt's answer is recorded as that attempt's", () => {
    expect(typesOf(cursors["backoff"] as Cursor, earlier, ok)).toMatchObject([{ attempt: 2, late: true }]);
  });

  test("a late answer closes the review of its attempt and settles that attempt", () => {
    const [answered, outcome] = typesOf({ at: "review", nodeId: "a", review: doubt, intent }, outcomeKey(intent), {
      type: "late_answer",
      result: { status: "ok", output: { id: 1 } },
    });
    expect(answered).toEqual({ type: "review_closed", atMs: 9, reviewId: "rev_1", answer: { status: "settled" } });
    expect(outcome).toEqual({
      type: "outcome",
      atMs: 9,
      nodeId: "a",
      visit: 2,
      call: 1,
      attempt: 3,
      result: { status: "ok", output: { id: 1 } },
      late: true,
    });
  });
});

describe("the result of a review's decisions", () => {
  const answer = (...decisions: readonly DecisionBody[]) => {
    const [entry] = typesOf({ at: "review", nodeId: "a", review }, "review:rev_1", decisions);
    return entry?.type === "review_closed" ? entry.answer : undefined;
  };

  test("one rejection at any position rejects the review with its reason", () => {
    const no = decision({ person: "carol", approved: false, reason: "no" });
    expect(answer(decision({}), no)).toMatchObject({ status: "rejected", reason: "no" });
    expect(answer(no)).toMatchObject({ status: "rejected", reason: "no" });
  });

  test("the last outputs of several approvals count", () => {
    expect(answer(decision({ outputs: { n: 1 } }), decision({ outputs: { n: 2 } }), decision({}))).toMatchObject({
      status: "approved",
      outputs: { n: 2 },
    });
    expect(answer(decision({}))).not.toHaveProperty("outputs");
  });

  test("each decision is recorded with its person, without the idempotency key of its request", () => {
    expect(answer(decision({ outputs: { n: 1 }, address: "192.0.2.1" }))).toMatchObject({
      decisions: [
        { decisionId: "dec_1", person: "bob", via: "key", approved: true, atMs: 8, digest: "d", address: "192.0.2.1" },
      ],
    });
    expect(JSON.stringify(answer(decision({})))).not.toContain("idempotencyKey");
  });
});
