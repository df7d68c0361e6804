import { expect, it } from "vitest";
import { killCycles } from "./kill-cycles.ts";
import { temporaryDirectory } from "./temporary-files.ts";

it("a killed process loses no acknowledged row and leaves no gap, 25 times", async () => {
  const report = await killCycles({ directory: temporaryDirectory(), cycles: 25 });
  expect(report.failures).toEqual([]);
  expect(report.acknowledgedRows).toBeGreaterThan(1_000);
});
