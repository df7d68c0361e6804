import { expect, test } from "vitest";
import { offsetOf } from "./text-place.ts";

const text = "one\ntwo\n\nfour";

test.each([
  [1, 1, 0],
  [2, 2, 5],
  [3, 1, 8],
  [4, 5, 13],
])("line %i, column %i begins at %i", (line, column, offset) => {
  expect(offsetOf(text, { line, column })).toBe(offset);
});

test("a place beyond its line or the text is the end of it", () => {
  expect(offsetOf(text, { line: 1, column: 99 })).toBe(3);
  expect(offsetOf(text, { line: 99, column: 1 })).toBe(text.length);
});
