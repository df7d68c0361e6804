import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

const input = {
  lines: [
    { name: "paper", price: 4.5 },
    { name: "ink", price: 30 },
  ],
  some: [1, "two", { x: 3 }],
  map: { a: 1, b: 2 },
};

describe("macros", () => {
  test.each([
    ["input.lines.all(l, l.price > 1)", true],
    ["input.lines.all(l, l.price > 5)", false],
    ["[].all(x, x > 1)", true],
    ["input.lines.exists(l, l.name == 'ink')", true],
    ["[].exists(x, true)", false],
    ["input.lines.exists_one(l, l.price > 5)", true],
    ["input.lines.exists_one(l, l.price > 1)", false],
    ["input.lines.map(l, l.name)", ["paper", "ink"]],
    ["input.lines.map(l, l.price > 5, l.name)", ["ink"]],
    ["input.lines.filter(l, l.price < 5)", [{ name: "paper", price: 4.5 }]],
    ["input.map.map(k, k)", ["a", "b"]],
    ["input.map.all(k, input.map[k] > 0)", true],
    [
      "input.lines.map(l, input.lines.map(m, l.price + m.price))",
      [
        [9, 34.5],
        [34.5, 60],
      ],
    ],
    ["input.lines.filter(l, l.price > 1).map(m, m.name).join('+')", "paper+ink"],
    ["[[1, 2], [3]].map(a, a.map(b, b * 2).filter(c, c > size(a)))", [[4], [6]]],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source, input)).toEqual(value);
  });

  test("as in CEL, an item that decides makes the failure of another irrelevant", () => {
    expect(valueOf("input.some.exists(s, s.x == 3)", input)).toBe(true);
    expect(valueOf("input.some.all(s, s > 5)", input)).toBe(false);
    expect(() => valueOf("input.some.exists(s, s.x == 4)", input)).toThrow('s is a number and has no field "x"');
    expect(() => valueOf("input.some.all(s, s == 1 || s.x > 0)", input)).toThrow("s is text");
    expect(() => valueOf("input.some.exists_one(s, s.x == 3)", input)).toThrow("s is a number");
  });

  test("items are returned unchanged, as the same objects", () => {
    const kept = valueOf("input.lines.filter(l, l.price > 5)", input) as unknown[];
    expect(kept[0]).toBe(input.lines[1]);
  });

  test.each([
    ["input.lines.all(1, true)", "invalid predicate iteration variable"],
    ["input.lines.all(l)", "all takes a variable and an expression"],
    ["input.lines.all(l, l, l)", "all takes a variable and an expression"],
    ["input.lines.all(input, true)", 'The variable "input" would hide'],
    ["input.lines.all(l, input.lines.all(l, true))", 'The variable "l" would hide'],
    ["input.amount.all(x, true)", "goes over a list or an object's keys"],
    ["input.lines.all(l, l.price)", "must be true or false"],
    ["input.lines.map(l, l.?name)", "may be absent"],
    ["l", 'There is no "l" here'],
  ])("%s is refused before evaluation: %s", (source, message) => {
    expect(problemsOf(source)).toContain(message);
  });

  test("a value that is not a list at evaluation fails", () => {
    expect(() => valueOf("input.all(x, true)", "text")).toThrow("goes over text");
    expect(() => valueOf("input.map(x, x)", null)).toThrow("goes over null");
  });
});
