import { expect, test } from "vitest";
import { parsedBytes, rowMemory, valueMemory } from "./parsed-bytes.ts";

test("a text counts twice its length, and 64 bytes for each object and list", () => {
  expect(parsedBytes("")).toBe(0);
  expect(parsedBytes('"abc"')).toBe(10);
  expect(parsedBytes("[{},{},[]]")).toBe(20 + 4 * 64);
});

test("the estimate of a value is near that of its text: equal for containers, within a tenth for characters", () => {
  const row = { id: "pay_1_abcdefgh", amount: 1_000, currency: "EUR", lines: [{}, [], { n: null }], isPaid: true };
  for (const value of [{}, [[], {}], Array.from({ length: 100 }, () => row), "text".repeat(50)]) {
    const inRow = rowMemory(JSON.stringify(value));
    expect(valueMemory(value)).toBeGreaterThanOrEqual(inRow * 0.9);
    expect(valueMemory(value)).toBeLessThanOrEqual(inRow * 1.1);
  }
});
