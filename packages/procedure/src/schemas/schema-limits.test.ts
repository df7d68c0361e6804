import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { compileSchema, type SchemaOptions } from "./compile-schema.ts";

function refusal(schema: JsonObject, options: SchemaOptions = {}) {
  const compiled = compileSchema(schema, options);
  return compiled.ok ? [] : compiled.problems;
}

const members = (count: number, make: (index: number) => JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, make(index)]));
const tooMany = [{ path: "", message: expect.stringContaining("more than 4000 schemas") as string }];

describe("a schema is refused, with the limit in the message, if it has", () => {
  it.each<[string, JsonObject]>([
    ["many properties", { properties: members(4_100, () => ({ type: "string" })) }],
    [
      "many references",
      { $defs: { a: { type: "string" } }, properties: members(1_100, () => ({ $ref: "#/$defs/a" })) },
    ],
    ["many enums", { properties: members(1_100, () => ({ enum: [1, 2] })) }],
    ["many alternatives of oneOf", { oneOf: Array.from({ length: 1_100 }, (_, index) => ({ minProperties: index })) }],
    ["many names that depend on another", { dependentRequired: { a: Object.keys(members(4_100, () => 1)) } }],
    [
      "many names with unevaluated ones",
      { properties: members(1_100, () => ({ type: "string" })), unevaluatedProperties: false },
    ],
    ["many constants in alternatives", { anyOf: Array.from({ length: 1_100 }, (_, index) => ({ const: index })) }],
  ])("%s", (_name, schema) => {
    expect(refusal(schema)).toEqual(tooMany);
    expect(refusal(schema, { unsupportedPatterns: "ignore" })).toEqual(tooMany);
  });

  it("the same object in many places", () => {
    const shared: JsonObject = { type: "string", minLength: 1 };
    expect(refusal({ properties: members(3_400, () => shared) })).toEqual([
      { path: "", message: expect.stringContaining("more than 10000 values") as string },
    ]);
    expect(refusal({ properties: members(900, () => ({ items: shared, pattern: "^a" })) })).toEqual(tooMany);
  });

  it("patterns with too many characters in total, reported at the first of them", () => {
    const schema = { properties: members(20, (index) => ({ pattern: `${"abcdefghij".repeat(60)}${index}` })) };
    const [first, ...others] = refusal(schema);
    expect(first?.path).toMatch(/^\/properties\/member\d+\/pattern$/);
    expect(first?.message).toContain("10000 characters");
    expect(others).toHaveLength(3);
  });

  it("patterns with too many instructions in total", () => {
    const schema = { allOf: Array.from({ length: 30 }, (_, index) => ({ pattern: `\\w{900}${index}` })) };
    expect(refusal(schema)[0]?.message).toContain("20000 instructions");
  });

  it("many names with patterns of their own", () => {
    const patternProperties = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`^name${index}[a-z]$`, {}]),
    );
    expect(refusal({ patternProperties })[0]).toEqual({
      path: expect.stringMatching(/^\/patternProperties\//) as string,
      message: expect.stringContaining("10000 characters") as string,
    });
  });

  it.each([
    ["(?:a{1,30}){1,30}".repeat(100)],
    ["((a{0,30}){0,30}b){0,1}".repeat(80)],
    ["(?:[^x]{30}){30}(?:\\d{30}){30}(?:x{30}){40}(?:(?:ab){15}){200}"],
  ])("a pattern with nested repetitions, before the engine expands them: %.30s", (pattern) => {
    expect(refusal({ pattern })).toEqual([{ path: "/pattern", message: expect.stringContaining("2000 instructions") }]);
  });

  it.each([
    ["to nothing", { $ref: `#/$defs/${"a".repeat(100_000)}` }],
    ["outside", { $ref: `https://example.com/${"a".repeat(100_000)}` }],
    [
      "to data",
      { $id: "https://a.b/", $ref: `https://a.b/#/default/${"a".repeat(9_000)}`, default: { ["a".repeat(9_000)]: {} } },
    ],
  ])("a reference %s, of which the message quotes the beginning", (_name, schema) => {
    const [problem] = refusal(schema);
    expect(problem?.message).toContain("aaa");
    expect(problem?.message.length).toBeLessThan(1_000);
  });

  it("a reference to a position that is data, through an $id", () => {
    const hidden: JsonObject = {
      $id: "https://example.com/top",
      default: { a: { type: "array", items: { $ref: "https://example.com/top#/default/a" } } },
      $ref: "https://example.com/top#/default/a",
    };
    expect(refusal(hidden)).toEqual([{ path: "", message: expect.stringContaining("$defs") }]);
  });
});

describe("a schema with too many patterns", () => {
  it("is used without the excess ones if another service checks them again", () => {
    const schema = { properties: members(20, (index) => ({ pattern: `^${"a".repeat(600)}${index}$` })) };
    const compiled = compileSchema(schema, { unsupportedPatterns: "ignore" });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    const violated = compiled.validator.validate(members(20, () => "b")).length;
    expect(violated).toBeGreaterThan(10);
    expect(violated).toBeLessThan(20);
  });

  it("does not result from the same pattern in many places", () => {
    const schema = { properties: members(900, () => ({ pattern: "^[A-Z]{3}$" })) };
    expect(refusal(schema)).toEqual([]);
  });
});
