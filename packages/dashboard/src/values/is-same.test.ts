import { expect, test } from "vitest";
import { isSame } from "./is-same.ts";

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [null] }, { b: [null], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: undefined }, { a: 1 }, false],
  [{ toString: 1 }, { valueOf: 1 }, false],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [[], null, false],
  ["1", 1, false],
])("%j and %j: the same is %s", (one, other, same) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([same, same]);
});
