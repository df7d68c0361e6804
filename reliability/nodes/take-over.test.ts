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

test("the time of each run of a killed node counts from the kill to the next takeover", () => {
  const deaths = [
    { atMs: 1_000, runIds: ["a", "b"] },
    { atMs: 9_000, runIds: ["a"] },
  ];
  expect(takeOverTimes(deaths, [run("a", [500, 3_000, 9_400]), run("b", [4_000])])).toEqual([2_000, 3_000, 400]);
});

test("a run that needed no takeover is not counted", () => {
  expect(takeOverTimes([{ atMs: 1_000, runIds: ["a", "gone"] }], [run("a", [])])).toEqual([]);
});
