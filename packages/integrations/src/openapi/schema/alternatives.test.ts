import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { accepts, translated } from "./schema-fixtures.fixture.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const text: JsonObject = { type: "string" };
const one = (value: string): JsonObject => ({ type: "string", enum: [value] });

const schemas: JsonObject = {
  Card: object({ kind: one("card"), number: text }, "number"),
  Transfer: object({ kind: one("transfer"), iban: text }, "kind"),
  Kind: one("cash"),
  Cash: { allOf: [object({ till: text }), object({ kind: ref("Kind") })] },
};

describe("alternatives that a caller can distinguish stay exclusive", () => {
  it.each<[string, JsonObject[], JsonValue, JsonValue]>([
    ["by their types", [{ type: "string" }, { type: "integer" }, object({})], "a", true],
    ["by their values", [one("a"), one("b")], "b", "c"],
    [
      "by what a member of all of them may be",
      [ref("Card"), ref("Transfer"), ref("Cash")],
      { kind: "cash" },
      { kind: "none" },
    ],
    [
      "by members that each requires and the other does not name",
      [object({ a: text, c: text }, "a"), object({ b: text, c: text }, "b")],
      { a: "1" },
      { a: "1", b: "1" },
    ],
    [
      "by requiring different members of one object",
      [{ required: ["a"] }, { required: ["b"] }],
      { a: "1" },
      { a: "1", b: "1" },
    ],
  ])("%s", (_name, oneOf, taken, refused) => {
    const { schema } = translated({ oneOf }, { schemas });
    expect(schema).toHaveProperty("oneOf");
    expect([accepts(schema, taken), accepts(schema, refused)]).toEqual([true, false]);
  });

  it("because a discriminator maps each of them", () => {
    const pets = { A: object({ is: text, name: text }), B: object({ is: text, name: text }) };
    const mapping = { a: "#/components/schemas/A", b: "B" };
    const { schema } = translated(
      { oneOf: [ref("A"), ref("B")], discriminator: { propertyName: "is", mapping } },
      { schemas: pets },
    );
    expect(schema).toHaveProperty("oneOf");
    expect([accepts(schema, { is: "a", name: "x" }), accepts(schema, { is: "c" })]).toEqual([true, false]);
  });
});

describe("alternatives that a caller cannot distinguish never make an action uncallable", () => {
  it.each<[string, JsonObject[], JsonValue]>([
    ["with the same members", [object({ a: text }), object({ a: text })], { a: "1" }],
    [
      "one accepts everything that the other accepts",
      [object({ a: text }, "a"), object({ a: text, b: text })],
      { a: "1" },
    ],
    ["of whole numbers and numbers", [{ type: "integer" }, { type: "number" }], 1],
    ["of texts", [text, { type: "string", format: "date" }], "2026-01-31"],
    ["with values in common", [{ enum: ["a", "b"] }, { enum: ["b", "c"] }], "b"],
    ["two of three are equal", [{ type: "integer" }, object({}), object({})], {}],
    ["that anything fits", [{}, text], "a"],
  ])("%s", (_name, oneOf, taken) => {
    const nested = translated(object({ of: { oneOf } }, "of"));
    expect(accepts(nested.schema, { of: taken })).toBe(true);
    expect(JSON.stringify(nested.schema)).not.toContain("oneOf");
  });

  it("within a component, within another alternative, and beside anyOf", () => {
    const alike: JsonObject = { oneOf: [object({ a: text }), object({ a: text })] };
    const { schema } = translated(
      { ...alike, anyOf: [ref("Alike"), { type: "array", items: alike }] },
      { schemas: { Alike: alike } },
    );
    expect(JSON.stringify(schema)).not.toContain("oneOf");
    expect(accepts(schema, { a: "1" })).toBe(true);
    expect(accepts(schema, { a: 1 })).toBe(false);
  });

  it("at the top of a body", () => {
    const { members } = translated({ oneOf: [object({ a: text }, "a"), object({ a: text, b: text })] });
    expect(members?.alternatives.map(({ kind }) => kind)).toEqual(["anyOf"]);
  });

  it("in any number and of any size", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => object({ [`m${index}`]: text }, `m${index}`));
    const { schema } = translated({ oneOf: many }, { bounds: { values: 100_000 } });
    expect(schema).toHaveProperty("anyOf");
  });

  it("but a response keeps the document's description", () => {
    const { schema } = translated({ oneOf: [text, text] }, { purpose: "response" });
    expect(schema).toHaveProperty("oneOf");
  });
});
