import { describe, expect, test } from "vitest";
import type { StoredRun } from "../crash/read-database.ts";
import type { Watched } from "./clients.ts";
import { judgeDecisions } from "./judge-decisions.ts";

const runs = [{ runId: "run_1" }] as unknown as readonly StoredRun[];
const reviews = [{ reviewId: "rev_1", runId: "run_1", status: "approved", effectKey: "review:rev_1" }];
const decision = { reviewId: "rev_1", person: "ann", idempotencyKey: "k", approved: true };
const watched: readonly Watched[] = [
  {
    runId: "run_1",
    seen: [
      { beganMs: 0, endedMs: 1, what: { kind: "vote", approved: true, outcome: "won" } },
      { beganMs: 0, endedMs: 1, what: { kind: "vote", approved: false, outcome: "too_late" } },
    ],
  },
];

test("nothing is found if the winning decision alone is recorded", () => {
  expect(judgeDecisions({ runs, reviews, decisions: [decision] }, watched)).toEqual([]);
});

describe("found is", () => {
  test.each([
    ["an acknowledged run that is gone", { runs: [], reviews, decisions: [decision] }],
    ["a second decision", { runs, reviews, decisions: [decision, { ...decision, person: "bob" }] }],
    ["a decision that was lost", { runs, reviews, decisions: [] }],
    ["another decision than the one that won", { runs, reviews, decisions: [{ ...decision, approved: false }] }],
  ])("%s", (_what, content) => {
    expect(judgeDecisions(content, watched)).not.toEqual([]);
  });
});
