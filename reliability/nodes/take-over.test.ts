import { expect, test } from "vitest";
import type { TracedRun } from "../crash/evidence.ts";
import { takeOverTimes } from "./take-over.ts";

function run(runId: string, recoveredAtMs: readonly number[]): TracedRun {
  const entries = recoveredAtMs.map((atMs, index) => ({
    seq: index + 2,
    entry: { type: "recovered", atMs, workerId: "w", epoch: index + 2 } as const,
  }));
  return { stored: { runId }, entries, state: undefined, broken: undefined } as unknown as TracedRun;
}

test("each run of a dead node is timed from that death to the first take-over after it", () => {
  const deaths = [
    { atMs: 1_000, runIds: ["a", "b"] },
    { atMs: 9_000, runIds: ["a"] },
  ];
  expect(takeOverTimes(deaths, [run("a", [500, 3_000, 9_400]), run("b", [4_000])])).toEqual([2_000, 3_000, 400]);
});

test("a run that nobody had to take over is not counted", () => {
  expect(takeOverTimes([{ atMs: 1_000, runIds: ["a", "gone"] }], [run("a", [])])).toEqual([]);
});
