import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { problemsOf } from "./sample-scope.ts";
import { scopeTypes } from "./scope-types.ts";

const problems = (source: string, input: JsonObject) =>
  problemsOf(source, scopeTypes({ input, outputs: new Map([["a", input]]) }));

describe("properties are read as closed", () => {
  const vendor = { type: "object", properties: { id: { type: "string" } } };

  test.each<[string, JsonObject]>([
    ["by default", vendor],
    ["without a type", { properties: vendor.properties }],
    ["with additionalProperties: false", { ...vendor, additionalProperties: false }],
    ["where null is allowed", { ...vendor, type: ["object", "null"] }],
    ["as one of null and an object", { anyOf: [vendor, { type: "null" }] }],
    ["as the only alternative", { allOf: [vendor] }],
    ["behind a reference", { $ref: "#/$defs/vendor", $defs: { vendor } }],
  ])("%s", (_how, schema) => {
    expect(problems("input.idd", schema)).toContain('did you mean "id"?');
    expect(problems("nodes.a.output.idd", schema)).toContain('did you mean "id"?');
    expect(problems("input.id + 1", schema)).toContain("text");
    expect(problems("input.id == 'x'", schema)).toBe("");
  });

  test.each<[string, JsonObject]>([
    ["additionalProperties: true", { ...vendor, additionalProperties: true }],
    ["no properties at all", { type: "object" }],
    ["patternProperties", { ...vendor, patternProperties: { "^x": {} } }],
    ["alternatives", { oneOf: [vendor, { type: "object", properties: { idd: {} } }] }],
    ["several types", { type: ["object", "string"] }],
    ["a reference to elsewhere", { $ref: "https://example.com/schema" }],
    ["a reference to nothing", { $ref: "#/$defs/nothing" }],
    ["no schema", {}],
  ])("unless the schema has %s", (_what, schema) => {
    expect(problems("input.idd", schema)).toBe("");
  });

  test("properties of additionalProperties' type are allowed, as that type", () => {
    const schema = { type: "object", properties: { id: { type: "string" } }, additionalProperties: { type: "number" } };
    expect(problems("input.other > 1", schema)).toBe("");
    expect(problems("input.other == 'a'", schema)).toContain("never equal");
  });
});

describe("types", () => {
  const of = (schema: JsonObject) => ({ type: "object", properties: { x: schema } });

  test.each<[JsonObject, string]>([
    [{ type: "integer" }, "input.x > 1.5"],
    [{ type: "number" }, "input.x > 1"],
    [{ type: ["integer", "number", "null"] }, "input.x > 1"],
    [{ type: ["string", "null"] }, "input.x == null || input.x == 'a'"],
    [{ enum: ["a", "b"] }, "input.x == 'a'"],
    [{ const: 1 }, "input.x + 1 == 2"],
    [{ enum: ["a", 1] }, "input.x == 1"],
    [{ enum: [{}, null] }, "input.x.y"],
    [{ type: "array", items: { type: "number" } }, "input.x[0] > 1"],
    [{ type: "array" }, "input.x[0].whatever"],
    [{ type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } }, "input.x[0] == 'a'"],
    [{ type: "boolean" }, "input.x ? 1 : 2"],
    [{ type: "null" }, "input.x == null"],
    [{ oneOf: [{ type: "string" }, { type: "number" }] }, "input.x == 1 || input.x == 'a'"],
    [{ type: "anything else" }, "input.x + 1"],
  ])("%j allows %s", (schema, source) => {
    expect(problems(source, of(schema))).toBe("");
  });

  test.each<[JsonObject, string]>([
    [{ type: "integer" }, "input.x == '1'"],
    [{ type: ["string", "null"] }, "input.x + 1"],
    [{ enum: ["a", "b"] }, "input.x == 1"],
    [{ const: true }, "input.x + 1"],
    [{ type: "array", items: { type: "number" } }, "input.x[0] == 'a'"],
    [{ type: "boolean" }, "input.x > 1"],
    [{ type: "string" }, "input.x.y"],
  ])("%j refuses %s", (schema, source) => {
    expect(problems(source, of(schema))).not.toBe("");
  });
});

test("a schema that contains itself is followed as far as the expression goes", () => {
  const schema: JsonObject = {
    $ref: "#/$defs/unit",
    $defs: {
      unit: {
        type: "object",
        properties: {
          name: { type: "string" },
          parent: { $ref: "#/$defs/unit" },
          parts: { type: "array", items: { $ref: "#" } },
        },
      },
    },
  };
  expect(problems("input.parent.parent.parts[0].parent.name == 'a'", schema)).toBe("");
  expect(problems("input.parent.parts[0].parent.nam", schema)).toContain('did you mean "name"?');
});

test("a schema that only refers to itself is unknown, and ends", () => {
  expect(problems("input.x", { $ref: "#" })).toBe("");
  expect(
    problems("input.x", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }),
  ).toBe("");
});

test("names of references are decoded", () => {
  const schema = { $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { type: "object", properties: { id: {} } } } };
  expect(problems("input.idd", schema)).toContain('did you mean "id"?');
});
