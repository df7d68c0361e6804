import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const parse = (...settings: readonly string[]): unknown =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ["--disallow-code-generation-from-strings", join(import.meta.dirname, "parse-under-policy.ts"), ...settings],
      { encoding: "utf8" },
    ),
  );
const results = [true, true, true, false, false];

test("schemas work where code generation from text is forbidden", () => {
  expect(parse()).toMatchObject({ results });
});

test("with zod's jitless setting no attempt is made, which a policy would report", () => {
  expect(parse("jitless")).toEqual({ attempts: 0, results });
});

test("without the setting an attempt is made, so that the test above can fail", () => {
  expect(parse()).not.toMatchObject({ attempts: 0 });
});
