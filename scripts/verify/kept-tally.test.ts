import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "../workspace.ts";
import { addTallies, forgetTally, keepTally, keptTally } from "./kept-tally.ts";

// This test may run inside a verify that stores its counts in the same file.
const path = join(root, "reports/verify.json");
let before: string | undefined;
beforeEach(() => {
  before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
});
afterEach(() => {
  if (before === undefined) rmSync(path, { force: true });
  else writeFileSync(path, before);
});

test("adds the counts of a later suite to those of verify", () => {
  keepTally({ passed: 40, failed: 2, failures: ["lint", "types"] });
  expect(addTallies(keptTally(), { passed: 2, failed: 1, failures: ["shared"] })).toEqual({
    passed: 42,
    failed: 3,
    failures: ["lint", "types", "shared"],
  });
});

test("treats an unfinished verify as a failure, even after an earlier successful one", () => {
  keepTally({ passed: 40, failed: 0, failures: [] });
  forgetTally();
  expect(keptTally()).toMatchObject({ passed: 0, failed: 1 });
});
