import { eventNameSchema, type Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { eventOf } from "./event-of.ts";

const facts = {
  runId: "run_01abc",
  procedureId: "p",
  procedureVersion: "v1",
  environment: "live" as Environment,
  createdAt: "2026-01-01T00:00:00.000Z",
  startedBy: "ann",
};
const counts = { nodeVisits: 4, toolCalls: 3, modelCalls: 0, tokens: 0, recoveries: 0, events: 2 };
const run = { facts, counts };
const origin = { runId: "run_01abc", procedureId: "p", environment: "live", sequence: 2 };

const asked: Entry = {
  type: "review_opened",
  atMs: 5,
  nodeId: "r",
  visit: 1,
  review: {
    reviewId: "rev_1",
    kind: "guard",
    title: "Pay?",
    data: { n: 1 },
    digest: "d",
    effectKey: "k",
    rules: { roles: [], people: [], approvals: 1, outputs: true },
  },
};

describe("the event of an entry", () => {
  test.each<[Entry, string, object]>([
    [asked, "human_review_requested", { reviewTitle: "Pay?", reviewData: { n: 1 } }],
    [
      { type: "emitted", atMs: 5, nodeId: "a", visit: 1, event: "custom.sent", payload: { id: 1 } },
      "custom.sent",
      { payload: { id: 1 } },
    ],
    [
      { type: "ended", atMs: 5, result: { status: "completed", output: { o: 1 } } },
      "run_completed",
      { status: "completed", output: { o: 1 } },
    ],
    [
      { type: "ended", atMs: 5, result: { status: "failed", error: "no" } },
      "run_failed",
      { status: "failed", error: "no" },
    ],
  ])("%o", (entry, name, data) => {
    const event = eventOf(run, entry, 3, 1);
    expect(event).toEqual({
      eventId: "evt_01abc_3_1",
      event: name,
      createdAtMs: 5,
      data: JSON.stringify({ ...origin, ...data }),
    });
    expect(eventNameSchema.safeParse(name).success).toBe(true);
  });

  test("keeps its id when its row is written again, and differs at any other place", () => {
    const ids = [
      [1, 0],
      [1, 1],
      [2, 0],
      [11, 0],
    ].map(([seq = 0, index = 0]) => eventOf(run, asked, seq, index)?.eventId);
    expect(new Set(ids).size).toBe(4);
    expect(eventOf(run, asked, 1, 0)).toEqual(eventOf(run, asked, 1, 0));
  });

  test("is missing for entries that concern only the run itself", () => {
    const silent: readonly Entry[] = [
      { type: "recovered", atMs: 1, workerId: "w", epoch: 2 },
      { type: "branch_taken", atMs: 1, nodeId: "c", visit: 1, branch: "b" },
      { type: "cancel_requested", atMs: 1, by: "ann" },
      { type: "review_closed", atMs: 1, reviewId: "rev_1", answer: { status: "expired", decisions: [] } },
      { type: "superseded", atMs: 1, effectKey: "cancel", body: {} },
    ];
    expect(silent.map((entry) => eventOf(run, entry, 1, 0))).toEqual(silent.map(() => undefined));
  });
});
