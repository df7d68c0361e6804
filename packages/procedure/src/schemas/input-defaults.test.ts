import type { JsonObject, JsonValue } from "@procedo/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { schemaOfCompleted, withDefaults } from "./input-defaults.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const completed = (value: JsonValue, schema: JsonObject) => withDefaults(value, schema);

describe("a default", () => {
  const currency = { type: "string", default: "EUR" };

  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["of a member", object({ currency }), {}, { currency: "EUR" }],
    ["of an object's member", object({ bank: object({ currency }) }), { bank: {} }, { bank: { currency: "EUR" } }],
    [
      "of the members of each item",
      object({ lines: { type: "array", items: object({ currency }) } }),
      { lines: [{}, { currency: "USD" }] },
      { lines: [{ currency: "EUR" }, { currency: "USD" }] },
    ],
    [
      "of a tuple's item",
      object({ pair: { prefixItems: [object({ currency })] } }),
      { pair: [{}] },
      { pair: [{ currency: "EUR" }] },
    ],
    [
      "behind a reference",
      { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: object({ currency }) } },
      { a: {} },
      { a: { currency: "EUR" } },
    ],
    [
      "of a member's referenced schema",
      { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: currency } },
      {},
      { a: "EUR" },
    ],
    ["in allOf", { allOf: [object({ currency })] }, {}, { currency: "EUR" }],
    ["within a default", object({ bank: { ...object({ currency }), default: {} } }), {}, { bank: { currency: "EUR" } }],
    ["that is null", object({ a: { default: null } }), {}, { a: null }],
    ["that is false", object({ a: { default: false } }), {}, { a: false }],
    [
      "of a member with an odd name",
      object({ __proto__x: currency, constructor: currency }),
      {},
      { __proto__x: "EUR", constructor: "EUR" },
    ],
  ])("%s is added for a missing member", (_where, schema, value, expected) => {
    expect(completed(value, schema)).toEqual({ ok: true, value: expected });
  });

  test.each<[string, JsonObject, JsonValue]>([
    ["of a member that is null", object({ currency }), { currency: null }],
    ["of a member that is given", object({ currency }), { currency: "" }],
    ["of a member in a missing object", object({ bank: object({ currency }) }), {}],
    ["in anyOf", { anyOf: [object({ currency })] }, {}],
    ["in oneOf", { oneOf: [object({ currency })] }, {}],
    ["in a condition", { if: object({ currency }), then: object({ currency }) }, {}],
    ["in not", { not: object({ currency }) }, {}],
    ["of other members", { additionalProperties: object({ currency }) }, { a: {} }],
    ["of the whole input", { default: { a: 1 } }, {}],
    ["of items", object({ list: { items: { default: 1 } } }), { list: [null] }],
    ["in place of a text", object({ bank: object({ currency }) }), { bank: "x" }],
  ])("%s is not", (_where, schema, value) => {
    const result = completed(value, schema);
    expect(result.ok && result.value).toBe(value);
  });

  test("of the schema itself takes precedence over that of its reference and of allOf", () => {
    const $defs = { A: { default: "reference" } };
    const at = (member: JsonObject) => completed({}, { ...object({ a: member }), $defs });
    expect(at({ default: "own", $ref: "#/$defs/A" })).toEqual({ ok: true, value: { a: "own" } });
    expect(at({ allOf: [{ default: "part" }], $ref: "#/$defs/A" })).toEqual({ ok: true, value: { a: "reference" } });
  });

  test("that contains itself is added once", () => {
    const node = { ...object({ child: { $ref: "#/$defs/node" } }), default: {} };
    expect(completed({}, { ...object({ child: { $ref: "#/$defs/node" } }), $defs: { node } })).toEqual({
      ok: true,
      value: { child: {} },
    });
  });
});

test("completing a value twice has no further effect, and no given member is lost", () => {
  const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<JsonObject>({}, { default: 1 }, { default: {} }, { default: [{}] }),
      fc.record({ properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")), default: fc.constant({}) }),
      fc.record({ properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")) }),
      fc.record({ items: tie("schema") }),
      fc.record({ allOf: fc.array(tie("schema"), { maxLength: 2 }) }),
    ),
  }));
  fc.assert(
    fc.property(
      schema,
      fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom<JsonValue>(null, {}, [{}], 5)),
      (made, value) => {
        // Constants of the generator occur in several places; schemas of a document do not.
        const given = JSON.parse(JSON.stringify(made)) as JsonObject;
        const once = withDefaults(value, given);
        if (!once.ok) return;
        expect(once.value).toMatchObject(value);
        const twice = withDefaults(once.value, given);
        expect(twice.ok && twice.value).toBe(once.value);
      },
    ),
  );
});

test("a value that would take too long is refused", () => {
  const many = object(Object.fromEntries(Array.from({ length: 2_000 }, (_one, index) => [`m${index}`, {}])));
  const lines = Array.from({ length: 1_000 }, () => ({}));
  expect(completed({ lines }, object({ lines: { items: many } }))).toMatchObject({ ok: false, message: /too large/ });
});

test("a default of null is added only if the member accepts null", () => {
  const schema = object({
    note: { type: "string", default: null },
    memo: { default: null, allOf: [{ type: "string" }] },
    reason: { type: ["string", "null"], default: null },
  });
  expect(completed({}, schema)).toEqual({ ok: true, value: { reason: null } });
  expect(schemaOfCompleted(schema)["required"]).toEqual(["reason"]);
});

test("a schema that its parts refer back to in several ways is visited once per value", () => {
  const again = object({ in: { $ref: "#" }, currency: { default: "EUR" } });
  let value: JsonObject = {};
  for (let depth = 0; depth < 60; depth++) value = { in: value };
  const given = { allOf: [again, again, object({ in: { $ref: "#" } })] };
  expect(completed(value, given)).toMatchObject({ ok: true, value: { currency: "EUR", in: { currency: "EUR" } } });
});

test("members with a default are required of a completed value", () => {
  const schema = object(
    {
      a: { default: 1 },
      b: {},
      in: object({ c: { $ref: "#/$defs/C" } }),
      list: { items: object({ a: { default: 1 } }) },
    },
    { required: ["b"], $defs: { C: { default: 2 } } },
  );
  expect(schemaOfCompleted(schema)).toMatchObject({
    required: ["b", "a"],
    properties: { in: { required: ["c"] }, list: { items: { required: ["a"] } } },
  });
});
