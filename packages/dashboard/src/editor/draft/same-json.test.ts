import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sameJson } from "./same-json.ts";

test("values are the same in any order of members, and with members that are undefined or missing", () => {
  expect(sameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
  expect(sameJson({ a: undefined }, {})).toBe(true);
  expect(sameJson({ a: undefined, b: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(sameJson([], {})).toBe(false);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson(null, {})).toBe(false);
  expect(sameJson(JSON.parse('{ "__proto__": 1 }'), { toString: 1 })).toBe(false);
});

test("a value is the same as its copy, and as no other", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const text = JSON.stringify(one);
      expect(sameJson(one, JSON.parse(text))).toBe(true);
      if (sameJson(one, other)) expect(JSON.parse(JSON.stringify(other))).toEqual(JSON.parse(text));
    }),
  );
});
