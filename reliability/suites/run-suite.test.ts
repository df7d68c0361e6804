import { expect, test } from "vitest";
import { outcomeOf } from "./run-suite.ts";

type Tests = Parameters<typeof outcomeOf>[1]["testResults"][number]["assertionResults"];

const passed: Tests[number] = { status: "passed", fullName: "holds", failureMessages: [], meta: { cases: 500 } };
const plain = { ...passed, meta: {} };
const file = (name: string, assertionResults: Tests, status = "passed") => ({
  name: `/repository/${name}`,
  message: status === "passed" ? "" : "It does not load.",
  status,
  assertionResults,
});

test("cases are counted as the tests report them, and a test without a report is one case", () => {
  const outcome = outcomeOf(["a.test.ts"], { testResults: [file("a.test.ts", [passed, plain])] });
  expect(outcome).toEqual({ files: 1, tests: 2, cases: 501, failures: [] });
});

test.each(["failed", "skipped", "pending"])("a test that %s is a failure with its message", (status) => {
  const broken = { ...passed, status, failureMessages: ["Expected 1."] };
  const { failures } = outcomeOf(["a.test.ts"], { testResults: [file("a.test.ts", [passed, broken])] });
  expect(failures).toEqual([`holds (${status}): Expected 1.`]);
});

test("files that were not run, that do not load or that have no tests are failures", () => {
  const testResults = [file("b.test.ts", [], "failed"), file("c.test.ts", [])];
  const { failures } = outcomeOf(["a.test.ts", "b.test.ts", "c.test.ts"], { testResults });
  expect(failures).toHaveLength(3);
  expect(failures[0]).toBe("a.test.ts was not run");
  expect(failures[1]).toContain("It does not load.");
});
