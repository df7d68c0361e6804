import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { compileSchema, createSchemaCompiler } from "./compile-schema.ts";
import type { SchemaOptions } from "./compile-schema.ts";

function violations(schema: JsonObject, value: JsonValue, options?: SchemaOptions) {
  const compiled = compileSchema(schema, options);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validator.validate(value);
}

function refusal(schema: JsonObject) {
  const compiled = compileSchema(schema);
  return compiled.ok ? [] : compiled.problems;
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("a value", () => {
  it("reports every violation at once, each with its pointer and none with its content", () => {
    const schema = object(
      {
        amount: { type: "integer", minimum: 1 },
        currency: { enum: ["EUR", "USD"] },
        lines: { type: "array", items: object({ "a/b": { type: "string", maxLength: 3 } }) },
      },
      { required: ["amount", "vendor"], additionalProperties: false },
    );
    expect(
      violations(schema, { amount: 0.5, currency: "secret", lines: [{ "a/b": "secret" }, { "a/b": 1 }], extra: 1 }),
    ).toEqual([
      { path: "/vendor", message: "is required." },
      { path: "/extra", message: "is not a known field; remove it or check its spelling." },
      { path: "/amount", message: "must be an integer." },
      { path: "/amount", message: "must be >= 1." },
      { path: "/currency", message: 'must be one of "EUR" or "USD".' },
      { path: "/lines/0/a~1b", message: "must have at most 3 characters." },
      { path: "/lines/1/a~1b", message: "must be a string." },
    ]);
  });

  it("reports a member that another one requires at its own place, once for each", () => {
    const schema = object({}, { dependentRequired: { "a/b": ["c", "d"] } });
    expect(violations(schema, { "a/b": 1, d: 2 })).toEqual([
      { path: "/c", message: 'is required with "a/b".', requiredWith: "a/b" },
    ]);
    expect(violations(schema, { c: 1 })).toEqual([]);
  });

  it("that matches has no violation, including 1.0 as an integer", () => {
    expect(violations({ type: "integer" }, JSON.parse("1.0") as JsonValue)).toEqual([]);
    expect(violations({ type: "integer" }, 1.5)).toHaveLength(1);
  });

  it.each([
    [19.99, 0.01, true],
    [1e21, 0.01, true],
    [12345678901.23, 0.01, true],
    [19.995, 0.01, false],
    [0.3, 0.1, true],
    [7, 2, false],
    [-4, 2, true],
    [1e-7, 1e-7, true],
    [1e300, 1e-300, true],
  ])("%d as a multiple of %d is decided in decimals: %s", (value, multipleOf, fits) => {
    expect(violations({ multipleOf }, value)).toEqual(
      fits ? [] : [{ path: "", message: `must be a multiple of ${multipleOf}.` }],
    );
  });

  it.each([
    ["email", "a@example.com", "a@"],
    ["date", "2026-02-28", "2026-02-30"],
    ["date-time", "2026-02-28T10:00:00Z", "yesterday"],
    ["uuid", "0b0a4bd2-6b2f-4b2c-8b0a-4bd26b2f4b2c", "no"],
    ["uri", "https://example.com/a", "a b"],
    ["url", "https://example.com/a", "a b"],
  ])("of format %s is checked", (format, good, bad) => {
    expect(violations({ type: "string", format }, good)).toEqual([]);
    expect(violations({ type: "string", format }, bad)).toEqual([
      { path: "", message: `must have the format "${format}".` },
    ]);
  });

  it("of an unknown format passes, because another party defines the format", () => {
    expect(violations({ type: "string", format: "iban" }, "x")).toEqual([]);
  });

  it("is not satisfied by fields that every object inherits", () => {
    expect(violations({ required: ["constructor", "toString"] }, {})).toEqual([
      { path: "/constructor", message: "is required." },
      { path: "/toString", message: "is required." },
    ]);
  });

  it("cannot reach Object.prototype through a __proto__ key", () => {
    const value = JSON.parse('{ "__proto__": { "polluted": true } }') as JsonValue;
    expect(violations(object({}, { additionalProperties: false }), value)).toHaveLength(1);
    expect(violations({ patternProperties: { ".*": { type: "string" } } }, value)).toHaveLength(1);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("with a hundred thousand faults reports the first one", () => {
    const value = Array.from({ length: 100_000 }, () => 1);
    expect(violations({ items: { type: "string" } }, value)).toEqual([{ path: "/0", message: "must be a string." }]);
  });

  it("with a thousand faults reports a hundred", () => {
    expect(
      violations(
        { items: { type: "string" } },
        Array.from({ length: 1_000 }, () => 1),
      ),
    ).toHaveLength(100);
  });

  it("that nests deeper than the stack is a violation, not a crash", () => {
    let value: JsonValue = [];
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(violations({ items: { $ref: "#" } }, value)).toEqual([
      { path: "", message: expect.stringContaining("nests too deeply") },
    ]);
  });

  it("whose check doubles at each level is abandoned", () => {
    const next: JsonObject = { properties: { next: { $ref: "#" } }, required: ["value"] };
    let value: JsonValue = { value: 1 };
    for (let depth = 0; depth < 60; depth += 1) value = { next: value, value: 1 };
    const doubling: JsonObject = { allOf: [next, next] };
    expect(violations(doubling, { value: 1 })).toEqual([]);
    expect(violations(doubling, value)).toEqual([{ path: "", message: expect.stringContaining("10000000 steps") }]);
  });

  it.each<[JsonObject, JsonValue, JsonValue]>([
    [{ items: { contains: { minimum: 2 } } }, [[3], []], [[3], [1, 2]]],
    [{ additionalProperties: { contains: { type: "string" } } }, { a: ["x"], b: [] }, { a: ["x"], b: [1, "y"] }],
    [{ $schema: "http://json-schema.org/draft-07/schema#", items: { contains: { const: 1 } } }, [[1], []], [[1]]],
    [{ items: { contains: {} } }, [[1], []], [[1], [null]]],
    [{ items: { contains: false } }, [[1]], []],
  ])("of lists is refused if one of them contains no matching item: %j", (schema, without, fitting) => {
    expect(violations(schema, without)).toHaveLength(1);
    expect(violations(schema, fitting)).toEqual([]);
  });

  it("is checked against recursive schemas and tuples of both drafts", () => {
    const tree: JsonObject = {
      $defs: { node: object({ next: { $ref: "#/$defs/node" }, v: { type: "number" } }) },
      $ref: "#/$defs/node",
    };
    expect(violations(tree, { next: { next: { v: "x" } } })).toEqual([
      { path: "/next/next/v", message: "must be a number." },
    ]);
    expect(violations({ prefixItems: [{ type: "string" }] }, [1])).toHaveLength(1);
    expect(violations({ items: [{ type: "string" }], additionalItems: false }, ["a", "b"])).toHaveLength(1);
    expect(
      violations({ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }, [1]),
    ).toHaveLength(1);
  });
});

describe("a value that the library alone decides wrongly", () => {
  it("contains nothing when it is empty, also beside prefixItems", () => {
    const schema: JsonObject = { prefixItems: [{ type: "string", minLength: 1 }], contains: { type: "string" } };
    expect(violations(schema, [])).toEqual([{ path: "", message: 'must have 1 or more items that fit "contains".' }]);
    expect(violations(schema, ["a"])).toEqual([]);
  });

  it("reports its first violation if the library fails to find all", () => {
    const text: JsonObject = { type: "string" };
    const condition: JsonObject = { if: text, else: { allOf: [{ if: text, else: text }] } };
    const alternative: JsonObject = { patternProperties: { "^a$": text }, oneOf: [{ unevaluatedProperties: text }] };
    const schema: JsonObject = { if: condition, else: { anyOf: [alternative, text] } };
    expect(violations(schema, { a: [] })[0]).toEqual({ path: "/a", message: "must be a string." });
  });
});

describe("a pattern", () => {
  it("takes linear time for a pattern on which backtracking would not end", () => {
    const schema: JsonObject = { pattern: "^(a+)+$" };
    expect(violations(schema, `${"a".repeat(100_000)}!`)).toEqual([
      { path: "", message: "must match the pattern ^(a+)+$" },
    ]);
    expect(violations(schema, "a".repeat(100_000))).toEqual([]);
  });

  it("is kept separate from other patterns of the same schema", () => {
    const schema = object({ a: { pattern: "^a$" }, b: { pattern: "^b$" } });
    expect(violations(schema, { a: "a", b: "b" })).toEqual([]);
    expect(violations(schema, { a: "b", b: "a" })).toHaveLength(2);
  });

  it("supports the syntax of JavaScript", () => {
    expect(violations({ pattern: "^\\u0041[\\w\\-]\\/$" }, "A-/")).toEqual([]);
  });

  it("with look-ahead is refused at its position, or ignored if the caller chooses so", () => {
    const schema = object({ password: { type: "string", pattern: "^(?=.*[A-Z]).+$" } });
    expect(refusal(schema)).toEqual([
      { path: "/properties/password/pattern", message: expect.stringContaining("look-ahead") },
    ]);
    expect(violations(schema, { password: "x" }, { unsupportedPatterns: "ignore" })).toEqual([]);
    expect(violations(schema, { password: 1 }, { unsupportedPatterns: "ignore" })).toHaveLength(1);
  });

  it.each([["a{1000}b{1000}c{1000}"], ["(?:\\w+\\s?){1,900}"], ["x".repeat(3_000)]])(
    "that would make each match slow is refused: %.20s",
    (pattern) => {
      expect(refusal({ pattern })).toEqual([{ path: "/pattern", message: expect.any(String) }]);
    },
  );

  it.each([
    ["/^[A-Z]+$/", "can match no text"],
    ['"^[A-Z]+$"', "can match no text"],
    ["^a{2}$:b$", "can match no text"],
    ["^a$\\{2,64\\}$", "can match no text"],
    ["\\A[A-Z]+$", "write ^"],
    ["^[A-Z]+\\Z", "write $"],
    ["^[A-Z]+\\z", "write $"],
    ["^\\h+$", "ECMAScript does not have"],
    ["^\\Qa.b\\E$", "ECMAScript does not have"],
    ["^[\\uD83D\\uDE00]$", "surrogate pair"],
  ])("of another dialect, or that no text could match, is refused at its position: %s", (pattern, message) => {
    expect(refusal({ pattern })).toEqual([{ path: "/pattern", message: expect.stringContaining(message) }]);
    expect(violations({ pattern }, "x", { unsupportedPatterns: "ignore" })).toEqual([]);
  });

  it.each([
    ["^\\p{Script=Han}\\p{gc=Lu}$", "漢A"],
    ["(^$)|(^a$)", ""],
    ["a\\bb|^$", ""],
    ["^(?:|a)$", "a"],
    ["x*^a", "a"],
    ["^\\u{1F600}$", "😀"],
    ["^\\\\A$", "\\A"],
  ])("whose anchors are at the beginning and end of a text is checked: %s", (pattern, text) => {
    expect(violations({ pattern }, text)).toEqual([]);
    expect(violations({ pattern }, "none of these")).toHaveLength(1);
  });

  it("that refers back by a name is refused at its position", () => {
    expect(refusal({ pattern: "^(?<a>x)\\k<a>$" })).toEqual([
      { path: "/pattern", message: expect.stringContaining("back-reference") },
    ]);
    expect(violations({ pattern: "^\\\\k<$" }, "\\k<")).toEqual([]);
  });

  it("in patternProperties is refused at its position", () => {
    expect(refusal({ patternProperties: { "(a)\\1": {} } })).toEqual([
      { path: "/patternProperties/(a)\\1", message: expect.stringContaining("back-reference") },
    ]);
  });

  it("in a default, a constant or an example is data", () => {
    expect(
      refusal({ default: { pattern: "(?=x)" }, examples: [{ pattern: "(?=x)" }], const: { pattern: "(?=x)" } }),
    ).toEqual([]);
  });
});

describe("a schema", () => {
  it.each<[string, JsonObject, string]>([
    ["an unknown type", object({ a: { type: "money" } }), "/properties/a/type"],
    ["an invalid required list", { required: "a" }, "/required"],
    ["invalid properties", { properties: [] }, "/properties"],
    ["a negative length", object({ a: { minLength: -1 } }), "/properties/a/minLength"],
  ])("with %s is refused at its position", (_name, schema, path) => {
    expect(refusal(schema).map((problem) => problem.path)).toContain(path);
  });

  it.each([
    "https://example.com/schema.json",
    "other.json#/x",
    "#/$defs/missing",
    "http://json-schema.org/draft-07/schema#",
  ])("that refers to %s outside itself is refused", (ref) => {
    expect(refusal({ $ref: ref })).toEqual([{ path: "", message: expect.stringContaining("$defs") }]);
  });

  it("that never ends for one value is refused", () => {
    expect(refusal({ $ref: "#" })).toHaveLength(1);
    expect(
      refusal({ $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } }),
    ).toHaveLength(1);
    expect(refusal({ $anchor: "top", allOf: [{ $ref: "#top" }] })).toHaveLength(1);
    expect(refusal({ $id: "https://example.com/top", allOf: [{ $ref: "https://example.com/top" }] })).toHaveLength(1);
  });

  it("whose references double at each level is refused before it is compiled", () => {
    const $defs: Record<string, JsonObject> = { d30: { type: "string" } };
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { anyOf: [next, next] };
    }
    expect(refusal({ $defs, $ref: "#/$defs/d0" })).toEqual([
      { path: expect.any(String), message: expect.stringContaining("applies more than") },
    ]);
  });

  it("that is too large, too deep or asynchronous is refused", () => {
    expect(refusal({ enum: Array.from({ length: 20_000 }, (_, index) => index) })).toHaveLength(1);
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100; depth += 1) deep = { not: deep };
    expect(refusal(deep)).toHaveLength(1);
    expect(refusal({ $async: true })).toEqual([{ path: "/$async", message: expect.any(String) }]);
  });

  it("may have the usual extras: $id, title, nullable, example, unknown keywords and formats", () => {
    const schema = object(
      { a: { type: "string", nullable: true, example: "x", format: "iban", "x-order": 1 } },
      { $id: "https://example.com/a", title: "A" },
    );
    expect(refusal(schema)).toEqual([]);
    expect(refusal({ ...schema, title: "another schema of the same $id" })).toEqual([]);
    expect(violations(schema, { a: null })).toEqual([]);
  });
});

