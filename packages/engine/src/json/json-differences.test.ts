import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "@procedo/contract";
import { describeDifference, jsonDifferences } from "./json-differences.ts";

const reported = (before: JsonValue, after: JsonValue) => jsonDifferences(before, after).map(describeDifference);

describe("two values", () => {
  test.each<[string, JsonValue, JsonValue, readonly string[]]>([
    ["that are the same", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ["in another order", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ["with a different member", { a: { b: 1 } }, { a: { b: 2 } }, ["/a/b: 1 became 2"]],
    ["with a member that only the second has", { a: 1 }, { a: 1, b: [2] }, ["/b: [2] is new"]],
    ["with an item that only the first has", [1, 2], [1], ["/1: 2 is gone"]],
    ["of different kinds", { a: [] }, { a: {} }, ["/a: [] became {}"]],
    ["that are no objects", "x", 5, ['the whole: "x" became 5']],
    [
      "with names that a pointer escapes",
      { "a/b": 1, "~": 1 },
      { "a/b": 2, "~": 2 },
      ["/a~1b: 1 became 2", "/~0: 1 became 2"],
    ],
    ["with null and nothing", { a: null }, {}, ["/a: null is gone"]],
    ["with a name that objects have", {}, { toString: 1 }, ["/toString: 1 is new"]],
  ])("%s", (_what, before, after, lines) => {
    expect(reported(before, after)).toEqual(lines);
  });

  test("have no differences exactly when they are equal", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [before, after] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
        expect(jsonDifferences(before ?? null, before ?? null)).toEqual([]);
        const same = jsonDifferences(before ?? null, after ?? null).length === 0;
        expect(same).toBe(sorted(before ?? null) === sorted(after ?? null));
      }),
    );
  });
});

test("shows long texts around their first difference, and the beginning of other long values", () => {
  const text = (word: string) => `${"a".repeat(500)}${word}${"z".repeat(500)}`;
  const [line = ""] = reported(text("one"), text("two"));
  expect(line).toMatch(/^the whole: …"a+onez+"… became …"a+twoz+"…$/);
  expect(line.length).toBeLessThan(300);
  expect(reported({ list: [1] }, { list: Array<number>(200).fill(1) }).length).toBe(199);
  expect(reported(null, Array<number>(200).fill(1))[0]).toMatch(/^the whole: null became \[1,.*…$/);
});

function sorted(value: JsonValue): string {
  return JSON.stringify(value, (_name, member: JsonValue) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
