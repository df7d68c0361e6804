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

test.each(values)("joins the pieces of %j to the same text as JSON.stringify", (value) => {
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
});

test("joins the pieces of any object to its JSON text", () => {
  const object = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()), fc.constant(undefined)));
  fc.assert(
    fc.property(object, (value) => {
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
    }),
  );
});

test("keeps each piece of a large answer near 64 KiB, regardless of the length of its strings", () => {
  const steps = Array.from({ length: 100 }, (_one, index) => ({
    input: { lines: Array.from({ length: 300 }, (_line, number) => ({ number, text: "x".repeat(100) })) },
    output: { text: index === 7 ? `y${"😀".repeat(500_000)}` : "z" },
  }));
  const pieces = [...jsonPieces({ runId: "run_1", steps })];
  expect(pieces.join("")).toBe(JSON.stringify({ runId: "run_1", steps }));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(130 * 1024);
});
