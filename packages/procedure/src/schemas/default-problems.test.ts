import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { defaultProblems } from "./default-problems.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("defaults of an input", () => {
  test("that fit and apply are no problem", () => {
    const schema = object(
      {
        currency: { enum: ["EUR", "USD"], default: "EUR" },
        bank: { ...object({ country: { type: "string", default: "DE" } }, { required: ["country"] }), default: {} },
        party: { $ref: "#/$defs/Party" },
      },
      { $defs: { Party: object({ kind: { $ref: "#/$defs/Kind", default: "company" } }), Kind: { type: "string" } } },
    );
    expect(defaultProblems(schema)).toEqual({ wrong: [], unused: [] });
  });

  test("that do not fit are named with their positions, also at depth", () => {
    const schema = object({
      limit: { type: "integer", default: "1000" },
      bank: { ...object({ country: { type: "string" } }, { required: ["country"] }), default: { country: 5 } },
      party: { $ref: "#/$defs/Party", default: "x" },
    });
    const { wrong } = defaultProblems({ ...schema, $defs: { Party: { type: "integer" } } });
    expect(wrong.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: "/properties/bank/default/country", message: "does not fit: /country must be a string." },
      { path: "/properties/limit/default", message: "must be an integer." },
      { path: "/properties/party/default", message: "must be an integer." },
    ]);
  });

  test("that are null although null does not fit are unused but not wrong: generators write them for no default", () => {
    const text = { type: "string" };
    const schema = object({
      note: { type: "string", default: null },
      memo: { $ref: "#/$defs/Text", default: null },
      reason: { anyOf: [text, { type: "null" }], default: null },
    });
    const { wrong, unused } = defaultProblems({ ...schema, $defs: { Text: text } });
    expect(wrong).toEqual([]);
    expect(unused.map(({ path }) => path).toSorted()).toEqual(["/properties/memo/default", "/properties/note/default"]);
    expect(unused[0]?.message).toContain("its schema does not accept null");
  });

  test("of draft 07 are checked by its rules", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...object({ pair: { type: "array", items: [{ type: "string" }], additionalItems: false, default: [1] } }),
    };
    expect(defaultProblems(schema).wrong.map(({ path }) => path)).toEqual(["/properties/pair/default/0"]);
  });

  test("that contain themselves endlessly are refused", () => {
    const node = { ...object({ child: { $ref: "#/$defs/node" } }), default: {} };
    const { wrong } = defaultProblems({ ...object({ child: { $ref: "#/$defs/node" } }), $defs: { node } });
    expect(wrong).toEqual([{ path: "/$defs/node/default", message: "contains itself without end." }]);
  });

  test.each<[string, JsonObject, string]>([
    ["of the whole input", object({}, { default: {} }), "/default"],
    ["in an alternative", { anyOf: [object({ a: { default: 1 } })] }, "/anyOf/0/properties/a/default"],
    ["in a condition", { then: object({ a: { default: 1 } }) }, "/then/properties/a/default"],
    ["of other members", object({}, { additionalProperties: { default: 1 } }), "/additionalProperties/default"],
    ["of items", object({ list: { items: { default: 1 } } }), "/properties/list/items/default"],
    ["in an unused definition", object({}, { $defs: { A: { default: 1 } } }), "/$defs/A/default"],
  ])("%s are reported as unused", (_where, schema, path) => {
    expect(defaultProblems(schema)).toEqual({
      wrong: [],
      unused: [{ path, message: expect.stringContaining("is not applied") as string }],
    });
  });
});
