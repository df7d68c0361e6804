import { expect, test } from "vitest";
import { encodeOutput } from "./encode-output.ts";

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

test.each([
  [undefined, undefined],
  [null, "null"],
  ["", '""'],
  [0, "0"],
  [false, "false"],
  [{ at: new Date(0), none: undefined }, '{"at":"1970-01-01T00:00:00.000Z"}'],
])("%j is sent as %s", (output, text) => {
  expect(encodeOutput(output)).toEqual({ ok: true, text });
});

test("64 levels are sent, 65 are rejected, and brackets in strings do not count", () => {
  expect(encodeOutput(nested(64))).toMatchObject({ ok: true });
  expect(encodeOutput(nested(65))).toEqual({
    ok: false,
    message: "The result cannot be sent as JSON: it nests deeper than 64 levels.",
  });
  expect(encodeOutput({ text: `\\"${"[".repeat(100)}` })).toMatchObject({ ok: true });
});

test.each([
  ["a function", () => () => 1, "it is a function"],
  ["a member that is a function", () => ({ f: () => 1 }), '"f" is a function'],
  ["a symbol", () => [Symbol("s")], '"0" is a symbol'],
  ["a BigInt", () => 1n, "it is a BigInt; return it as a string"],
  ["Infinity", () => ({ rate: 1 / 0 }), '"rate" is Infinity'],
  ["a set", () => ({ names: new Set() }), '"names" is a Map or Set; return an object or array'],
  ["a promise that was not awaited", () => ({ later: Promise.resolve() }), '"later" is a promise; await it'],
  ["something that hides itself", () => ({ toJSON: () => undefined }), "its toJSON returns nothing"],
  ["more levels than the stack holds", () => nested(100_000), "Maximum call stack size exceeded"],
])("%s is rejected with a reason instead of being dropped or changed", (_name, make, reason) => {
  expect(encodeOutput(make())).toEqual({ ok: false, message: `The result cannot be sent as JSON: ${reason}.` });
});
