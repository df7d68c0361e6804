import { expect, test } from "vitest";
import { jsonLines, maxLines } from "./json-lines.ts";

const all = () => true;

test("a closed value is one line with its size", () => {
  const { lines } = jsonLines({ a: 1, b: [1, 2] }, () => false);
  expect(lines).toEqual([{ pointer: "", depth: 0, name: undefined, value: { a: 1, b: [1, 2] }, size: 2 }]);
});

test("open values show their members, with pointers", () => {
  const { lines, hasMore } = jsonLines({ "a/b": { "~": null }, c: [true] }, all);
  expect(lines.map(({ pointer, depth }) => [pointer, depth])).toEqual([
    ["", 0],
    ["/a~1b", 1],
    ["/a~1b/~0", 2],
    ["/c", 1],
    ["/c/0", 2],
  ]);
  expect(hasMore).toBe(false);
});

test("a large value ends after the greatest number of lines", () => {
  const value = Array.from({ length: 1_000_000 }, (_, index) => index);
  const { lines, hasMore } = jsonLines(value, all);
  expect([lines.length, hasMore]).toEqual([maxLines, true]);
});
