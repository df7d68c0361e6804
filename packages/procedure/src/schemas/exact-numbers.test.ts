import { cases } from "@procedo-testing/tiers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { isExactDigits } from "../numbers/exact-number.ts";
import { compileSchema } from "./compile-schema.ts";

const beyond = "9007199254740993";
const integer = { type: "integer" };

function violations(schema: JsonObject, value: JsonValue): readonly string[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.problems.map(({ path, message }) => `${path} ${message}`).join("; "));
  return compiled.validator.validate(value).map(({ path, message }) => `${path} ${message}`);
}

describe("digits that a double would change, in place of a number", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["an integer", integer, beyond],
    ["a number", { type: "number" }, "0.1000000000000000055"],
    ["a number or null", { type: ["integer", "null"] }, beyond],
    ["a member", { type: "object", properties: { id: integer }, required: ["id"] }, { id: beyond }],
    ["an unnamed member", { type: "object", additionalProperties: integer }, { any: beyond }],
    ["a member by its pattern", { type: "object", patternProperties: { "^id": integer } }, { id_1: beyond }],
    ["an item", { type: "array", items: integer }, [1, beyond]],
    ["an item of a tuple", { prefixItems: [{ type: "string" }, integer] }, ["a", beyond]],
    ["a referenced schema", { $ref: "#/$defs/id", $defs: { id: integer } }, beyond],
    ["parts of allOf", { allOf: [integer, { minimum: 1 }] }, beyond],
    ["a nullable number", { anyOf: [integer, { type: "null" }] }, beyond],
    [
      "an integer that OpenAPI calls nullable",
      { properties: { a: { ...integer, nullable: true }, b: { ...integer, nullable: true } } },
      { a: beyond, b: null },
    ],
    ["an integer that OpenAPI calls not nullable", { ...integer, nullable: false }, beyond],
    [
      "a number or a text with a distinct pattern",
      { anyOf: [integer, { type: "string", pattern: "^[a-z]+$" }] },
      beyond,
    ],
    ["a number or a shorter text", { oneOf: [integer, { type: "string", maxLength: 9 }] }, beyond],
    ["a number or a text of another form", { oneOf: [integer, { type: "string", format: "uuid" }] }, beyond],
    ["one of a number and a list", { oneOf: [integer, { type: "array", items: integer }] }, [beyond]],
    [
      "a number beside conditions",
      { if: { properties: { a: integer } }, then: { properties: { a: integer } }, properties: { a: integer } },
      { a: beyond },
    ],
    [
      "an integer with rules for texts, which do not apply to numbers",
      { type: "integer", maxLength: 10, pattern: "^x$" },
      beyond,
    ],
    ["a listed number", { type: "integer", enum: [1, beyond] }, "9007199254740993.0"],
    ["a constant", { type: "number", const: "1e400" }, "10e399"],
    ["a multiple", { type: "integer", multipleOf: 3 }, beyond],
    ["a multiple of a fraction", { type: "number", multipleOf: 0.01 }, "90071992547409931.25"],
    ["different items", { type: "array", items: integer, uniqueItems: true }, [beyond, "9007199254740995"]],
    ["the largest of 64 bits", { type: "integer", format: "int64" }, "9223372036854775807"],
    [
      "draft 07",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [integer], additionalItems: integer },
      [1, beyond],
    ],
  ])("match %s", (_place, schema, value) => expect(violations(schema, value)).toEqual([]));

  it.each<[string, JsonObject, JsonValue, string]>([
    ["a fraction for an integer", integer, "9007199254740993.5", " must be an integer."],
    [
      "a maximum that the nearest double meets",
      { type: "integer", maximum: 9007199254740992 },
      beyond,
      " must be <= 9007199254740992.",
    ],
    ["a minimum", { type: "integer", minimum: 9007199254740994 }, beyond, " must be >= 9007199254740994."],
    [
      "an exclusive bound",
      { type: "number", exclusiveMaximum: 9007199254740992 },
      beyond,
      " must be < 9007199254740992.",
    ],
    ["a bound in another part", { allOf: [integer, { maximum: 10 }] }, beyond, " must be <= 10."],
    ["a factor", { type: "integer", multipleOf: 2 }, beyond, " must be a multiple of 2."],
    ["64 bits", { type: "integer", format: "int64" }, "9223372036854775809", ' must have the format "int64".'],
    ["32 bits", { type: "integer", format: "int32" }, beyond, ' must have the format "int32".'],
    ["a list of values", { type: "integer", enum: [9007199254740992] }, beyond, " must be one of 9007199254740992."],
    [
      "a duplicate item",
      { type: "array", items: integer, uniqueItems: true },
      [beyond, "9007199254740993.0"],
      " must not hold equal items: number 0 and 1, from 0, are equal.",
    ],
  ])("are checked exactly: %s", (_rule, schema, value, message) =>
    expect(violations(schema, value)).toEqual([message]),
  );

  it("are reported together with all other violations", () => {
    const schema = { type: "object", properties: { id: integer, n: integer, s: { type: "string" } } };
    expect(violations(schema, { id: beyond, n: "42", s: 1 })).toEqual([
      "/n must be an integer.",
      "/s must be a string.",
    ]);
  });

  it("are within bounds exactly if their big integer is", () => {
    const bound = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** 53 + 2 * n);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2n ** 53n - 80n, max: 2n ** 53n + 80n }),
        bound,
        bound,
        (value, minimum, maximum) => {
          const json = isExactDigits(String(value)) ? String(value) : Number(value);
          const fits = value >= BigInt(minimum) && value <= BigInt(maximum);
          expect(violations({ type: "integer", minimum, maximum }, json).length === 0).toBe(fits);
        },
      ),
      { numRuns: cases({ commit: 200, nightly: 2_000, release: 10_000 }) },
    );
  });
});

