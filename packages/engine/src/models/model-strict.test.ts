import type { JsonObject } from "@procedo/contract";
import { expect, test } from "vitest";
import { fitsStrict } from "./model-strict.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const nested = (levels: number): JsonObject => (levels === 1 ? object({}) : object({ inner: nested(levels - 1) }));
const members = (count: number): JsonObject =>
  object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, { type: "string" }])));

test.each([
  ["no members", object({}), true, true],
  ["plain members", object({ a: { type: "string", description: "A." }, b: { type: "integer" } }), true, true],
  ["lists of objects", object({ rows: { type: "array", items: object({ id: { type: "string" } }) } }), true, true],
  ["values to choose from", object({ branch: { type: "string", enum: ["yes", "no"] } }), true, true],
  ["a format that both support", object({ on: { type: "string", format: "date" } }), true, true],
  ["five levels", nested(5), true, true],
  ["a hundred members", members(100), true, true],
  ["bounds of numbers", object({ a: { type: "integer", minimum: 1, maximum: 9 } }), true, false],
  ["lengths of lists", object({ a: { type: "array", items: { type: "null" }, maxItems: 3 } }), true, false],
  ["alternatives inside", object({ a: { anyOf: [{ type: "string" }, { type: "null" }] } }), true, false],
  ["an optional member", object({ a: { type: "string" } }, { required: [] }), false, false],
  ["open objects", { type: "object", properties: {} }, false, false],
  ["open objects inside", object({ a: { type: "object" } }), false, false],
  ["members of one schema", object({}, { additionalProperties: { type: "string" } }), false, false],
  ["a required member without a description", object({}, { required: ["a"] }), false, false],
  ["a member twice in `required`", object({ a: {}, b: {} }, { required: ["a", "a"] }), false, false],
  ["a member of any kind", object({ a: {} }), false, false],
  ["a list of any kind", object({ a: { type: "array" } }), false, false],
  ["several types", object({ a: { type: ["string", "null"] } }), false, false],
  ["a pattern", object({ a: { type: "string", pattern: "^v" } }), false, false],
  ["lengths of texts", object({ a: { type: "string", maxLength: 5 } }), false, false],
  ["a format of its own", object({ a: { type: "string", format: "iban" } }), false, false],
  ["a default", object({ a: { type: "string", default: "x" } }), false, false],
  ["references", object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: { type: "string" } } }), false, false],
  ["objects to choose from", object({ a: { type: "string", enum: [{}] } }), false, false],
  ["nothing to choose from", object({ a: { type: "string", enum: [] } }), false, false],
  ["no alternatives", object({ a: { anyOf: [] } }), false, false],
  ["six levels", nested(6), false, false],
  ["a hundred and one members", members(101), false, false],
  ["a type other than object", { type: "string" }, false, false],
] as const)("a schema with %s is enforced by OpenAI: %3$s", (_what, schema, openai, anthropic) => {
  expect({ openai: fitsStrict(schema, "openai"), anthropic: fitsStrict(schema, "anthropic") }).toEqual({
    openai,
    anthropic,
  });
  expect(fitsStrict(schema, "other")).toBe(false);
});
