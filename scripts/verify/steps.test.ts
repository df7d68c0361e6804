import { expect, test } from "vitest";
import type { Step, StepOutcome } from "./steps.ts";
import { closingLines, runSteps } from "./steps.ts";

const step = (name: string, outcome: StepOutcome, needs?: string): Step => ({
  name,
  run: () => Promise.resolve(outcome),
  ...(needs === undefined ? {} : { needs }),
});
const passing = { ok: true, output: "quiet" };
const failing = { ok: false, output: "first line\nsecond line" };

async function run(stages: readonly (readonly Step[])[]) {
  const lines: string[] = [];
  const tally = await runSteps(stages, { print: (line) => lines.push(line), now: () => 0 });
  return { tally, printed: lines.join("\n") };
}

test("counts each step as one check, and adds its tests", async () => {
  const { tally } = await run([[step("lint", passing)], [step("unit", { ...passing, passed: 40 })]]);
  expect(tally).toMatchObject({ passed: 42, failed: 0 });
});

test("shows the output of a failed step, and runs the steps after it", async () => {
  const { tally, printed } = await run([[step("lint", failing)], [step("unit", { ...passing, passed: 3 })]]);
  expect(tally).toMatchObject({ passed: 4, failed: 1 });
  expect(printed).toContain("    first line\n    second line");
  expect(printed).not.toContain("quiet");
});

test("adds failed tests to the failed step", async () => {
  const { tally } = await run([[step("unit", { ...failing, passed: 5, failed: 2 })]]);
  expect(tally).toMatchObject({ passed: 5, failed: 3 });
});

test("fails a step without running it when its dependency failed, directly or indirectly", async () => {
  const stages = [[step("build", failing)], [step("pack", passing, "build")], [step("install", passing, "pack")]];
  const { tally, printed } = await run(stages);
  expect(tally).toMatchObject({ passed: 0, failed: 3 });
  expect(printed).toContain('Not run, because the required step "build" failed.');
});

test("treats a step that throws as failed, and shows the error", async () => {
  const { tally, printed } = await run([
    [{ name: "report", run: () => Promise.reject(new Error("The report is not JSON.")) }],
  ]);
  expect(tally).toMatchObject({ passed: 0, failed: 1 });
  expect(printed).toContain("The report is not JSON.");
});

test("names failures before the step's output, by the first line of each name", async () => {
  const { printed } = await run([
    [
      step("reliability", { ...failing, failures: ["crash-sqlite: a run failed.\nits record", "sim-faults: seed 7"] }),
      step("lint", passing),
    ],
  ]);
  expect(printed.split("\n").filter((line) => !line.startsWith("...") && !line.startsWith("ok"))).toEqual([
    "FAILED  reliability    0.0 s",
    "FAILED  reliability: crash-sqlite: a run failed.",
    "FAILED  reliability: sim-faults: seed 7",
    "    first line",
    "    second line",
  ]);
});

test("names failures again at the end, where readers of a long output look first", async () => {
  const unit = step("unit", { ...failing, passed: 5, failed: 2, failures: ["a.test.ts: one", "b.test.ts: two"] });
  const { tally } = await run([[step("lint", failing), unit, step("types", passing)]]);
  expect(closingLines(tally)).toEqual([
    "FAILED  lint",
    "FAILED  unit: a.test.ts: one",
    "FAILED  unit: b.test.ts: two",
    "6 passed, 4 failed",
  ]);
});
