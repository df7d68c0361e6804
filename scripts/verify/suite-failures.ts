import { relative } from "node:path";
import { root } from "../workspace.ts";
import type { SuiteReport } from "./suite-step.ts";

/** How many lines of one failure are shown: what was expected and what came, not the whole of a printed object. */
const shownLines = 25;

/** A test that did not pass, or a test file that did not load. */
export interface SuiteFailure {
  /** `packages/engine/src/a.test.ts: the promise's name`, with what became of it in parentheses when it was not run. */
  readonly name: string;
  /** What was thrown, cut to its first lines; empty when nothing was. */
  readonly reason: string;
}

/** What did not pass, in the order of the report: a test that did not run is a failure like one that failed. */
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
