import { describe, expect, test } from "vitest";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { maxJsonDepth } from "./limits.ts";
import { requestProblems } from "./request-problems.ts";

const nested = (levels: number): unknown => {
  let value: unknown = 0;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

describe("a JSON value", () => {
  test.each([null, "", 0, -1.5, true, [], {}, [{ a: [null] }], Object.create(null)])("may be %j", (value) => {
    expect(jsonValueSchema.safeParse(value).success).toBe(true);
  });

  test.each([
    undefined,
    NaN,
    Infinity,
    1n,
    new Date(0),
    new Map(),
    () => 0,
    Symbol("s"),
    [undefined],
    { a: undefined },
  ])("may not be %s", (value) => {
    expect(jsonValueSchema.safeParse(value).success).toBe(false);
  });

  test("is returned unchanged, including a member named __proto__", () => {
    const value: unknown = JSON.parse('{"__proto__":{"admin":true},"a":1}');
    const parsed = jsonValueSchema.parse(value);
    expect(parsed).toBe(value);
    expect(JSON.stringify(parsed)).toBe('{"__proto__":{"admin":true},"a":1}');
  });

  test("may nest as deep as the limit and no deeper", () => {
    expect(jsonValueSchema.safeParse(nested(maxJsonDepth)).success).toBe(true);
    expect(jsonValueSchema.safeParse(nested(maxJsonDepth + 1)).success).toBe(false);
  });

  test("that is nested a million levels deep, or contains itself, is refused like any deep value", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(jsonValueSchema.safeParse(nested(1_000_000)).success).toBe(false);
    expect(jsonValueSchema.safeParse(cycle).success).toBe(false);
  });

  test("that does not fit is reported by its position", () => {
    const result = jsonValueSchema.safeParse({ items: [1, { "a/b": NaN }] });
    expect(result.error && requestProblems(result.error)).toEqual([
      { kind: "invalid", path: "/items/1/a~1b", message: "must be a finite number" },
    ]);
  });
});

test.each([[[]], ["text"], [null], [1]])("a JSON object may not be %j", (value) => {
  const result = jsonObjectSchema.safeParse(value);
  expect(result.error && requestProblems(result.error)).toEqual([
    { kind: "invalid", path: "", message: "must be an object" },
  ]);
});
