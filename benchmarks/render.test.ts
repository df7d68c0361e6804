import { expect, test } from "vitest";
import { fillPlace, renderMarkdown, renderText } from "./render.ts";

const rows = [
  ["case", "system", "per s"],
  ["W1", "ideal-sqlite", "20000"],
  ["W1 c100", "x", "7"],
];

test("text is aligned left, figures are aligned right", () => {
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

test("the marked part of a document is replaced with the latest measurements, and the rest stays", () => {
  const once = fillPlace("before\n<!-- bench --><!-- /bench -->\nafter", "bench", "first");
  expect(fillPlace(once, "bench", "second")).toBe("before\n<!-- bench -->\n\nsecond\n\n<!-- /bench -->\nafter");
});

test("a document without the mark is left unchanged, with an error", () => {
  expect(() => fillPlace("nothing here", "bench", "text")).toThrow("no place");
});
