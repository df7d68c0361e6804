import { describe, expect, test } from "vitest";
import type { TracedRun } from "../crash/evidence.ts";
import { announcedEnd, judgeAnnouncedEnds } from "./announced-ends.ts";

const times = { completedAt: "2026-01-01T00:00:00.000Z" };
const completed = announcedEnd({ runId: "run_1", status: "completed", output: { paid: 5 }, ...times });
const failed = announcedEnd({ runId: "run_1", status: "failed", error: "No.", ...times });

function run(cursor: unknown): TracedRun {
  return { stored: { runId: "run_1" }, state: { cursor }, entries: [], broken: undefined } as unknown as TracedRun;
}
const ended = (result: unknown): TracedRun => run({ at: "ended", result });

test("a parked run has no ending", () => {
  expect(
    announcedEnd({ runId: "run_1", status: "awaiting_review", statusUrl: "http://127.0.0.1/runs/run_1" }),
  ).toBeUndefined();
});

describe("the reported end of a run", () => {
  test("is right if it agrees with the journal", () => {
    expect(judgeAnnouncedEnds([completed ?? fail()], [ended({ status: "completed", output: { paid: 5 } })])).toEqual(
      [],
    );
    expect(judgeAnnouncedEnds([failed ?? fail()], [ended({ status: "failed", error: "No." })])).toEqual([]);
  });

  test.each([
    ["another output", ended({ status: "completed", output: { paid: 6 } })],
    ["another status", ended({ status: "failed", error: "No." })],
    ["no end", run({ at: "node" })],
  ])("is a fault if the journal has %s", (_what, traced) => {
    expect(judgeAnnouncedEnds([completed ?? fail()], [traced])).toHaveLength(1);
  });

  test("is a fault if there is no such run", () => {
    expect(judgeAnnouncedEnds([completed ?? fail()], [])).toHaveLength(1);
  });
});

function fail(): never {
  throw new Error("There is no ending.");
}
