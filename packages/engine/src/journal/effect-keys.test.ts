import { expect, test } from "vitest";
import { callKey } from "./effect-keys.ts";

test("a call's key never changes: journals omit it, and other services know the call by it", () => {
  expect(callKey("run_1", "pay", 1, 1)).toBe("VftdzATkl8yCsK43FDi2Llr3ZzwwnxmK");
  expect(callKey("run_1", "pay", 12, 3)).toBe("kRbPEvv06KOu3MDUaiJRE9YttYVNKT0N");
});

test("a call's key has 32 characters that are valid in any header", () => {
  expect(callKey("run_01kdz98cg0ehyj6ssz4xyh2se4", "a node", 200, 50)).toMatch(/^[\w-]{32}$/);
});

test("no two calls share a key", () => {
  const keys = new Set<string>();
  let calls = 0;
  for (const runId of ["run_1", "run_11", "run_1\n"]) {
    for (const nodeId of ["a", "a1", "1"]) {
      for (let visit = 1; visit <= 12; visit++) {
        for (let call = 1; call <= 12; call++) {
          keys.add(callKey(runId, nodeId, visit, call));
          calls += 1;
        }
      }
    }
  }
  expect(keys.size).toBe(calls);
});
