import { expect, test } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { surelyFails } from "./sure-failure.ts";

test("a search examines at most as many alternatives of a large value as its steps allow", () => {
  const value = Object.fromEntries(Array.from({ length: 100 }, (_one, index) => [`m${index}`, "v"]));
  let looks = 0;
  const alternative = (): JsonObject => ({
    get properties() {
      looks += 1;
      return { other: { type: "integer" } };
    },
  });
  const search = { root: {}, stepsLeft: 1_000 };
  const alternatives = Array.from({ length: 300 }, alternative);
  expect(alternatives.filter((one) => surelyFails(one, value, search))).toEqual([]);
  expect(looks).toBe(10);
  expect(surelyFails({ type: "array" }, value, search)).toBe(false);
  expect(surelyFails({ type: "array" }, value, { root: {}, stepsLeft: 1 })).toBe(true);
});
