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

test("a suite whose tests all pass is fine", () => {
  expect(judgeSuite(report(["passed", "passed"]), ran)).toMatchObject({ ok: true, passed: 2, failed: 0 });
});

test.each(["skipped", "pending", "todo", "disabled"])("a %s test fails the suite and is named", (status) => {
  const outcome = judgeSuite(report(["passed", status]), ran);
  expect(outcome).toMatchObject({ ok: false, passed: 1, failed: 1 });
  expect(outcome.output).toContain(`packages/engine/src/a.test.ts: promise 2 (${status})`);
});

test("a file that does not load fails the suite", () => {
  expect(judgeSuite(report([], "failed"), { ok: false, output: "" })).toMatchObject({ ok: false, failed: 1 });
});

test("an error outside of any test fails the suite", () => {
  expect(judgeSuite(report(["passed"]), { ok: false, output: "" })).toMatchObject({ ok: false, passed: 1, failed: 0 });
});