describe("a text", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["a text", { type: "string" }, beyond],
    ["anything", {}, beyond],
    ["a text or a number", { type: ["string", "integer"], maximum: 10 }, beyond],
    ["one of a number and a text", { oneOf: [integer, { type: "string" }] }, beyond],
    ["any of a number and anything", { anyOf: [integer, {}] }, beyond],
    [
      "one of two objects",
      { oneOf: [{ properties: { id: integer } }, { properties: { id: { type: "string" } } }] },
      { id: beyond },
    ],
    [
      "a number or a text that may be of digits",
      { anyOf: [integer, { type: "string", pattern: "^[0-9]+$", maxLength: 30 }] },
      beyond,
    ],
    ["a text by its pattern", { type: "string", pattern: "^[0-9]{16}$" }, beyond],
    [
      "the object that a constant selects",
      {
        oneOf: [
          { properties: { kind: { const: "a" }, id: integer, n: integer } },
          { properties: { kind: { const: "b" }, id: { type: "string" }, n: integer } },
        ],
      },
      { kind: "b", id: beyond, n: beyond },
    ],
  ])("of digits stays a text if the schema accepts %s", (_kind, schema, value) =>
    expect(violations(schema, value)).toEqual([]),
  );

  it.each(["42", "007", "9007199254740992", " 9007199254740993", "1e3", "NaN", ""])(
    "%j is not an integer, because a number beyond a double has another notation",
    (text) => expect(violations(integer, text)).toEqual([" must be an integer."]),
  );

  it("of digits is not a boolean, list or object", () => {
    for (const type of ["boolean", "array", "object", "null"]) expect(violations({ type }, beyond)).toHaveLength(1);
  });

  it("keeps its violations if references lead in a circle at one position", () => {
    const schema = { anyOf: [{ $ref: "#" }, { type: "boolean" }] };
    const compiled = compileSchema(schema);
    if (compiled.ok) expect(compiled.validator.validate(beyond).length).toBeGreaterThan(0);
  });
});

it("the 64 bits of a format are exact for doubles too", () => {
  expect(violations({ type: "integer", format: "int64" }, 2 ** 62)).toEqual([]);
  expect(violations({ type: "integer", format: "int64" }, 2 ** 63)).toHaveLength(1);
});
