import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { accepts, translated, translatorOf, schemaDocument } from "./schema-fixtures.fixture.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text: JsonObject = { type: "string" };

const closed = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...(required.length > 0 && { required }),
});

const schemas: JsonObject = {
  Party: closed({ name: text }, "name"),
  Payee: { allOf: [ref("Party"), closed({ iban: text }, "iban")] },
  Vendor: { allOf: [ref("Payee"), { type: "object", properties: { city: text } }] },
};
const payee: JsonObject = { name: "a", iban: "b" };

/** Requires `{ name, iban }` and accepts no other member. */
const payees: readonly (readonly [string, JsonObject])[] = [
  ["parts side by side", { allOf: [ref("Party"), closed({ iban: text }, "iban")] }],
  ["a part beside an open one", { allOf: [ref("Party"), { properties: { iban: text }, required: ["iban"] }] }],
  ["a part beside members", { allOf: [ref("Party")], properties: { iban: text }, required: ["iban"] }],
  [
    "members beside an open part",
    { ...closed({ iban: text }, "iban"), allOf: [{ properties: { name: text }, required: ["name"] }] },
  ],
  ["a part within a part", { allOf: [{ allOf: [ref("Party")] }, { allOf: [closed({ iban: text }, "iban")] }] }],
  ["parts behind references", { allOf: [ref("Payee"), { description: "a payee" }] }],
  ["parts of what a reference names", ref("Payee")],
  ["a requirement that no part describes", { allOf: [ref("Party"), { required: ["iban"] }] }],
  ["a requirement of a single object", { ...closed({ name: text }), required: ["name", "iban"] }],
  ["members beside alternatives", { ...closed({ name: text }, "name"), anyOf: [closed({ iban: text }, "iban")] }],
];