describe("the schema compiler", () => {
  it("compiles the same text once, even from different objects", () => {
    const compile = createSchemaCompiler();
    expect(compile({ type: "string" })).toBe(compile({ type: "string" }));
    expect(compile({ type: "string" })).not.toBe(compile({ type: "string" }, { unsupportedPatterns: "ignore" }));
  });

  it("keeps at most 1,024 schemas, the most recently used ones", () => {
    const compile = createSchemaCompiler();
    const results = Array.from({ length: 1_024 }, (_, index) => compile({ title: String(index) }));
    expect(compile({ title: "0" })).toBe(results[0]);
    compile({ title: "another" });
    expect(compile({ title: "0" })).toBe(results[0]);
    expect(compile({ title: "1" })).not.toBe(results[1]);
  });

  it("keeps fewer schemas the larger they are", () => {
    const compile = createSchemaCompiler();
    const large = (name: string): JsonObject => ({ title: name, description: "x".repeat(1_500_000) });
    const first = compile(large("1"));
    expect(compile(large("2"))).not.toBe(first);
    expect(compile(large("1"))).toBe(first);
    compile(large("3"));
    compile(large("4"));
    expect(compile(large("1"))).not.toBe(first);
    const whole = { description: "x".repeat(5_000_000) };
    expect(compile(whole)).not.toBe(compile(whole));
  });
});
