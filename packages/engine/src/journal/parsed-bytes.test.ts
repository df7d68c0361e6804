import { expect, test } from "vitest";
import { parsedBytes } from "./parsed-bytes.ts";

test("a text counts twice its length, and 64 bytes for each object and list", () => {
  expect(parsedBytes("")).toBe(0);
  expect(parsedBytes('"abc"')).toBe(10);
  expect(parsedBytes("[{},{},[]]")).toBe(20 + 4 * 64);
});
