import { expect, test } from "vitest";
import { markdownOf, reportOf, terminalLines, type Proven } from "./prove-report.ts";

const holds: Proven = {
  id: "sim-faults",
  title: "Simulation",
  seed: 7,
  seconds: 1.5,
  counts: { seeds: 2_000, simulatedHours: 12 },
  failures: [],
  on: { Postgres: "18.1" },
};
const broken: Proven = {
  id: "crash-failpoints",
  title: "Kills",
  seed: 0,
  seconds: 2,
  counts: { kills: 240 },
  failures: ["a | b\nc"],
  lowered: "Half as many, for the hour.",
};
const report = reportOf("commit", new Date(0), [holds, broken]);

test("a report counts the groups that hold and names the versions", () => {
  expect(report).toMatchObject({ passed: 1, failed: 1, seconds: 4, facts: { Postgres: "18.1" } });
  expect(Object.keys(report.facts)).toEqual(expect.arrayContaining(["commit", "Node", "machine"]));
});

test("the table shows counts, failures, and the groups that tried less than planned", () => {
  const lines = terminalLines(report);
  expect(lines[0]).toBe("holds   sim-faults           1.5 s  seed 7: seeds 2,000, simulated hours 12");
  expect(lines[1]).toMatch(/^FAILED {2}crash-failpoints /);
  expect(lines).toContain("lowered crash-failpoints: Half as many, for the hour.");
  expect(lines.at(-1)).toBe("1 of 2 groups hold (tier commit, 4 s).");
});

test("no text breaks the Markdown table", () => {
  const page = markdownOf(report);
  expect(page).toContain("| sim-faults | Simulation | seeds 2,000, simulated hours 12 | 7 | 1.5 | holds |");
  expect(page).toContain("- crash-failpoints: a \\| b c");
  expect(page).toContain("## Less than the test plan asks for\n\n- crash-failpoints: Half as many, for the hour.");
});