describe("closed parts of an object", () => {
  it.each(payees)("accept each other's members, and no others: %s", (_name, schema) => {
    const places: readonly (readonly [JsonObject, (value: JsonValue) => JsonValue])[] = [
      [schema, (value) => value],
      [{ type: "object", properties: { payee: schema }, required: ["payee"] }, (value) => ({ payee: value })],
      [{ type: "array", items: schema }, (value) => [value]],
      [{ type: "object", additionalProperties: schema }, (value) => ({ any: value })],
      [
        { type: "object", properties: { a: { type: "array", items: { properties: { b: schema } } } } },
        (b) => ({ a: [{ b }] }),
      ],
      [{ anyOf: [{ type: "integer" }, schema] }, (value) => value],
      [{ allOf: [schema] }, (value) => value],
    ];
    for (const purpose of ["request", "response"] as const) {
      for (const [place, at] of places) {
        const { schema: out, problems } = translated(place, { schemas, purpose });
        expect(problems).toEqual([]);
        expect(accepts(out, at(payee))).toBe(true);
        expect(accepts(out, at({ ...payee, other: 1 }))).toBe(false);
        expect(accepts(out, at({ name: "a" }))).toBe(false);
        expect(accepts(out, at({ iban: "b" }))).toBe(false);
        expect(accepts(out, at({ name: 7, iban: "b" }))).toBe(false);
      }
    }
  });

  it("may be null when the object may", () => {
    const parts: JsonObject = { allOf: [ref("Party"), closed({ iban: text }, "iban")] };
    const typed: JsonObject = { type: ["object", "null"] };
    const schemas31 = { Party: { ...closed({ name: text }, "name"), ...typed } };
    const nullable: readonly (readonly [JsonObject, JsonObject])[] = [
      [{ nullable: true, ...parts }, schemas],
      [{ allOf: [ref("Party"), { ...closed({ iban: text }, "iban"), ...typed }] }, schemas31],
    ];
    for (const [schema, named] of nullable) {
      const { schema: out } = translated({ type: "array", items: schema }, { schemas: named });
      expect(accepts(out, [null, payee])).toBe(true);
      expect(accepts(out, [{ name: "a" }])).toBe(false);
    }
    const { schema: out } = translated({ type: "array", items: parts }, { schemas });
    expect(accepts(out, [null])).toBe(false);
  });

  it("of alternatives accept the members beside the alternatives", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { kind: text },
      required: ["kind"],
      oneOf: [closed({ card: text }, "card"), closed({ iban: text }, "iban")],
    };
    const { schema: out } = translated({ type: "array", items: schema }, { schemas });
    expect(accepts(out, [{ kind: "a", card: "b" }])).toBe(true);
    expect(accepts(out, [{ kind: "a", iban: "b" }])).toBe(true);
    expect(accepts(out, [{ kind: "a" }])).toBe(false);
    expect(accepts(out, [{ card: "b" }])).toBe(false);
  });

  it("keep alternatives closed that need no outer members", () => {
    const schema: JsonObject = { oneOf: [closed({ card: text }, "card"), closed({ iban: text }, "iban")] };
    const { schema: out } = translated({ type: "array", items: schema }, { schemas });
    expect(accepts(out, [{ card: "a" }])).toBe(true);
    expect(accepts(out, [{ card: "a", iban: "b" }])).toBe(false);
  });

  it("keep the bounds and refusals of each part", () => {
    const schema: JsonObject = {
      allOf: [
        { ...closed({ a: text }), maxProperties: 1 },
        { properties: { b: text }, not: { required: ["a"] } },
      ],
    };
    const { schema: out } = translated({ type: "array", items: schema });
    expect(accepts(out, [{ b: "x" }])).toBe(true);
    expect(accepts(out, [{ a: "x" }])).toBe(false);
    expect(accepts(out, [{ a: "x", b: "x" }])).toBe(false);
  });

  it("accept members beside the schema of additional ones, which does not apply to them", () => {
    const numbers: JsonObject = { type: "object", additionalProperties: { type: "integer" } };
    const { schema: out } = translated({ type: "array", items: { allOf: [numbers, { properties: { a: text } }] } });
    expect(accepts(out, [{ a: "x", b: 1 }])).toBe(true);
    expect(accepts(out, [{ a: "x", b: "y" }])).toBe(false);
  });

  it("are merged in a member that several parts describe", () => {
    const schema: JsonObject = {
      allOf: [{ properties: { payee: ref("Party") } }, { properties: { payee: closed({ iban: text }) } }],
    };
    const { members, schema: out } = translated(schema, { schemas });
    expect(accepts(out, { payee })).toBe(true);
    expect(accepts(members?.properties.get("payee") ?? {}, payee)).toBe(true);
    expect(accepts(out, { payee: { ...payee, other: 1 } })).toBe(false);
  });

  it("are merged in schemas that refer to each other, with the definitions that the merged one needs", () => {
    const tree: JsonObject = {
      Node: { allOf: [ref("Base"), closed({ next: ref("Node"), payee: ref("Payee") })] },
      Base: closed({ id: text, party: ref("Party") }, "id"),
      ...schemas,
    };
    const translator = translatorOf(schemaDocument(tree));
    // In either order: a schema may be translated before or after the merged schema to which it refers.
    for (const name of ["Base", "Node"]) {
      const { schema } = translator.translate({ type: "array", items: ref(name) }, `/${name}`);
      const out = translator.assemble(schema);
      const value = { id: "1", party: { name: "a" }, ...(name === "Node" && { payee, next: { id: "2" } }) };
      expect(accepts(out, [value])).toBe(true);
      expect(accepts(out, [{ ...value, party: { name: 7 } }])).toBe(false);
    }
  });

  it("that cannot be merged are reported, because no value matches", () => {
    const schema: JsonObject = {
      allOf: [closed({ a: text }, "a"), { type: "object", required: ["b"], enum: [{ b: 1 }] }],
    };
    expect(translated({ type: "array", items: schema }).problems).toEqual(["warning /here/items"]);
  });

  it("stay a reference when they forbid nothing", () => {
    const { schema: out } = translated({ type: "object", properties: { a: { allOf: [ref("Payee")] } } }, { schemas });
    expect(out["properties"]).toEqual({ a: { allOf: [{ $ref: "#/$defs/Payee" }] } });
  });

  it("that multiply stay unchanged, without enumeration", () => {
    const chain: Record<string, JsonObject> = { L300: closed({ end: text }) };
    for (let level = 0; level < 300; level += 1) {
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${level}_${index}`, text]));
      chain[`L${level}`] = { allOf: [ref(`L${level + 1}`), closed(many)] };
    }
    expect(() => translated({ type: "array", items: ref("L0") }, { schemas: chain })).not.toThrow();
  });
});
