import { expect, test } from "vitest";
import { encodeJson } from "./request-json.ts";

const circle: { self?: unknown } = {};
circle.self = circle;

test.each([
  ["NaN", { amount: Number.NaN }, "inexact_number"],
  ["a BigInt", { amount: 2n }, "inexact_number"],
  ["a circle", circle, "malformed_request"],
])("refuses a value that JSON cannot represent, with a code: %s", (_what, value, code) => {
  expect(() => encodeJson(value)).toThrow(expect.objectContaining({ code }));
});

test("encodes any other value as JSON does", () => {
  expect(encodeJson({ a: [1, null, "é"], b: undefined, at: new Date(0) })).toBe(
    '{"a":[1,null,"é"],"at":"1970-01-01T00:00:00.000Z"}',
  );
});
