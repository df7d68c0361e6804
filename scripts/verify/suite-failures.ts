import { relative } from "node:path";
import { root } from "../workspace.ts";
import type { SuiteReport } from "./suite-step.ts";

/** Number of lines shown per failure: enough for the expected and actual values, without complete printed objects. */
const shownLines = 25;

/** A failed or unexecuted test, or a test file that did not load. */
export interface SuiteFailure {
  /**
   * `packages/engine/src/a.test.ts: the promise's name`, followed by the status in parentheses if the test was not run.
   */
  readonly name: string;
  /** The first lines of the error; empty if there was none. */
  readonly reason: string;
}

/** Returns the failures in the order of the report. A test that did not run counts as a failure. */
export function suiteFailures(report: SuiteReport): readonly SuiteFailure[] {
  return report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const tests = file.assertionResults
      .filter(({ status }) => status !== "passed")
      .map(({ status, fullName, failureMessages }) => ({
        name: `${path}: ${fullName}${status === "failed" ? "" : ` (${status})`}`,
        reason: cut((failureMessages ?? []).join("\n")),
      }));
    const broken = file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed");
    return broken ? [...tests, { name: `${path} (did not load)`, reason: cut(file.message ?? "") }] : tests;
  });
}

function cut(text: string): string {
  const lines = text.trimEnd().split("\n");
  const rest = lines.length - shownLines;
  return rest <= 0 ? lines.join("\n") : `${lines.slice(0, shownLines).join("\n")}\n… ${rest} more lines`;
}
