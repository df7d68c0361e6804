import type { FiringRow } from "@procedo/storage";
import { expect, test } from "vitest";
import { judgeOccurrences, type JudgedTrigger, type NominalTimes, type TriggeredRun } from "./judge-occurrences.ts";

const minute = 60_000;
const times = Array.from({ length: 6 }, (_, n) => (n + 1) * minute);

function firing(firingId: string, more: Partial<FiringRow> = {}): FiringRow {
  return {
    scope: { workspace: "default", environment: "sandbox" },
    triggerId: "trg_1",
    firingId,
    status: "started",
    requestedBy: undefined,
    reason: undefined,
    error: undefined,
    count: 1,
    scheduledAtMs: undefined,
    occurredAtMs: undefined,
    receivedAtMs: 0,
    startedAtMs: 0,
    event: undefined,
    duplicates: 0,
    refireOf: undefined,
    run: { runId: `run of ${firingId}`, procedureVersion: "1", status: "completed" },
    ...more,
  };
}

function ofEvent(firingId: string, id: string, more: Partial<FiringRow> = {}): FiringRow {
  return firing(firingId, { event: { id, type: "t", digest: "d" }, ...more });
}

function at(firingId: string, minutes: number, more: Partial<FiringRow> = {}): FiringRow {
  return firing(firingId, { scheduledAtMs: minutes * minute, ...more });
}

const skipped = (count: number) => ({ status: "skipped", reason: "missed", count, run: undefined }) as const;

const runOf = ({ firingId, run }: FiringRow): readonly TriggeredRun[] =>
  run === undefined ? [] : [{ runId: run.runId, trigger: { kind: "schedule", firingId } }];

function judgedEvents(firings: readonly FiringRow[], runs = firings.flatMap(runOf)): readonly string[] {
  const occurrences = { kind: "events", sent: new Set(["a", "b"]), acknowledged: new Set(["a"]) } as const;
  return judgeOccurrences([{ triggerId: "trg_1", name: "hook", firings, occurrences }], runs, "idle");
}

function judgedTimes(firings: readonly FiringRow[], more: Partial<NominalTimes> = {}): readonly string[] {
  const occurrences: NominalTimes = { kind: "times", times, dueUntilMs: 4 * minute, ...more };
  const trigger: JudgedTrigger = { triggerId: "trg_1", name: "clock", firings, occurrences };
  return judgeOccurrences([trigger], firings.flatMap(runOf), "idle");
}

test("one run per event is right, also for an event whose answer was lost", () => {
  expect(judgedEvents([ofEvent("f1", "a"), ofEvent("f2", "b")])).toEqual([]);
  expect(judgedEvents([ofEvent("f1", "a")])).toEqual([]);
});

test.each([
  ["an acknowledged event without a firing", [ofEvent("f1", "b")], "Event a of"],
  ["an event with two firings", [ofEvent("f1", "a"), ofEvent("f2", "a")], "has 2 firings"],
  ["an event of no sender", [ofEvent("f1", "a"), ofEvent("f2", "c")], "never sent"],
  ["a firing that never ended", [ofEvent("f1", "a", { status: "pending", run: undefined })], "still pending"],
  ["a firing that failed", [ofEvent("f1", "a", { status: "failed", reason: "x", run: undefined })], "failed: x"],
  ["a started firing without a run", [ofEvent("f1", "a", { run: undefined })], "its runs are: none"],
])("%s is found", (_what, firings, text) => {
  expect(judgedEvents(firings)).toEqual([expect.stringContaining(text)]);
});

test("a second run of a firing, and the run of a firing that did not start, are found", () => {
  const good = ofEvent("f1", "a");
  const second = { runId: "run_2", trigger: { kind: "webhook", firingId: "f1" } } as const;
  expect(judgedEvents([good], [...runOf(good), second])).toEqual([expect.stringContaining("run_2")]);
  const stray = { runId: "run_3", trigger: { kind: "webhook", firingId: "f9" } } as const;
  expect(judgedEvents([good], [...runOf(good), stray])).toEqual([expect.stringContaining("Run run_3")]);
});

test("a firing that repeats an earlier one is no second firing of its event", () => {
  expect(judgedEvents([ofEvent("f1", "a"), ofEvent("f2", "a", { refireOf: "f1" })])).toEqual([]);
});

test("a time is accounted for by its own firing or by one for several, also after the last that is due", () => {
  expect(judgedTimes([at("f1", 3, skipped(3)), at("f2", 4)])).toEqual([]);
  expect(judgedTimes([at("f1", 2, skipped(2)), at("f2", 3), at("f3", 4), at("f4", 5)])).toEqual([]);
});

test.each([
  ["a time without a firing", [at("f1", 2, skipped(2)), at("f2", 4)], '00:03:00.000Z of "clock" is lost'],
  ["a time that fired twice", [at("f1", 4, skipped(4)), at("f2", 4)], "accounted for 2 times, and fired 1 times"],
  ["a firing between the times", [at("f1", 4, skipped(4)), at("f2", 4.5)], "stands for 1 times"],
  ["a count beyond the creation", [at("f1", 4, skipped(5)), at("f2", 4, skipped(4))], "stands for 5 times"],
])("%s is found", (_what, firings, text) => {
  expect(judgedTimes(firings)).toEqual([expect.stringContaining(text)]);
});

test("a time before the first that is due may be accounted for, and need not be", () => {
  const due = [at("f2", 3), at("f3", 4)];
  expect(judgedTimes(due, { dueFromMs: 3 * minute })).toEqual([]);
  expect(judgedTimes([at("f1", 2, skipped(1)), ...due], { dueFromMs: 3 * minute })).toEqual([]);
});

test("a time that is missed by a schedule without catch-up, and fires, is found", () => {
  const late = at("f2", 4, { receivedAtMs: 7 * minute });
  const missed = at("f1", 3, { ...skipped(3), receivedAtMs: 7 * minute });
  expect(judgedTimes([missed, late], { firesWithinMs: minute })).toEqual([expect.stringContaining("180000 ms late")]);
  expect(judgedTimes([missed, late])).toEqual([]);
});

test("after the clock went back, a missed time may fire, but no time may fire twice", () => {
  const back = { clockWentBack: true };
  expect(judgedTimes([at("f1", 4, skipped(4)), at("f2", 4)], back)).toEqual([]);
  expect(judgedTimes([at("f1", 4, skipped(4)), at("f2", 4), at("f3", 4)], back)).toEqual([
    expect.stringContaining("fired 2 times"),
  ]);
});
