import type { Entry } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { createRowCodec } from "../../packages/engine/src/journal/row-codec.ts";
import type { DatabaseContent } from "../crash/read-database.ts";
import { judgeStorms } from "./judge-storms.ts";

const runId = "run_1";
const answered: Entry = {
  type: "review_closed",
  atMs: 1,
  reviewId: "rev_1",
  answer: { status: "approved", decisions: [] },
};
const ended: Entry = { type: "ended", atMs: 2, nodeId: "done", result: { status: "completed", output: {} } };
const decision = { reviewId: "rev_1", person: "ann", idempotencyKey: "k", approved: true };
const end = { runId, eventId: "evt_1", event: "run_completed" };
const told = [{ runId, approved: true }];

/** The evidence that agrees with the callers' answers; `change` modifies it. */
function content(
  entries: readonly Entry[] = [answered, ended],
  change: Partial<DatabaseContent> = {},
): DatabaseContent {
  const row = { runId, status: "completed", epoch: 1, workerId: null, error: null, ended: true, unread: 0 };
  const journal = [{ seq: 1, hash: "h", body: createRowCodec(runId).encode(1, entries) }];
  return {
    runs: [{ ...row, cancelled: false, journal }],
    reviews: [{ reviewId: "rev_1", runId, status: "approved", effectKey: "review:rev_1" }],
    decisions: [decision],
    deliveries: [end],
    keys: new Map(),
    integrity: "ok",
    ...change,
  };
}

test("nothing is found if one decision, one closed review and one end are recorded", () => {
  expect(judgeStorms(content(), told)).toEqual([]);
});

describe("found is", () => {
  test.each<[string, DatabaseContent]>([
    ["an answer that was folded in twice", content([answered, answered, ended])],
    ["a decision that the run never received", content([ended])],
    ["a run that has not ended", content([answered])],
    ["a second decision", content(undefined, { decisions: [decision, { ...decision, person: "bob" }] })],
    ["a decision that is not there", content(undefined, { decisions: [] })],
    ["another decision than was acknowledged", content(undefined, { decisions: [{ ...decision, approved: false }] })],
    ["an end that is delivered twice", content(undefined, { deliveries: [end, { ...end, eventId: "evt_2" }] })],
    ["an end that is not delivered", content(undefined, { deliveries: [] })],
    ["a run that was never acknowledged", content(undefined, { runs: [...content().runs, ...content().runs] })],
  ])("%s", (_what, broken) => {
    expect(judgeStorms(broken, told)).not.toEqual([]);
  });
});
