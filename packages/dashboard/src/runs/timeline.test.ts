import { describe, expect, test } from "vitest";
import type { RunTimelineStep } from "../api/models.ts";
import { rangeOf, stepOfInterest, timelineRows } from "./timeline.ts";

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

const step = (nodeId: string, more: Partial<RunTimelineStep> = {}): RunTimelineStep => ({
  nodeId,
  kind: "tool_call",
  visit: 1,
  status: "completed",
  startedAt: at(10),
  completedAt: at(12),
  bytes: { input: 0, output: 0 },
  hasTurns: false,
  ...more,
});

/** A step that has not ended. */
function openStep(nodeId: string, more: Partial<RunTimelineStep> = {}): RunTimelineStep {
  const { completedAt: _ended, ...open } = step(nodeId, { status: "running", ...more });
  return open;
}

const titles = new Map([
  ["pay", "Pay the invoice"],
  ["ask", "Pay {{ money(input.amount, 'EUR') }}?"],
]);

const rowsOf = (steps: readonly RunTimelineStep[], unknownNodeId?: string) =>
  timelineRows({ steps, nowMs: 20_000, titles, unknownNodeId });

describe("a row", () => {
  test.each<[Partial<RunTimelineStep>, string]>([
    [{}, "Pay the invoice, Completed, 2.0 s"],
    [{ visit: 3 }, "Pay the invoice (visit 3), Completed, 2.0 s"],
    [{ title: "Pay 5 EUR?", status: "failed" }, "Pay 5 EUR?, Failed, 2.0 s"],
    // The wall clock was set back.
    [{ completedAt: at(9) }, "Pay the invoice, Completed, 0 ms"],
  ])("of %j is named %s", (more, name) => {
    expect(rowsOf([step("pay", more)])[0]?.name).toBe(name);
  });

  test("of a step that has not ended lasts until now", () => {
    expect(rowsOf([openStep("pay")])[0]?.name).toBe("Pay the invoice, Running, 10 s");
  });

  test("of a title that the run did not render shows the names of its values, and no expression", () => {
    expect(rowsOf([step("ask")])[0]?.name).toBe("Pay ‹amount›?, Completed, 2.0 s");
  });

  test("of a node without a title is named by its id", () => {
    expect(rowsOf([step("done")])[0]?.title).toBe("done");
  });

  test("of a call of unknown outcome says so, and no other waiting step does", () => {
    const waiting = { status: "awaiting_review" } as const;
    const rows = rowsOf([step("pay", waiting), step("send", waiting)], "pay");
    expect(rows.map(({ status }) => status)).toEqual(["outcome_unknown", "awaiting_review"]);
  });
});

test.each<[Partial<RunTimelineStep>, string]>([
  [{}, "work"],
  [{ status: "running", retryAt: at(30) }, "wait"],
  [{ kind: "human_review" }, "review"],
  [{ status: "awaiting_review" }, "review"],
])("the bar of %j shows %s", (more, bar) => {
  expect(rowsOf([step("pay", more)])[0]?.bar).toBe(bar);
});

test("a reader sees the step first that has not completed, else the last one", () => {
  const steps = [step("a"), step("b", { status: "failed" }), step("c")];
  expect(stepOfInterest(rowsOf(steps))?.key).toBe("b.1");
  expect(stepOfInterest(rowsOf(steps.slice(2)))?.key).toBe("c.1");
  expect(stepOfInterest([])).toBeUndefined();
});

test("the axis of an open run ends now, that of another one at its end", () => {
  const run = {
    runId: "run_1",
    statusUrl: "http://x/runs/run_1",
    procedureId: "pay",
    procedureVersion: "1",
    environment: "sandbox",
    startedBy: "ana",
    createdAt: at(5),
  } as const;
  expect(rangeOf({ ...run, status: "running" }, 20_000)).toEqual({ startMs: 5_000, endMs: 20_000 });
  const ended = { ...run, status: "completed", output: {}, completedAt: at(9) } as const;
  expect(rangeOf(ended, 20_000)).toEqual({ startMs: 5_000, endMs: 9_000 });
});
