import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { accepts, translated } from "./schema-fixtures.fixture.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text: JsonObject = { type: "string" };

const schemas: JsonObject = {
  Profile: { type: "string", enum: ["a", "b"] },
  Base: { type: "object", required: ["kind"], properties: { kind: { type: "string", enum: ["base"] }, id: text } },
  Child: { allOf: [ref("Base"), { type: "object", properties: { kind: { type: "string", enum: ["child"] } } }] },
};

/** Schema, values that match the intention, values that do not. */
type Case = readonly [string, JsonObject, readonly JsonValue[], readonly JsonValue[]];

const cases: readonly Case[] = [
  ["an object around a reference to a text", { type: "object", allOf: [ref("Profile")] }, ["a"], ["c", {}]],
  ["a text and an integer", { allOf: [text, { type: "integer" }] }, ["a", 1, {}], []],
  ["a text with members", { allOf: [text, { type: "object", properties: { a: text } }] }, ["a", { a: "x" }], []],
  ["listed values that differ", { allOf: [ref("Profile"), { enum: ["c"] }] }, ["a", "b", "c"], ["d", 1]],
  ["an integer beside names", { allOf: [{ type: "integer" }, { enum: ["Primary"] }] }, ["Primary"], [1, "x"]],
  [
    "an integer beside names, or null",
    { nullable: true, allOf: [{ type: "integer" }, { enum: ["Primary"] }] },
    ["Primary", null],
    ["x"],
  ],
  [
    "a text beside alternatives, one an object",
    {
      type: "string",
      anyOf: [
        { type: "string", enum: ["gh-pages"] },
        { type: "object", properties: { branch: text } },
      ],
    },
    ["gh-pages", { branch: "main" }],
    ["x", 7, { branch: 7 }],
  ],
  [
    "a list beside alternatives that are objects",
    { type: "array", items: {}, oneOf: [ref("Base"), { type: "object", required: ["a"], properties: { a: text } }] },
    [{ kind: "base" }, { a: "x" }],
    [[], {}],
  ],
  [
    "an object beside a text or null",
    { type: "object", oneOf: [ref("Profile"), { type: "integer" }], nullable: true },
    ["a", 1, null],
    ["c", {}],
  ],
  ["values that are null alone", { type: "string", enum: [null] }, ["a"], [1, null]],
  [
    "a member that two parts list differently",
    ref("Child"),
    [{ kind: "child" }, { kind: "base", id: "1" }],
    [{ kind: "x" }, {}],
  ],
];

describe("a schema that no value can match literally", () => {
  it.each(cases)("accepts the intended values, with one warning: %s", (_name, schema, fitting, others) => {
    const { schema: out, problems } = translated(
      { type: "object", required: ["m"], properties: { m: schema } },
      { schemas },
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^warning /);
    for (const value of fitting) expect(accepts(out, { m: value })).toBe(true);
    for (const value of others) expect(accepts(out, { m: value })).toBe(false);
  });

  it.each(cases)("accepts the same values in a response: %s", (_name, schema, fitting) => {
    const { schema: out } = translated({ type: "array", items: schema }, { schemas, purpose: "response" });
    for (const value of fitting) expect(accepts(out, [value])).toBe(true);
  });

  it("is reported at its place in the document", () => {
    const at = (schema: JsonObject) => translated({ type: "object", properties: { m: schema } }, { schemas }).problems;
    expect(at({ type: "object", allOf: [ref("Profile")] })).toEqual(["warning /here/properties/m"]);
    expect(at({ nullable: true, allOf: [text, { type: "integer" }] })).toEqual(["warning /here/properties/m"]);
    expect(at({ type: "array", items: { oneOf: [{ allOf: [{ type: "integer" }, { enum: ["a"] }] }, text] } })).toEqual([
      "warning /here/properties/m/items/oneOf/0",
    ]);
  });

  it("keeps its descriptions", () => {
    const described: JsonObject = { title: "T", description: "D", type: "object", allOf: [text] };
    expect(translated(described).schema).toEqual({ title: "T", description: "D", allOf: [text] });
  });
});

describe("a schema that values can match", () => {
  it.each<[string, JsonObject]>([
    ["a number that is whole", { allOf: [{ type: "number" }, { type: "integer" }] }],
    ["listed values in common", { allOf: [ref("Profile"), { enum: ["b", "c"] }] }],
    ["null beside other types", { allOf: [{ type: ["string", "null"] }, { type: "string" }] }],
    ["only null", { type: "string", nullable: true, enum: [null] }],
    ["lists that are listed", { type: "array", items: text, enum: [["a"], ["b"]] }],
    ["a member that parts describe alike", { allOf: [ref("Base"), { properties: { kind: { enum: ["base", "x"] } } }] }],
  ])("stays unchanged: %s", (_name, schema) => {
    const { problems } = translated({ type: "object", properties: { m: schema } }, { schemas });
    expect(problems.filter((problem) => !problem.endsWith("/type"))).toEqual([]);
  });
});
