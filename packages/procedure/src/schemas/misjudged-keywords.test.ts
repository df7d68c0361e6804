import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { compileSchema } from "./compile-schema.ts";

function violations(schema: JsonObject, value: JsonValue) {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validator.validate(value);
}

function refusal(schema: JsonObject) {
  const compiled = compileSchema(schema);
  return compiled.ok ? [] : compiled.problems;
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("a schema", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["a dynamic reference", object({ a: { $dynamicRef: "#node" } }), ["/properties/a/$dynamicRef"]],
    [
      "a recursive reference",
      { $schema: "https://json-schema.org/draft/2019-09/schema", items: { $recursiveRef: "#" } },
      ["/items/$recursiveRef"],
    ],
    [
      "unevaluatedItems beside contains",
      { contains: { type: "string" }, unevaluatedItems: false },
      ["/unevaluatedItems"],
    ],
    [
      "unevaluatedItems beside a part with contains",
      object({ list: { unevaluatedItems: { type: "string" }, allOf: [{ if: {}, then: { contains: {} } }] } }),
      ["/properties/list/unevaluatedItems"],
    ],
    [
      "unevaluatedItems beside a reference to contains",
      { $defs: { one: { contains: {} } }, $ref: "#/$defs/one", unevaluatedItems: false },
      ["/unevaluatedItems"],
    ],
    [
      "unevaluatedItems beside an anchor with contains",
      { $defs: { one: { $anchor: "one", contains: {} } }, $ref: "#one", unevaluatedItems: false },
      ["/unevaluatedItems"],
    ],
    [
      "unevaluatedItems beside items in an alternative",
      { oneOf: [{ items: { type: "string" } }, {}], unevaluatedItems: false },
      ["/unevaluatedItems"],
    ],
    [
      "unevaluatedItems beside prefixItems of an alternative in a part",
      { allOf: [{ anyOf: [{ prefixItems: [{ type: "string" }] }, {}] }], unevaluatedItems: false },
      ["/unevaluatedItems"],
    ],
    [
      "unevaluatedItems beside items in a condition",
      { if: { items: { type: "string" } }, then: {}, unevaluatedItems: false },
      ["/unevaluatedItems"],
    ],
    [
      "unevaluatedProperties beside patternProperties behind a reference in an alternative",
      {
        $defs: { one: { patternProperties: { a: { type: "string" } } } },
        anyOf: [{ $ref: "#/$defs/one" }, {}],
        unevaluatedProperties: false,
      },
      ["/unevaluatedProperties"],
    ],
    [
      "keywords that draft 07 does not have",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        dependentRequired: { a: ["b"] },
        contains: {},
        minContains: 2,
      },
      ["/dependentRequired", "/minContains"],
    ],
    ["a list in items beside a keyword of 2020-12", { items: [{}], unevaluatedItems: false }, ["/unevaluatedItems"]],
  ])("that would be checked wrongly is refused at its position: %s", (_name, schema, paths) => {
    expect(refusal(schema).map(({ path }) => path)).toEqual(paths);
  });

  it("may have unevaluated items beside contains of their own, and anchors named as dynamic", () => {
    const schema: JsonObject = { unevaluatedItems: { contains: { type: "string" } }, prefixItems: [{ contains: {} }] };
    expect(violations(schema, [[1], ["a"]])).toEqual([]);
    expect(violations(schema, [[1], [1]])).toHaveLength(1);
    expect(violations({ contains: { type: "string" }, unevaluatedItems: true }, ["a", 1])).toEqual([]);
    const parts: JsonObject = { allOf: [{ prefixItems: [{}] }, { patternProperties: { a: {} } }] };
    const closed: JsonObject = { ...parts, unevaluatedItems: false, unevaluatedProperties: false };
    expect(violations(closed, [1])).toEqual([]);
    expect(violations(closed, [1, 2])).toHaveLength(1);
    expect(violations(closed, { a: 1 })).toEqual([]);
    expect(violations(closed, { b: 1 })).toHaveLength(1);
    const branches: JsonObject = { anyOf: [{ properties: { a: {} } }, {}], unevaluatedProperties: false };
    expect(violations(branches, { a: 1 })).toEqual([]);
    expect(violations(branches, { b: 1 })).toHaveLength(1);
    const anchored: JsonObject = { $ref: "#node", $defs: { node: { $dynamicAnchor: "node", type: "string" } } };
    expect(violations(anchored, 1)).toHaveLength(1);
  });
});
