import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { accepts, translated } from "./schema-fixtures.fixture.ts";

describe("an empty schema", () => {
  it.each([
    "type",
    "format",
    "pattern",
    "minLength",
    "maximum",
    "exclusiveMinimum",
    "uniqueItems",
    "multipleOf",
    "nullable",
    "deprecated",
    "description",
    "enum",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "allOf",
    "oneOf",
    "not",
  ])("is reported in a warning and accepts any value: %s", (keyword) => {
    const { schema, problems } = translated({ [keyword]: null });
    expect(problems).toEqual([expect.stringMatching(/^warning \/here/)]);
    for (const value of [1, "a", [], {}]) expect(accepts(schema, value)).toBe(true);
  });

  it("has no members and no schema when PHP wrote an empty list", () => {
    const { schema, problems } = translated({ type: "object", properties: [], additionalProperties: [] });
    expect(problems).toEqual(["warning /here/properties", "warning /here/additionalProperties"]);
    expect(accepts(schema, { a: 1 })).toBe(true);
    expect(translated({ properties: { a: [] } }).problems).toEqual(["warning /here/properties/a"]);
  });
});

describe("a keyword written as a text", () => {
  it.each<[JsonObject, JsonObject]>([
    [{ minLength: "2" }, { minLength: 2 }],
    [{ maximum: " 10.5 " }, { maximum: 10.5 }],
    [{ multipleOf: "0.01" }, { multipleOf: 0.01 }],
    [{ uniqueItems: "True" }, { uniqueItems: true }],
    [{ deprecated: "true" }, { deprecated: true }],
    [{ minimum: 1, exclusiveMinimum: "true" }, { exclusiveMinimum: 1 }],
    [{ minimum: 1, exclusiveMinimum: "false" }, { minimum: 1 }],
    [{ exclusiveMaximum: "9" }, { exclusiveMaximum: 9 }],
    [
      { type: "object", additionalProperties: "false" },
      { type: "object", additionalProperties: false },
    ],
    [{ type: "string", nullable: "true" }, { type: ["string", "null"] }],
    [{ type: "string", nullable: "false" }, { type: "string" }],
    [
      { type: "integer", default: "7" },
      { type: "integer", default: 7 },
    ],
  ])("is converted to its meaning, with a warning when it is ambiguous: %j", (schema, expected) => {
    expect(translated(schema).schema).toEqual(expected);
  });

  it.each<JsonObject>([
    { minLength: "two" },
    { maxLength: -1 },
    { maxLength: "unlimited" },
    { maximum: "9223372036854775807" },
    { minItems: 1.5 },
    { multipleOf: 0 },
    { uniqueItems: "maybe" },
    { nullable: "perhaps" },
    { pattern: 7 },
    { format: true },
    { properties: "name" },
    { additionalProperties: "some" },
    { required: "true" },
    { required: ["a", 1] },
    { enum: "a,b" },
  ])("without a clear meaning is ignored with a warning: %j", (schema) => {
    const { schema: out, problems } = translated(schema);
    expect(problems).toEqual([expect.stringMatching(/^warning \/here\//)]);
    expect(accepts(out, { a: "x" })).toBe(true);
    expect(accepts(out, "x")).toBe(true);
  });
});

describe("a type", () => {
  it.each([
    ["String", "string"],
    [" INTEGER ", "integer"],
    ["int", "integer"],
    ["long", "integer"],
    ["double", "number"],
    ["bool", "boolean"],
    ["Object", "object"],
    ["list", "array"],
  ])("of another language becomes a JSON type: %s", (written, type) => {
    const { schema, problems } = translated({ type: written, items: {} });
    expect(schema["type"]).toBe(type);
    expect(problems).toEqual(["warning /here/type"]);
  });

  it.each<JsonValue>(["strng", "date", "timestamp", "Money", "", 7, {}, [], ["string", "money"], null])(
    "that may be anything takes anything: %j",
    (type) => {
      const { schema, problems } = translated({ type });
      expect(problems).toEqual(["warning /here/type"]);
      expect(schema).toEqual({});
    },
  );

  it("file is bytes in OpenAPI 3.0 too, with a warning", () => {
    expect(translated({ type: "file" })).toMatchObject({
      schema: { type: "string", format: "binary" },
      problems: ["warning /here/type"],
    });
  });
});

describe("a constraint that no value could satisfy", () => {
  it("such as an enum of another type accepts the listed values", () => {
    const { schema, problems } = translated({ type: "integer", format: "int32", enum: ["Primary", "Secondary"] });
    expect(problems).toEqual(["warning /here/enum"]);
    expect(accepts(schema, "Primary")).toBe(true);
    expect(accepts(schema, 1)).toBe(false);
  });

  it("such as an enum of items beside the list applies to the items", () => {
    const { schema, problems } = translated({ type: "array", items: { type: "string" }, enum: ["a", "b"] });
    expect(problems).toEqual(["warning /here/enum"]);
    expect(accepts(schema, ["a", "b", "a"])).toBe(true);
    expect(accepts(schema, ["c"])).toBe(false);
    expect(accepts(schema, "a")).toBe(false);
  });

  it("does not arise from an enum that lists lists", () => {
    const { schema, problems } = translated({ type: "array", items: { type: "string" }, enum: [["a"], ["b"]] });
    expect(problems).toEqual([]);
    expect(accepts(schema, ["a"])).toBe(true);
    expect(accepts(schema, ["a", "b"])).toBe(false);
  });

  it.each<[JsonObject, JsonValue]>([
    [{ minLength: 10, maxLength: 5 }, "abcdefg"],
    [{ minimum: 10, maximum: 5 }, 7],
    [{ minItems: 2, maxItems: 1 }, [1]],
  ])("such as contradictory bounds is ignored: %j", (schema, value) => {
    const { schema: out, problems } = translated(schema);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^warning/);
    expect(accepts(out, value)).toBe(true);
  });

  it("such as an invalid default is left out", () => {
    expect(translated({ type: "integer", default: "many" })).toMatchObject({
      schema: { type: "integer" },
      problems: ["warning /here/default"],
    });
    const { schema, problems } = translated({ type: "string", enum: ["a"], default: "b" });
    expect(schema).not.toHaveProperty("default");
    expect(problems).toEqual(["warning /here/default"]);
  });
});

describe("a dynamic reference", () => {
  it.each(["$dynamicRef", "$recursiveRef"])("accepts any value, with a warning at its place: %s", (keyword) => {
    const { schema, problems } = translated({ type: "object", properties: { a: { [keyword]: "#node" } } });
    expect(problems).toEqual([`warning /here/properties/a/${keyword}`]);
    expect(accepts(schema, { a: 1 })).toBe(true);
  });
});

describe("an enum of single items beside the type of a list", () => {
  it.each<[string, JsonObject, readonly JsonValue[], readonly JsonValue[]]>([
    ["items that say nothing", { items: {} }, [["a"], ["a", "b"], []], ["a", ["c"]]],
    ["items of a type", { items: { type: "string" } }, [["a"]], ["a", ["c"]]],
    ["items by reference", { items: { $ref: "#/components/schemas/Text" } }, [["a"]], ["a", ["c"]]],
    ["no items", {}, [["a"]], ["a", ["c"]]],
    ["a type written in another case", { type: "Array", items: { type: "string" } }, [["a"]], ["a", ["c"]]],
    ["items with an enum of their own, which holds", { items: { enum: ["b", "c"] } }, [["b", "c"]], ["b", ["a"]]],
    ["null among the values", { nullable: true, enum: ["a", "b", null], items: {} }, [["a"], null], ["a", ["c"]]],
  ])("applies to the items, and the value is a list: %s", (_name, more, fitting, others) => {
    const schemas: JsonObject = { Text: { type: "string" } };
    const { schema, problems } = translated({ type: "array", enum: ["a", "b"], ...more }, { schemas });
    expect(problems).toContain("warning /here/enum");
    for (const value of fitting) expect(accepts(schema, value)).toBe(true);
    for (const value of others) expect(accepts(schema, value)).toBe(false);
  });

  it("applies to the list when it contains lists", () => {
    const { schema, problems } = translated({ type: "array", enum: [["a"], ["a", "b"]], items: { type: "string" } });
    expect(problems).toEqual([]);
    expect(accepts(schema, ["a", "b"])).toBe(true);
    expect(accepts(schema, ["b"])).toBe(false);
  });
});
