import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "../workspace.ts";
import { addTallies, forgetTally, keepTally, keptTally } from "./kept-tally.ts";

// This very test may run inside the verify whose counts lie there.
const path = join(root, "reports/verify.json");
let before: string | undefined;
beforeEach(() => {
  before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
});
afterEach(() => {
  if (before === undefined) rmSync(path, { force: true });
  else writeFileSync(path, before);
});

test("the suite after verify counts on from where verify ended", () => {
  keepTally({ passed: 40, failed: 2, failures: ["lint", "types"] });
  expect(addTallies(keptTally(), { passed: 2, failed: 1, failures: ["shared"] })).toEqual({
    passed: 42,
    failed: 3,
    failures: ["lint", "types", "shared"],
  });
});

test("a verify that never came to its end is a failure, also when an earlier one did", () => {
  keepTally({ passed: 40, failed: 0, failures: [] });
  forgetTally();
  expect(keptTally()).toMatchObject({ passed: 0, failed: 1 });
});
