import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPieces } from "./json-pieces.ts";

const values: readonly unknown[] = [
  null,
  0,
  "",
  'Größe \u2028 \ud800 "quoted" 😀',
  [],
  {},
  [[], {}, [undefined, 1, null]],
  { a: undefined, b: { c: [1.5, -0, 1e21, { d: "e" }], "": true }, __proto__: null },
  JSON.parse('{"__proto__":{"x":1},"2":"b","1":"a"}'),
  JSON.parse(`${"[".repeat(60)}1${"]".repeat(60)}`),
];

test.each(values)("the pieces of %j make the text that JSON.stringify makes", (value) => {
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
});

test("the pieces of any object make it", () => {
  const object = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined)));
  fc.assert(
    fc.property(object, (value) => {
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
    }),
  );
});

test("no piece of a large answer is much longer than 64 KiB, however long its texts are", () => {
  const steps = Array.from({ length: 100 }, (_one, index) => ({
    input: { lines: Array.from({ length: 300 }, (_line, number) => ({ number, text: "x".repeat(100) })) },
    output: { text: index === 7 ? `y${"😀".repeat(500_000)}` : "z" },
  }));
  const pieces = [...jsonPieces({ runId: "run_1", steps })];
  expect(pieces.join("")).toBe(JSON.stringify({ runId: "run_1", steps }));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(130 * 1024);
});
