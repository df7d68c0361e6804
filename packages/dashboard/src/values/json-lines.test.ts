import { expect, test } from "vitest";
import { hasFewLines, jsonLines, maxLines, membersAtOnce, type JsonValue } from "./json-lines.ts";

const isOpen = () => true;

test("a closed value is one line with its size", () => {
  const { lines } = jsonLines({ a: 1, b: [1, 2] }, { isOpen: () => false });
  expect(lines).toEqual([
    { kind: "value", pointer: "", depth: 0, name: undefined, value: { a: 1, b: [1, 2] }, size: 2 },
  ]);
});

test("open values show their members, with pointers", () => {
  const { lines, hasMore } = jsonLines({ "a/b": { "~": null }, c: [true] }, { isOpen });
  expect(lines.map(({ pointer, depth }) => [pointer, depth])).toEqual([
    ["", 0],
    ["/a~1b", 1],
    ["/a~1b/~0", 2],
    ["/c", 1],
    ["/c/0", 2],
  ]);
  expect(hasMore).toBe(false);
});

test("a list of a million items shows the first, and how many there are beyond them", () => {
  const value = { items: Array.from({ length: 1_000_000 }, (_, index) => index), total: 7 };
  const { lines, hasMore } = jsonLines(value, { isOpen });
  expect(lines.length).toBe(membersAtOnce + 4);
  expect(lines.at(-2)).toEqual({ kind: "rest", pointer: "/items", depth: 2, count: 1_000_000 - membersAtOnce });
  expect(lines.at(-1)).toMatchObject({ pointer: "/total", value: 7 });
  expect(hasMore).toBe(false);
});

test("no value makes more than the greatest number of lines", () => {
  const value = Array.from({ length: 1_000_000 }, (_, index) => index);
  const { lines, hasMore } = jsonLines(value, { isOpen, shownMembers: () => value.length });
  expect([lines.length, hasMore]).toEqual([maxLines, true]);
});

test("members with the names of built-in members are shown as they are", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}') as JsonValue;
  const { lines } = jsonLines(value, { isOpen });
  expect(lines.map((line) => [line.pointer, line.kind === "value" ? line.value : undefined]).slice(1)).toEqual([
    ["/__proto__", { a: 1 }],
    ["/__proto__/a", 1],
    ["/constructor", 2],
    ["/toString", 3],
  ]);
});

test("lines are counted up to the limit", () => {
  expect(hasFewLines({ a: [1, 2], b: null }, 5)).toBe(true);
  expect(hasFewLines({ a: [1, 2], b: null }, 4)).toBe(false);
  expect(hasFewLines("text", 1)).toBe(true);
});
