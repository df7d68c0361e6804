import { expect, test } from "vitest";
import { hideToken } from "./hide-token.ts";

const token = "run_live_0123456789abcdefghij";
const hide = hideToken(token);

test("no part of the token remains, wherever a text is cut", () => {
  const text = `refused: ${token}, and more ${"x".repeat(100)}`;
  for (let at = 0; at < text.length; at++) {
    expect(hide.cut(text, at).replace(/… \(.*/, "")).toMatch(/^r?e?f?u?s?e?d?:? ?(\[[token]*\]?(,[ andmorex]*)?)?$/);
  }
});

test("no part of the token remains, wherever the service had cut the text", () => {
  for (let length = 16; length <= token.length; length++) {
    expect(hide.cut(`refused: ${token.slice(0, length)}`, 1_000)).toMatch(/^refused: (\[token\])?$/);
  }
  expect(hide.cut("It begins with run_live_", 1_000)).toBe("It begins with run_live_");
});

test("a short text without the token is unchanged, a long one ends with its length", () => {
  expect(hide.cut("refused", 7)).toBe("refused");
  expect(hide.cut("x".repeat(5_000), 10)).toBe(`${"x".repeat(10)}… (5000 characters)`);
});
