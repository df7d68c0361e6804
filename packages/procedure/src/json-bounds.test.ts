import { describe, expect, it } from "vitest";
import { fitsDepth, outOfBounds } from "./json-bounds.ts";

const bounds = { depth: 3, values: 10 };

describe("plain JSON within bounds", () => {
  it.each([null, true, 1.5, "x", [], {}, [[[1]]], { a: { b: { c: 1 } } }, Object.create(null) as unknown])(
    "%j passes",
    (value) => {
      expect(outOfBounds(value, bounds)).toBeUndefined();
    },
  );

  it.each<[string, unknown, string]>([
    ["nested too deep", { a: [[["x"], [[1]]]] }, "/a/0/0"],
    ["a number that JSON cannot represent", { a: [1, Number.NaN] }, "/a/1"],
    ["undefined", { a: undefined }, "/a"],
    ["a function", [() => 1], "/0"],
    ["a bigint", { "a/b": 1n }, "/a~1b"],
    ["a date", { a: new Date(0) }, "/a"],
    ["a map", { a: new Map() }, "/a"],
    ["a __proto__ key", JSON.parse('{ "a": { "__proto__": 1 } }'), "/a/__proto__"],
  ])("%s is refused at its position", (_name, value, path) => {
    expect(outOfBounds(value, bounds)).toEqual({ path, message: expect.any(String) });
  });

  it("a cycle and many references to one value are refused without endless recursion", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(outOfBounds(circle, { depth: 64, values: 1_000 })).toMatchObject({
      path: expect.stringMatching(/^(\/0)+$/),
    });
    let twice: unknown = 1;
    for (let depth = 0; depth < 60; depth += 1) twice = [twice, twice];
    expect(outOfBounds(twice, { depth: 64, values: 1_000 })).toMatchObject({ path: "" });
  });
});

describe("the depth of a value", () => {
  it("counts arrays and objects, not scalars", () => {
    expect([
      fitsDepth(1, 0),
      fitsDepth([], 0),
      fitsDepth([], 1),
      fitsDepth([{ a: 1 }], 1),
      fitsDepth([{ a: 1 }], 2),
    ]).toEqual([true, false, true, false, true]);
  });

  it("of a value of 100,000 levels is determined without recursion", () => {
    let value: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(fitsDepth(value as never, 64)).toBe(false);
  });
});
