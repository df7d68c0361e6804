import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { translated } from "./schema-fixtures.fixture.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

function members(schema: JsonObject, schemas: JsonObject = {}) {
  const found = translated(schema, { schemas }).members;
  return found === undefined ? undefined : { ...found, properties: Object.fromEntries(found.properties) };
}

describe("the members of an object schema", () => {
  it("include all parts of allOf, through references, and keep required ones required", () => {
    const schemas: JsonObject = {
      Base: {
        type: "object",
        required: ["currency"],
        properties: { currency: { type: "string" }, note: { type: "string" } },
      },
    };
    const schema: JsonObject = {
      allOf: [
        ref("Base"),
        ref("Base"),
        { type: "object", required: ["amount"], properties: { amount: { type: "integer" }, note: { maxLength: 9 } } },
        { description: "says nothing of members" },
      ],
    };
    expect(members(schema, schemas)).toEqual({
      properties: { currency: { type: "string" }, note: { type: "string", maxLength: 9 }, amount: { type: "integer" } },
      required: ["currency", "amount"],
      alternatives: [],
      additional: undefined,
      empty: false,
    });
  });

  it("with different descriptions must match all of them", () => {
    const schema: JsonObject = {
      allOf: [
        { properties: { a: { type: "string", minLength: 1, description: "first" } } },
        { properties: { a: { type: "string", minLength: 5, description: "second" } } },
      ],
    };
    expect(members(schema)?.properties["a"]).toEqual({
      allOf: [expect.objectContaining({ minLength: 1 }), expect.objectContaining({ minLength: 5 })],
    });
  });

  it("include all alternatives, which are kept; members required by all of them are required", () => {
    const schemas: JsonObject = {
      Card: {
        type: "object",
        required: ["kind", "pan"],
        properties: { kind: { enum: ["card"] }, pan: { type: "string" } },
      },
      Sepa: {
        type: "object",
        required: ["kind", "iban"],
        properties: { kind: { enum: ["sepa"] }, iban: { type: "string" } },
      },
    };
    const found = members({ oneOf: [ref("Card"), ref("Sepa")] }, schemas);
    expect(found?.properties).toEqual({
      kind: { anyOf: [{ enum: ["card"] }, { enum: ["sepa"] }] },
      pan: { type: "string" },
      iban: { type: "string" },
    });
    expect(found?.required).toEqual(["kind"]);
    expect(found?.alternatives).toHaveLength(1);
    expect(found?.alternatives[0]?.kind).toBe("oneOf");
    expect(found?.alternatives[0]?.of.map(({ required }) => required)).toEqual([
      ["kind", "pan"],
      ["kind", "iban"],
    ]);
  });

  it("may belong to any of several alternatives that differed only in forbidden members", () => {
    const closed = (name: string) => ({ properties: { [name]: {} }, additionalProperties: false });
    expect(members({ oneOf: [closed("a"), closed("b")] })?.alternatives[0]?.kind).toBe("anyOf");
  });

  it("are the same for nullable and other schemas", () => {
    const schemas: JsonObject = { A: { type: "object", properties: { a: { type: "string" } } } };
    expect(members({ nullable: true, allOf: [ref("A")] }, schemas)?.properties).toEqual({ a: { type: "string" } });
    expect(members({ type: "object", nullable: true, properties: { a: {} } })?.properties).toEqual({ a: {} });
  });

  it.each<[string, JsonObject, boolean | JsonObject | undefined, boolean]>([
    ["nothing", { type: "object" }, undefined, true],
    ["that it is open", { type: "object", additionalProperties: true }, true, true],
    ["that it is closed", { properties: { a: {} }, additionalProperties: false }, false, false],
    ["what other members are", { additionalProperties: { type: "integer" } }, { type: "integer" }, true],
    [
      "in a part that it is closed",
      { allOf: [{ additionalProperties: true }, { additionalProperties: false }] },
      false,
      true,
    ],
    ["in an alternative that it is open", { anyOf: [{ additionalProperties: true }, { type: "object" }] }, true, true],
  ])("are open or closed as the schema says: %s", (_name, schema, additional, empty) => {
    expect(members(schema)).toMatchObject({ additional, empty });
  });

  it.each<[string, JsonObject]>([
    ["a list", { type: "array", items: {} }],
    ["a text", { type: "string" }],
    ["anything", {}],
    ["an object or a text", { oneOf: [{ type: "object" }, { type: "string" }] }],
    ["a list in a part", { allOf: [{ type: "array", items: {} }] }],
    ["one of given objects", { type: "object", enum: [{ a: 1 }] }],
    ["several types", { type: ["object", "string"] }],
  ])("are undefined when a value may be %s", (_name, schema) => {
    expect(members(schema)).toBeUndefined();
  });

  it("of alternatives that multiply are abandoned without enumeration", () => {
    const schemas: Record<string, JsonObject> = { L30: { type: "object", properties: { end: {} } } };
    for (let level = 0; level < 30; level += 1) {
      schemas[`L${level}`] = { type: "object", anyOf: [ref(`L${level + 1}`), { allOf: [ref(`L${level + 1}`)] }] };
    }
    expect(members(ref("L0"), schemas)).toBeUndefined();
    const many = Array.from({ length: 3_000 }, (_, index) => ({ required: [`a${index}`] }));
    expect(members({ type: "object", anyOf: many })).toBeUndefined();
  });
});
