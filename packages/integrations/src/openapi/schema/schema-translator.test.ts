import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { accepts, schemaDocument, translated, translatorOf } from "./schema-fixtures.fixture.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

describe("a schema of OpenAPI 3.0", () => {
  it("keeps types, formats, bounds, enums, defaults and descriptions", () => {
    const schema: JsonObject = {
      type: "object",
      title: "Payment",
      description: "To a vendor",
      required: ["amount"],
      minProperties: 1,
      maxProperties: 9,
      additionalProperties: false,
      properties: {
        amount: { type: "integer", format: "int64", minimum: 1, maximum: 100, multipleOf: 5, default: 5 },
        currency: { type: "string", enum: ["EUR", "USD"], minLength: 3, maxLength: 3, pattern: "^[A-Z]+$" },
        tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3, uniqueItems: true },
        old: { type: "boolean", deprecated: true },
      },
    };
    expect(translated(schema)).toMatchObject({ schema, problems: [] });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "nullable with an enum",
      { type: "string", nullable: true, enum: ["a"] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    ["nullable without a type", { nullable: true }, {}],
    ["x-nullable", { type: "integer", "x-nullable": true }, { type: ["integer", "null"] }],
    ["nullable: false", { type: "string", nullable: false }, { type: "string" }],
    ["exclusiveMinimum: true", { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
    ["exclusiveMaximum: true", { maximum: 9, exclusiveMaximum: true }, { exclusiveMaximum: 9 }],
    ["exclusiveMinimum: false", { minimum: 0, exclusiveMinimum: false }, { minimum: 0 }],
    ["exclusiveMinimum without a minimum", { exclusiveMinimum: true }, {}],
    ["example", { type: "string", example: "x" }, { type: "string", examples: ["x"] }],
    [
      "keywords outside JSON Schema",
      { type: "string", xml: { name: "a" }, externalDocs: {}, "x-order": 1 },
      { type: "string" },
    ],
    ["$ref with siblings", { $ref: "#/components/schemas/A", nullable: true, description: "x" }, { type: "boolean" }],
    ["an enum doubled", { enum: ["a", "b", "a"] }, { enum: ["a", "b"] }],
  ])("has %s translated", (_name, schema, expected) => {
    expect(translated(schema, { schemas: { A: { type: "boolean" } } })).toMatchObject({
      schema: expected,
      problems: [],
    });
  });

  it("allows null in a schema that is nullable through parts or a reference", () => {
    const address: JsonObject = { type: "object", required: ["street"], properties: { street: { type: "string" } } };
    const { schema } = translated(
      { nullable: true, description: "Where to", allOf: [ref("Address")] },
      { schemas: { Address: address } },
    );
    expect(schema["description"]).toBe("Where to");
    expect(accepts(schema, null)).toBe(true);
    expect(accepts(schema, { street: "x" })).toBe(true);
    expect(accepts(schema, {})).toBe(false);
  });

  it("leaves read-only members out of requests, wherever they are declared or required", () => {
    const schemas: JsonObject = {
      Id: { type: "string", readOnly: true },
      Base: {
        type: "object",
        properties: { id: ref("Id"), created: { allOf: [{ type: "string" }, { readOnly: true }] } },
      },
    };
    const schema: JsonObject = {
      allOf: [
        ref("Base"),
        { required: ["id", "created", "name"], properties: { name: { type: "string" }, pin: { writeOnly: true } } },
      ],
    };
    const request = translated(schema, { schemas });
    expect([...(request.members?.properties.keys() ?? [])]).toEqual(["name", "pin"]);
    expect(request.members?.required).toEqual(["name"]);
    expect(accepts(request.schema, { name: "x" })).toBe(true);
    const response = translated(schema, { schemas, purpose: "response" });
    expect([...(response.members?.properties.keys() ?? [])]).toEqual(["id", "created", "name"]);
    expect(accepts(response.schema, { name: "x" })).toBe(false);
  });

  it("of a response keeps constraints, not descriptions", () => {
    const schema: JsonObject = {
      type: "string",
      title: "T",
      description: "D",
      default: "x",
      example: "y",
      format: "date",
    };
    expect(translated(schema, { purpose: "response" }).schema).toEqual({ type: "string", format: "date" });
  });

  it("distinguishes alternatives by the names that a discriminator maps to them", () => {
    const schemas: JsonObject = {
      Card: { type: "object", required: ["kind"], properties: { kind: { type: "string" }, pan: { type: "string" } } },
      Sepa: { type: "object", required: ["kind"], properties: { kind: { type: "string" }, iban: { type: "string" } } },
      Cash: { type: "object", properties: { kind: { type: "string", enum: ["coins"] } } },
    };
    const { schema } = translated(
      {
        oneOf: [ref("Card"), ref("Sepa"), ref("Cash")],
        discriminator: {
          propertyName: "kind",
          mapping: { card: "#/components/schemas/Card", sepa: "Sepa", iban: "Sepa", cash: "Cash" },
        },
      },
      { schemas },
    );
    expect(accepts(schema, { kind: "card" })).toBe(true);
    expect(accepts(schema, { kind: "iban" })).toBe(true);
    expect(accepts(schema, { kind: "wire" })).toBe(false);
    // The mapping of Cash contradicts Cash, so it has no effect.
    expect(accepts(schema, { kind: "coins" })).toBe(true);
  });

  it.each<[string, JsonValue, string]>([
    ["an unknown type", { type: "strng" }, "warning /here/type"],
    ["an invalid type", { type: 7 }, "warning /here/type"],
    ["a length as text", { minLength: "3" }, "warning /here/minLength"],
    ["a negative length", { maxLength: -1 }, "warning /here/maxLength"],
    ["a bound as text", { minimum: "0" }, "warning /here/minimum"],
    ["a factor of zero", { multipleOf: 0 }, "warning /here/multipleOf"],
    ["an exclusive bound as text", { exclusiveMinimum: "yes" }, "warning /here/exclusiveMinimum"],
    ["nullable as text", { nullable: "true" }, "warning /here/nullable"],
    ["properties as a list", { properties: [] }, "warning /here/properties"],
    ["a property as text", { properties: { a: "string" } }, "warning /here/properties/a"],
    ["required as text", { required: "a" }, "warning /here/required"],
    ["an invalid required name", { required: ["a", 1] }, "warning /here/required/1"],
    ["an enum as text", { enum: "a,b" }, "warning /here/enum"],
    ["allOf as an object", { allOf: {} }, "warning /here/allOf"],
    ["a part as text", { anyOf: ["x"] }, "warning /here/anyOf/0"],
    ["not as a list", { not: [] }, "warning /here/not"],
    ["additionalProperties as text", { additionalProperties: "no" }, "warning /here/additionalProperties"],
    ["a reference to nothing", { items: { $ref: "#/components/schemas/None" } }, "warning /here/items/$ref"],
    ["a reference out of the document", { $ref: "a.json#/B" }, "warning /here/$ref"],
    ["a reference that is no text", { $ref: {} }, "warning /here/$ref"],
    ["no schema but a list", [], "warning /here"],
    ["a required member __proto__", { required: ["__proto__"] }, "error /here/required/0"],
    ["required as in draft 3", { properties: { a: { required: true } } }, "warning /here/properties/a/required"],
    ["an invalid description", { description: ["x"] }, "warning /here/description"],
    ["an invalid pattern", { pattern: "([unclosed" }, "warning /here/pattern"],
    ["a pattern that looks ahead", { pattern: "^(?=a)b$" }, "warning /here/pattern"],
    ["an empty enum", { enum: [] }, "warning /here/enum"],
    ["an empty schema", { properties: { a: null } }, "warning /here/properties/a"],
    ["a list without items", { type: "array" }, "warning /here"],
    ["items as a list", { items: [{}] }, "warning /here/items"],
    ["types of OpenAPI 3.1", { type: ["string", "null"] }, "warning /here/type"],
    ["bounds of OpenAPI 3.1", { exclusiveMinimum: 3 }, "warning /here/exclusiveMinimum"],
    ["keywords of OpenAPI 3.1", { const: 1 }, "warning /here/const"],
    ["an enum in another type", { type: "string", enum: [1] }, "warning /here/enum"],
  ])("with %s is reported at its place, and still compiles", (_name, schema, problem) => {
    const { problems, schema: out } = translated(schema);
    expect(problems).toEqual([problem]);
    expect(() => accepts(out, 1)).not.toThrow();
  });

  it("leaves out an invalid pattern, which would make other validators throw, and keeps an unchecked one", () => {
    expect(translated({ pattern: "([unclosed" }).schema).not.toHaveProperty("pattern");
    expect(translated({ pattern: "^(?=a)b$" }).schema).toHaveProperty("pattern", "^(?=a)b$");
  });

  it.each(["enum", "default"])("warns of a number in %s whose last digits may be lost", (keyword) => {
    const value = keyword === "enum" ? [2 ** 53] : 2 ** 53;
    expect(translated({ type: "integer", [keyword]: value }).problems).toEqual([`warning /here/${keyword}`]);
    const exact = keyword === "enum" ? [9_007_199_254_740_991] : 9_007_199_254_740_991;
    expect(translated({ type: "integer", [keyword]: exact }).problems).toEqual([]);
  });

  it("converts enum values that YAML read as numbers to the intended texts", () => {
    expect(translated({ type: "string", enum: [1, true, "x"] }).schema["enum"]).toEqual(["1", "true", "x"]);
    expect(translated({ type: "integer", enum: ["1", "2"] }).schema["enum"]).toEqual([1, 2]);
  });

  it("cannot reach Object.prototype through names of members, schemas or values", () => {
    const schema = JSON.parse(
      '{ "type": "object", "properties": { "__proto__": { "type": "string" }, "constructor": { "type": "integer" } }, "default": { "__proto__": 1 } }',
    ) as JsonObject;
    const { schema: out, members, problems } = translated(schema);
    expect(problems).toEqual(["warning /here/default", "warning /here/properties/__proto__"]);
    expect([...(members?.properties.keys() ?? [])]).toEqual(["constructor"]);
    expect(Object.getPrototypeOf(out["properties"])).toBe(Object.prototype);
    expect(accepts(out, { constructor: 1 })).toBe(true);
    expect(accepts(out, { constructor: "x" })).toBe(false);
  });
});

describe("a schema of Swagger 2.0", () => {
  it("has its own rules for names, files, and x-nullable", () => {
    const { schema, problems } = translated(
      {
        type: "object",
        properties: { file: { type: "file" }, next: { $ref: "#/definitions/A" } },
        discriminator: "kind",
      },
      { dialect: "swagger-2.0", schemas: { A: { type: "string", "x-nullable": true } } },
    );
    expect(problems).toEqual([]);
    expect(schema).toEqual({
      type: "object",
      properties: { file: { type: "string", format: "binary" }, next: { $ref: "#/$defs/A" } },
      $defs: { A: { type: ["string", "null"] } },
    });
    expect(translated({ type: "file" }).problems).toEqual(["warning /here/type"]);
  });

  it("of a parameter is the parameter without its required", () => {
    const parameter: JsonObject = {
      name: "a",
      in: "query",
      type: "array",
      items: { type: "integer" },
      collectionFormat: "csv",
    };
    expect(translated(parameter, { dialect: "swagger-2.0" })).toMatchObject({
      schema: { type: "array", items: { type: "integer" } },
      problems: [],
    });
  });
});

describe("references between schemas", () => {
  it("keep recursion, with self-contained definitions", () => {
    const schemas: JsonObject = {
      Account: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          parent: ref("Account"),
          children: { type: "array", items: ref("Account") },
        },
      },
    };
    const { schema, problems } = translated(ref("Account"), { schemas });
    expect(problems).toEqual([]);
    expect(Object.keys(schema["$defs"] as JsonObject)).toEqual(["Account"]);
    expect(accepts(schema, { name: "a", parent: { name: "b", children: [{ name: "c" }] } })).toBe(true);
    expect(accepts(schema, { name: "a", parent: { name: "b", children: [{}] } })).toBe(false);
  });

  it("are translated once, and their problems are reported to every schema that reaches them", () => {
    const document = schemaDocument({
      A: { type: "object", properties: { b: ref("B") } },
      B: { type: "object", properties: { a: ref("A"), bad: { required: ["__proto__"] } } },
    });
    const translator = translatorOf(document);
    const pointer = "/components/schemas/B/properties/bad/required/0";
    for (const place of ["/one", "/two"]) {
      expect(translator.translate(ref("A"), place).problems).toEqual([
        expect.objectContaining({ severity: "error", pointer }),
      ]);
    }
    expect(translator.translate({ type: "string" }, "/three").problems).toEqual([]);
  });

  it("get names that do not depend on other schemas", () => {
    const schemas: JsonObject = { "Größe/€": { type: "string" }, __: { properties: { x: { type: "string" } } } };
    const refs = ["Größe~1€", "__/properties/x", "__"].map(ref);
    const forward = translated({ anyOf: refs }, { schemas });
    const backward = translated({ anyOf: refs.toReversed() }, { schemas });
    expect(forward.schema["$defs"]).toEqual(backward.schema["$defs"]);
    for (const name of Object.keys(forward.schema["$defs"] as JsonObject)) expect(name).toMatch(/^[\w.-]+$/);
    expect(accepts(forward.schema, "x")).toBe(true);
  });

  it("that apply a schema to the same value endlessly are left out with a warning, from every entry", () => {
    const schemas: JsonObject = {
      A: { allOf: [ref("B"), { properties: { a: { type: "string" } } }] },
      B: { anyOf: [ref("C")] },
      C: { not: ref("A") },
      Self: { type: "object", oneOf: [ref("Self")] },
    };
    const circle = ["A", "B", "C"].map((name) => translated(ref(name), { schemas }));
    for (const { problems, schema } of circle) {
      expect(problems.toSorted()).toEqual([
        "warning /components/schemas/A/allOf/0/$ref",
        "warning /components/schemas/B/anyOf/0/$ref",
        "warning /components/schemas/C/not/$ref",
      ]);
      expect(() => accepts(schema, {})).not.toThrow();
    }
    expect(translated(ref("Self"), { schemas }).problems).toEqual(["warning /components/schemas/Self/oneOf/0/$ref"]);
  });

  it("from a child to the parent that lists it refer to the parent's own members", () => {
    const schemas: JsonObject = {
      Pet: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" } },
        oneOf: [ref("Cat"), ref("Dog")],
        discriminator: { propertyName: "name" },
      },
      Cat: { allOf: [ref("Pet"), { type: "object", required: ["claws"], properties: { claws: { type: "integer" } } }] },
      Dog: { allOf: [ref("Pet"), { type: "object", required: ["tail"], properties: { tail: { type: "integer" } } }] },
    };
    const { schema, problems, members } = translated(ref("Pet"), { schemas });
    expect(problems).toEqual([]);
    expect(accepts(schema, { name: "x", claws: 4 })).toBe(true);
    expect(accepts(schema, { claws: 4 })).toBe(false);
    expect(accepts(schema, { name: "x" })).toBe(false);
    expect([...(members?.properties.keys() ?? [])].toSorted()).toEqual(["claws", "name", "tail"]);
  });

  it("that double at each level stay references for parts, and are cut for the same value", () => {
    const parts: Record<string, JsonObject> = { L30: { type: "string" } };
    const same: Record<string, JsonObject> = { L30: { type: "string" } };
    for (let level = 0; level < 30; level += 1) {
      const next = ref(`L${level + 1}`);
      parts[`L${level}`] = { type: "object", required: ["a"], properties: { a: next, b: next } };
      same[`L${level}`] = { allOf: [next, next] };
    }
    const ofParts = translated(ref("L0"), { schemas: parts });
    expect(ofParts.problems).toEqual([]);
    expect(accepts(ofParts.schema, {})).toBe(false);
    const ofSame = translated(ref("L0"), { schemas: same });
    expect(ofSame.problems.length).toBeGreaterThan(0);
    expect(() => accepts(ofSame.schema, "x")).not.toThrow();
  });

  it("in chains of thousands need no stack", () => {
    const schemas: Record<string, JsonObject> = { C5000: { type: "object", required: ["end"] }, D5000: {} };
    for (let link = 0; link < 5_000; link += 1) {
      schemas[`C${link}`] = ref(`C${link + 1}`);
      schemas[`D${link}`] = { allOf: [ref(`D${link + 1}`)] };
    }
    const plain = translated(ref("C0"), { schemas });
    expect(accepts(plain.schema, {})).toBe(false);
    expect(accepts(plain.schema, { end: 1 })).toBe(true);
    expect(() => accepts(translated(ref("D0"), { schemas }).schema, {})).not.toThrow();
  });
});
