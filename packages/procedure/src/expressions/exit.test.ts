import { describe, expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { problemsOf, sampleScope, untyped, valueOf } from "./sample-scope.ts";

describe("an expression gives plain JSON", () => {
  test.each([
    ["1 + 1", 2],
    ["[1, 2.5, 'a', null, true]", [1, 2.5, "a", null, true]],
    ["{'a': {'b': [1]}}", { a: { b: [1] } }],
    ["decimal('12.50')", "12.50"],
    ["[decimal('12.50')]", ["12.50"]],
    ["{'total': decimal('1.10') * 2, 'due': timestamp('2026-01-01')}", { total: "2.20", due: "2026-01-01T00:00:00Z" }],
    ["[1, 2].map(n, {'n': decimal('1') * n})", [{ n: "1" }, { n: "2" }]],
    ["duration('90s')", "90s"],
    ["{'a': [input.?missing]}", { a: [] }],
    ["[1].filter(x, true) + [decimal('2')]", [1, "2"]],
    ["null", null],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  test("a value that was read is returned as the same object, not a copy", () => {
    const input = { a: { b: [1, { c: 2 }] } };
    expect(valueOf("input", input)).toBe(input);
    expect(valueOf("input.a.b", input)).toBe(input.a.b);
    expect((valueOf("[input.a, decimal('1')]", input) as unknown[])[0]).toBe(input.a);
    expect((valueOf("{'x': input.a}", input) as { x: unknown }).x).toBe(input.a);
  });

  test("a value that was read is not changed", () => {
    const input = Object.freeze([Object.freeze({ a: 1 })]);
    expect(valueOf("(input + [1]).map(x, [x])", input)).toEqual([[{ a: 1 }], [1]]);
    expect(input).toEqual([{ a: 1 }]);
  });

  test.each(["5u", "b'abc'", "0xFFu"])("%s, which JSON does not have, is refused before evaluation", (source) => {
    expect(problemsOf(source)).toContain("JSON has neither");
  });

  test.each(["{1: 'a'}", "{true: 'a'}", "{'a': 1, 'a': 2}"])("%s is not an object", (source) => {
    expect(problemsOf(source)).not.toBe("");
  });

  test("a key that is not text at evaluation fails", () => {
    expect(() => valueOf("{input: 1}", 5)).toThrow("has a key that is not text");
  });
});

test("evaluating twice gives the same result, and concurrent evaluations do not interfere", () => {
  const compiled = compileExpression("input.map(n, input.filter(m, m > n))", untyped);
  if (!compiled.ok) throw new Error("does not compile");
  const [one, other] = [sampleScope([1, 2, 3]), sampleScope([5])];
  const first = compiled.expression.evaluate(one);
  expect(compiled.expression.evaluate(other)).toEqual({ ok: true, value: [[]] });
  expect(compiled.expression.evaluate(one)).toEqual(first);
});
