import { expect, test } from "vitest";
import { readVerifierLine } from "./measure-verifier.ts";

test("the verifier's line contains its rate and the rate of its ceiling", () => {
  const line = "webhook verifier, 2000 B: 90000 verified/s, 0.90 of createHmac + JSON.parse (floor 0.80, goal 0.95)\n";
  expect(readVerifierLine(line)).toEqual({ own: 90_000, ceiling: 100_000 });
});

test("a line without figures is not a measurement", () => {
  expect(() => readVerifierLine("webhook verifier, 2000 B: NaN verified/s\n")).toThrow(/something else/);
});
