import fc from "fast-check";
import { expect, test } from "vitest";
import { Digits, readExactJson, writeExactJson } from "./exact-json.ts";

test.each(["0.10", "1e3", "-0.0", "123456789012345678", "9007199254740993", "1E+400"])(
  "%s keeps its digits",
  (digits) => {
    expect(readExactJson(digits)).toEqual(new Digits(digits));
    expect(writeExactJson(readExactJson(`{"amount": [${digits}]}`))).toBe(`{\n  "amount": [\n    ${digits}\n  ]\n}`);
  },
);

test("a text that looks like a number, and every name, stay what they are", () => {
  const text = String.raw`{"__proto__":"n1","a\"1":["s","1e3","\\"],"":{}}`;
  const value = readExactJson(text);
  expect(value).toEqual(
    new Map<string, unknown>([
      ["__proto__", "n1"],
      ['a"1', ["s", "1e3", "\\"]],
      ["", new Map()],
    ]),
  );
  expect(readExactJson(writeExactJson(value))).toEqual(value);
});

test("what is written is read as the same value", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (json) => {
      expect(JSON.parse(writeExactJson(readExactJson(json)))).toEqual(JSON.parse(json));
    }),
  );
});

test("a text that is not JSON is refused", () => {
  expect(() => readExactJson("{a: 1}")).toThrow(SyntaxError);
});
