import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../workspace.ts";
import { runCommand, tool } from "./command.ts";
import type { Step, StepOutcome } from "./steps.ts";

/** The parts of vitest's JSON report that verify reads. */
export interface SuiteReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    /** The test file's absolute path. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** One vitest project as a step; its report stays in `reports/<project>.json`. */
export function suiteStep(project: string): Step {
  const report = join(root, "reports", `${project}.json`);
  return {
    name: `tests: ${project}`,
    run: async () => {
      rmSync(report, { force: true });
      const { ok, output } = await runCommand([
        tool("vitest"),
        "run",
        `--project=${project}`,
        "--passWithNoTests",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
      ]);
      if (!existsSync(report)) return { ok, output, note: ok ? "no files yet" : "no report" };
      return judgeSuite(JSON.parse(readFileSync(report, "utf8")) as SuiteReport, { ok, output });
    },
  };
}

/** Reads a report: a test that did not run fails the suite just like one that failed. */
export function judgeSuite(report: SuiteReport, run: { readonly ok: boolean; readonly output: string }): StepOutcome {
  const notRun = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map(({ status, fullName }) => `${relative(root, name)}: ${fullName} (${status})`),
  );
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + brokenFiles.length + notRun.length;
  const skippedOutput = notRun.length === 0 ? "" : `Tests that did not run:\n${notRun.join("\n")}\n`;
  return {
    ok: run.ok && failed === 0,
    output: run.output + skippedOutput,
    passed: report.numPassedTests,
    failed,
    ...(report.testResults.length === 0 ? { note: "no files yet" } : {}),
  };
}
