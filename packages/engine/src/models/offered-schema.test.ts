import type { JsonObject } from "@procedo/contract";
import { expect, test } from "vitest";
import { argumentNames } from "./argument-names.ts";
import { offeredSchema } from "./offered-schema.ts";

const names = argumentNames(["filter[name]", "$top", "plain", "body"]);
const offered = (schema: JsonObject) => offeredSchema(schema, names);

test("the description of a renamed argument starts with the name under which it is sent", () => {
  const properties = {
    "filter[name]": { type: "string", description: "Its name." },
    $top: true,
    plain: { type: "string" },
  };
  expect(offered({ type: "object", properties })).toEqual({
    type: "object",
    properties: {
      filter_name: { type: "string", description: 'Sent as "filter[name]". Its name.' },
      top: { description: 'Sent as "$top".' },
      plain: { type: "string" },
    },
  });
});

test("all keywords about the arguments use the offered names, and members of arguments keep theirs", () => {
  const schema = {
    type: "object",
    properties: { body: { type: "object", properties: { $top: {} }, required: ["$top"] } },
    required: ["$top", "plain"],
    dependentRequired: { $top: ["filter[name]"] },
    dependentSchemas: { $top: { required: ["filter[name]"] } },
    dependencies: { "filter[name]": ["$top"], plain: { required: ["$top"] } },
    anyOf: [{ required: ["$top"] }, { not: { required: ["filter[name]"] } }],
    oneOf: [true],
    allOf: [{ if: { required: ["$top"] }, then: { required: ["filter[name]"] }, else: false }],
    patternProperties: { "^x-": {} },
    propertyNames: { maxLength: 12 },
  };
  expect(offered(schema)).toEqual({
    type: "object",
    properties: { body: { type: "object", properties: { $top: {} }, required: ["$top"] } },
    required: ["top", "plain"],
    dependentRequired: { top: ["filter_name"] },
    dependentSchemas: { top: { required: ["filter_name"] } },
    dependencies: { filter_name: ["top"], plain: { required: ["top"] } },
    anyOf: [{ required: ["top"] }, { not: { required: ["filter_name"] } }],
    oneOf: [true],
    allOf: [{ if: { required: ["top"] }, then: { required: ["filter_name"] }, else: false }],
    patternProperties: { "^x-": {} },
  });
});

test("references keep their targets: a definition, an argument, or the whole schema", () => {
  const $defs = { Page: { type: "object", properties: { $top: { type: "integer" } } } };
  const schema = {
    type: "object",
    $ref: "#/$defs/Page",
    properties: {
      "filter[name]": { type: "string" },
      plain: { $ref: "#/properties/filter%5Bname%5D" },
      body: { anyOf: [{ $ref: "#" }, { $ref: "#/$defs/Page" }] },
    },
    $defs,
  };
  const { $defs: given, ...rest } = offered(schema);
  expect(rest).toEqual({
    type: "object",
    properties: {
      filter_name: { type: "string", description: 'Sent as "filter[name]".' },
      plain: { $ref: "#/properties/filter_name" },
      body: { anyOf: [{ $ref: "#/$defs/arguments" }, { $ref: "#/$defs/Page" }] },
    },
    allOf: [{ type: "object", properties: { top: { type: "integer", description: 'Sent as "$top".' } } }],
  });
  expect(given).toMatchObject({
    ...$defs,
    arguments: {
      $ref: "#/$defs/Page",
      properties: { "filter[name]": {}, plain: { $ref: "#/properties/filter_name" } },
    },
  });
});

test("a schema whose arguments all keep their names is offered unchanged", () => {
  const schema = { type: "object", properties: { plain: { $ref: "#" } } };
  expect(offeredSchema(schema, argumentNames(["plain"]))).toBe(schema);
});
