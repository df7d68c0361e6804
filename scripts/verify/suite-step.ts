import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.ts";
import { runCommand, tool } from "./command.ts";
import type { Step, StepOutcome } from "./steps.ts";
import { suiteFailures } from "./suite-failures.ts";

/** Number of output lines shown for a suite that failed without a failing test. */
const endLines = 80;

/** The parts of vitest's JSON report that verify reads. */
export interface SuiteReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    /** The test file's absolute path. */
    readonly name: string;
    readonly status: string;
    /** The reason why the file did not load. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/**
 * Creates the step of one vitest project, whose report is written to `reports/<project>.json`.
 *
 * @param config path of the project's configuration from the root. @defaultValue the repository's own configuration
 */
export function suiteStep(project: string, config = "vitest.config.ts"): Step {
  const report = join(root, "reports", `${project}.json`);
  return {
    name: `tests: ${project}`,
    run: async () => {
      rmSync(report, { force: true });
      const { ok, output } = await runCommand([
        tool("vitest"),
        "run",
        `--config=${config}`,
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

/**
 * Evaluates a report. A test that did not run fails the suite like a failed test. Shows only the failures, which the
 * complete output would bury; without failures in the report, shows the end of the output.
 */
export function judgeSuite(report: SuiteReport, run: { readonly ok: boolean; readonly output: string }): StepOutcome {
  const failures = suiteFailures(report);
  const ok = run.ok && failures.length === 0;
  return {
    ok,
    output:
      failures.length === 0
        ? run.output.trimEnd().split("\n").slice(-endLines).join("\n")
        : failures.map(({ name, reason }) => `${name}\n${reason.replace(/^/gm, "    ")}\n`).join("\n"),
    passed: report.numPassedTests,
    failed: failures.length,
    failures: failures.map(({ name }) => name),
    ...(report.testResults.length === 0 ? { note: "no files yet" } : {}),
  };
}
