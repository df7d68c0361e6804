import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../workspace.ts";
import type { SuiteReport } from "./suite-step.ts";
import { judgeSuite } from "./suite-step.ts";

const ran = { ok: true, output: "" };

function report(statuses: readonly string[], fileStatus = "passed"): SuiteReport {
  const count = (status: string): number => statuses.filter((it) => it === status).length;
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `promise ${index + 1}` }));
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    testResults: [{ name: join(root, "packages/engine/src/a.test.ts"), status: fileStatus, assertionResults }],
  };
}

test("accepts a suite whose tests all pass", () => {
  expect(judgeSuite(report(["passed", "passed"]), ran)).toMatchObject({ ok: true, passed: 2, failed: 0 });
});

test.each(["skipped", "pending", "todo", "disabled"])("fails the suite for a %s test, and names the test", (status) => {
  const outcome = judgeSuite(report(["passed", status]), ran);
  expect(outcome).toMatchObject({ ok: false, passed: 1, failed: 1 });
  expect(outcome.output).toContain(`packages/engine/src/a.test.ts: promise 2 (${status})`);
});

test("fails the suite for a file that does not load", () => {
  expect(judgeSuite(report([], "failed"), { ok: false, output: "" })).toMatchObject({ ok: false, failed: 1 });
});

test("fails the suite for an error outside all tests", () => {
  expect(judgeSuite(report(["passed"]), { ok: false, output: "" })).toMatchObject({ ok: false, passed: 1, failed: 0 });
});

test("shows only the failures of a failed suite, each with its file and reason", () => {
  const failing: SuiteReport = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      {
        name: join(root, "packages/engine/src/a.test.ts"),
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "it adds" },
          { status: "failed", fullName: "it divides", failureMessages: ["Error: 1 / 0\n    at divide"] },
        ],
      },
      { name: join(root, "b.test.ts"), status: "failed", message: "No such module", assertionResults: [] },
    ],
  };
  const { output, failures, failed } = judgeSuite(failing, { ok: false, output: "✓ a thousand lines" });
  expect(output).toContain("packages/engine/src/a.test.ts: it divides\n    Error: 1 / 0\n        at divide");
  expect(output).toContain("b.test.ts (did not load)\n    No such module");
  expect(output).not.toContain("a thousand lines");
  expect(failures).toEqual(["packages/engine/src/a.test.ts: it divides", "b.test.ts (did not load)"]);
  expect(failed).toBe(2);
});

test("shows the end of the output of a suite that failed without a failing test", () => {
  expect(judgeSuite(report(["passed"]), { ok: false, output: "Unhandled rejection" }).output).toBe(
    "Unhandled rejection",
  );
});
