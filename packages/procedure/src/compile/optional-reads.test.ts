import type { JsonValue } from "@procedo/contract";
import { expect, test } from "vitest";
import { optionalReadsOfTemplate } from "./optional-reads.ts";

test("an array is read by its items, even if it has a property that refers back to it", () => {
  const items: JsonValue[] = ["{{ input.limit }}"];
  Object.assign(items, { again: items });
  const reads = optionalReadsOfTemplate(items, {
    input: { type: "object", properties: { limit: { type: "integer" } } },
    output: () => undefined,
    mayLeaveOutAll: () => false,
    isAlwaysVisited: () => true,
    asked: new Set(),
  });
  expect(reads.map(({ path }) => path)).toEqual(["/0"]);
});
