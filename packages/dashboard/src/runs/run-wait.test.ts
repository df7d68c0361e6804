import { describe, expect, test } from "vitest";
import type { Run, RunTimelineStep } from "../api/models.ts";
import { waitOf } from "./run-wait.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");

const facts = {
  runId: "run_1",
  statusUrl: "http://x/runs/run_1",
  procedureId: "pay",
  procedureVersion: "1",
  environment: "live",
  startedBy: "ana@acme.example",
  createdAt: "2026-11-20T11:00:00Z",
} as const;

const step = (more: Partial<RunTimelineStep> = {}): RunTimelineStep => ({
  nodeId: "send",
  kind: "tool_call",
  visit: 1,
  status: "running",
  startedAt: "2026-11-20T11:59:00Z",
  bytes: { input: 2, output: 0 },
  hasTurns: false,
  ...more,
});

const running = (...timeline: RunTimelineStep[]): Run => ({ ...facts, status: "running", timeline });

const review = { reviewId: "rev_1", digest: "d", title: "Pay?", data: {}, requestedAt: facts.createdAt };

describe("a run waits for", () => {
  test("a person, whose question says whether an outcome is unknown", () => {
    const run: Run = { ...facts, status: "awaiting_review", review };
    expect(waitOf(run, { kind: "guard" }, nowMs)).toEqual({ kind: "review", reviewId: "rev_1", title: "Pay?" });
    expect(waitOf(run, { kind: "outcome_unknown" }, nowMs)).toMatchObject({ kind: "outcome_unknown" });
  });

  test("the next attempt of a call", () => {
    const retryAt = "2026-11-20T12:01:00Z";
    const run = running(step({ status: "completed" }), step({ retryAt, retryReason: "Busy." }));
    expect(waitOf(run, undefined, nowMs)).toMatchObject({ kind: "retry", at: retryAt, reason: "Busy." });
  });

  test("a person who authorizes its connection, also when an attempt was made before", () => {
    const authorization = {
      ...{ connection: "books", connectionId: "con_1", reason: "The authorization has ended." },
      ...{ since: "2026-11-20T11:59:00Z", until: "2026-11-27T11:59:00Z" },
    };
    const run = running(step({ authorization }));
    expect(waitOf(run, undefined, nowMs)).toMatchObject({ kind: "authorization", wait: authorization });
  });

  test("the answer of a call that takes long", () => {
    expect(waitOf(running(step()), undefined, nowMs)).toMatchObject({ kind: "call" });
  });
});

test.each<[string, Run]>([
  ["with a quick call", running(step({ startedAt: "2026-11-20T11:59:58Z" }))],
  ["at a condition", running(step({ kind: "condition" }))],
  ["whose review was just decided", { ...facts, status: "awaiting_review" }],
  ["that completed", { ...facts, status: "completed", output: {}, completedAt: facts.createdAt }],
  ["whose steps were archived", { ...facts, status: "running" }],
])("a run %s waits for nothing", (_case, run) => {
  expect(waitOf(run, undefined, nowMs)).toBeUndefined();
});
