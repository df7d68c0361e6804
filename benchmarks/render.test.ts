import { expect, test } from "vitest";
import { fillPlace, renderMarkdown, renderText } from "./render.ts";

const rows = [
  ["case", "system", "per s"],
  ["W1", "ideal-sqlite", "20000"],
  ["W1 c100", "x", "7"],
];

test("text stands to the left, figures to the right", () => {
  expect(renderText([rows]).split("\n")).toEqual([
    "case     system        per s",
    "W1       ideal-sqlite  20000",
    "W1 c100  x                 7",
  ]);
});

test("a document gets the same rows as a table", () => {
  expect(renderMarkdown([rows])).toBe(
    "| case | system | per s |\n| --- | --- | ---: |\n| W1 | ideal-sqlite | 20000 |\n| W1 c100 | x | 7 |",
  );
});

test("a document's place is filled again with what was measured last, and the rest stays", () => {
  const once = fillPlace("before\n<!-- bench --><!-- /bench -->\nafter", "bench", "first");
  expect(fillPlace(once, "bench", "second")).toBe("before\n<!-- bench -->\n\nsecond\n\n<!-- /bench -->\nafter");
});

test("a document without the place is left alone, loudly", () => {
  expect(() => fillPlace("nothing here", "bench", "text")).toThrow("no place");
});
