import type { JsonObject, JsonValue } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { maxSchemasSeen, withoutRefusedNulls } from "./left-out-nulls.ts";

const text = { type: "string" };
const left = (value: JsonObject, schema: JsonObject): JsonValue => withoutRefusedNulls(value, schema).value;
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("a null of an optional member", () => {
  test.each<[string, JsonValue]>([
    ["a text", text],
    ["one of several types", { type: ["string", "integer"] }],
    ["one of some values", { enum: ["a", "b"] }],
    ["a constant", { const: 5 }],
    ["no value", false],
    ["all of several schemas without null", { allOf: [{}, text] }],
    ["one of several schemas without null", { anyOf: [text, { type: "integer" }] }],
    ["a referenced schema without null", { $ref: "#/$defs/Text" }],
    ["a nullable type of some values without null", { type: ["string", "null"], enum: ["a"] }],
  ])("is omitted if the schema accepts %s", (_what, member) => {
    expect(left({ a: null, b: 1 }, { ...object({ a: member }), $defs: { Text: text } })).toEqual({ b: 1 });
  });

  test.each<[string, JsonValue]>([
    ["null", { type: "null" }],
    ["null or a text", { type: ["string", "null"] }],
    ["anything", {}],
    ["everything", true],
    ["some values and null", { enum: ["a", null] }],
    ["null as a constant", { const: null }],
    ["one of null and a text", { oneOf: [text, { type: "null" }] }],
    ["a cycle of references", { $ref: "#/properties/a" }],
    ["an unresolved reference", { $ref: "#/$defs/Missing" }],
  ])("stays if the schema accepts %s", (_what, member) => {
    const value = { a: null };
    expect(left(value, object({ a: member }))).toBe(value);
  });

  test("is omitted at every depth: in members, lists, tuples, maps and behind references", () => {
    const item = object({ memo: text, kept: { type: ["string", "null"] } });
    const schema = {
      ...object({
        order: { $ref: "#/$defs/Order" },
        lines: { type: "array", items: item },
        pair: { prefixItems: [item], items: false },
        byName: { type: "object", additionalProperties: item },
      }),
      $defs: { Order: { allOf: [object({ line: item })] } },
    };
    const given = { memo: null, kept: null };
    const value = { order: { line: given }, lines: [given, { memo: "x" }], pair: [given], byName: { a: given } };
    const after = { kept: null };
    expect(left(value, schema)).toEqual({
      order: { line: after },
      lines: [after, { memo: "x" }],
      pair: [after],
      byName: { a: after },
    });
  });

  test("is omitted if no alternative accepts it, so that alternatives stay distinguishable", () => {
    const schema = {
      type: "object",
      oneOf: [
        object({ card: object({ number: text }) }, { required: ["card"] }),
        object({ iban: text }, { required: ["iban"] }),
      ],
    };
    expect(left({ card: null, iban: "DE1" }, schema)).toEqual({ iban: "DE1" });
    const nullable = { ...schema, anyOf: [object({ card: { type: "null" } })] };
    expect(left({ card: null, iban: "DE1" }, nullable)).toEqual({ card: null, iban: "DE1" });
  });
});

describe("a null that an alternative requires", () => {
  const closed = (properties: JsonObject, required: readonly string[]): JsonObject =>
    object(properties, { required: [...required], additionalProperties: false });
  const targeted = { amount: text, target: text };

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      "the other alternative has the same members without it",
      { oneOf: [closed(targeted, ["amount", "target"]), closed({ amount: text }, ["amount"])] },
      { amount: "5", target: null },
      "/target",
    ],
    [
      "its parts are referenced",
      {
        $defs: { Base: object({ amount: text }, { required: ["amount"] }) },
        anyOf: [
          { allOf: [{ $ref: "#/$defs/Base" }, object({ target: text }, { required: ["target"] })] },
          { allOf: [{ $ref: "#/$defs/Base" }], not: { required: ["target"] } },
        ],
      },
      { amount: "5", target: null },
      "/target",
    ],
    [
      "the discriminator names the alternative",
      {
        oneOf: [
          closed({ kind: { const: "a" }, target: text }, ["kind", "target"]),
          closed({ kind: { const: "b" }, target: text }, ["kind"]),
        ],
      },
      { kind: "a", target: null },
      "/target",
    ],
    [
      "it is a member's alternative",
      object({ to: { oneOf: [closed({ iban: text }, ["iban"]), closed({}, [])] } }),
      { to: { iban: null } },
      "/to/iban",
    ],
    [
      "it is in alternatives of the whole value",
      { anyOf: [object({ to: closed({ iban: text }, ["iban"]) }), object({ to: closed({}, []) })] },
      { to: { iban: null } },
      "/to/iban",
    ],
  ])("stays, and is reported, if %s", (_when, schema, value, place) => {
    expect(withoutRefusedNulls(value, schema)).toEqual({ value, required: [place] });
  });

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "the discriminator names another one",
      {
        oneOf: [
          closed({ kind: { const: "a" }, target: text }, ["kind", "target"]),
          closed({ kind: { enum: ["b"] }, target: text }, ["kind"]),
        ],
      },
      { kind: "b", target: null },
      { kind: "b" },
    ],
    [
      "a member that another one requires is given",
      { ...object({ iban: text, account: text }), oneOf: [{ required: ["iban"] }, { required: ["account"] }] },
      { iban: "DE1", account: null },
      { iban: "DE1" },
    ],
    [
      "it is closed against a given member",
      { oneOf: [closed({ amount: text, target: text }, ["target"]), object({ note: text })] },
      { note: "n", target: null },
      { note: "n" },
    ],
  ])("is omitted if %s", (_when, schema, value, after) => {
    expect(left(value, schema)).toEqual(after);
  });
});

test("a null of a required member stays, and is reported", () => {
  const schema = object(
    { a: text, in: object({ "b/c": text, d: { type: "null" } }, { required: ["b/c", "d"] }) },
    { required: ["a"] },
  );
  const value = { a: null, in: { "b/c": null, d: null } };
  expect(withoutRefusedNulls(value, schema)).toEqual({ value, required: ["/a", "/in/b~1c"] });
});

test("a null of an undeclared member stays, and so does one of a list", () => {
  const value = { other: null, list: [null], map: { a: null } };
  const map = { type: "object", additionalProperties: text };
  expect(left(value, object({ list: { type: "array", items: text }, map }))).toBe(value);
});

test("a schema of very many alternatives is abandoned at a limit, and nulls stay", () => {
  const branches = Array.from({ length: 5_000 }, (_one, index) => object({ [`m${index}`]: text }));
  const schema = object({ lines: { type: "array", items: { anyOf: branches } } });
  const lines = Array.from({ length: 1_000 }, () => ({ m1: null }));
  const after = withoutRefusedNulls({ lines }, schema).value["lines"] as readonly JsonObject[];
  expect(after[0]).toEqual({});
  expect(after.at(-1)).toEqual({ m1: null });
  expect(maxSchemasSeen).toBeLessThan(5_000 * 1_000);
});

test("very many nulls of large alternatives are abandoned at the same limit, and stay", () => {
  const names = Array.from({ length: 2_000 }, (_one, index) => `m${index}`);
  const alternative = object(Object.fromEntries(names.map((name) => [name, text])), { required: names });
  const schema = { oneOf: Array.from({ length: 2_000 }, () => ({ ...alternative })) };
  const value = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? null : "x"]));
  expect(withoutRefusedNulls(value, schema).value).toBe(value);
});
