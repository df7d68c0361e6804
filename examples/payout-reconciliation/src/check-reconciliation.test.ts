import type { Review, Run } from "@procedo/client";
import { describe, expect, test } from "vitest";
import { checkReconciliation, type CheckedRun } from "./check-reconciliation.ts";
import type { PostedMessage } from "./fakes/fake-slack.ts";

/** A run that believes to have posted a message, and whose review showed a number of differences. */
function ranWith({ ts, found = 0, decided }: { ts?: string; found?: number; decided?: number }): CheckedRun {
  const steps = [{ nodeId: "match", output: { differences: Array(found).fill({}), totals: [] } }];
  const end =
    ts === undefined ? { status: "failed", error: "Rejected." } : { status: "completed", output: { messageTs: ts } };
  const review = { nodeId: "decide", status: "approved", data: { differences: Array(decided ?? 0).fill("") } };
  return {
    run: { runId: "run_1", steps, ...end } as unknown as Run,
    reviews: decided === undefined ? [] : [review as unknown as Review],
  };
}
const message = (ts: string): PostedMessage => ({ channel: "C0FINANCE", text: "Reconciled.", ts });

test("runs with a message each, and decided differences, have no discrepancy", () => {
  const runs = [ranWith({ ts: "1" }), ranWith({ ts: "2", found: 3, decided: 3 })];
  expect(checkReconciliation(runs, [message("1"), message("2")])).toEqual([]);
});

describe("a discrepancy", () => {
  test.each([
    ["a message that was lost", [ranWith({ ts: "1" })], [], ["Run run_1 has no message in the channel."]],
    ["a run that failed without a message", [ranWith({})], [], ["Run run_1 has no message in the channel."]],
    ["a message that was doubled", [ranWith({ ts: "2" })], ["1", "2"], ["Message 1 belongs to 0 runs."]],
    ["a message of two runs", [ranWith({ ts: "1" }), ranWith({ ts: "1" })], ["1"], ["Message 1 belongs to 2 runs."]],
    [
      "differences that were not decided",
      [ranWith({ ts: "1", found: 2 })],
      ["1"],
      ["Run run_1 found 2 differences, and its reviews decided on none."],
    ],
    [
      "differences that the review did not show",
      [ranWith({ ts: "1", found: 2, decided: 1 })],
      ["1"],
      ["Run run_1 found 2 differences, and its reviews decided on 1."],
    ],
    [
      "a review without differences",
      [ranWith({ ts: "1", decided: 1 })],
      ["1"],
      ["Run run_1 found 0 differences, and its reviews decided on 1."],
    ],
  ])("is %s", (_case, runs, posted, problems) => {
    expect(checkReconciliation(runs, posted.map(message))).toEqual(problems);
  });
});
