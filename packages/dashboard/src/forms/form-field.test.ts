import { describe, expect, test } from "vitest";
import { formField } from "./form-field.ts";

describe("a schema becomes a field:", () => {
  test.each([
    ["a text", { type: "string" }, "text"],
    ["a text that may be null", { type: ["string", "null"] }, "text"],
    ["a text beside null", { anyOf: [{ type: "string" }, { type: "null" }] }, "text"],
    ["a single alternative", { allOf: [{ type: "boolean" }] }, "boolean"],
    ["a constant", { const: "EUR" }, "choice"],
    ["constants with titles", { oneOf: [{ const: "a", title: "A" }, { const: "b" }] }, "choice"],
    ["properties without a type", { properties: {} }, "object"],
    ["properties with alternatives", { type: "object", properties: {}, oneOf: [{}, {}] }, "object"],
    ["alternatives", { oneOf: [{ type: "string" }, { type: "number" }] }, "json"],
    ["an object without properties", { type: "object" }, "json"],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }] }, "json"],
    ["several types", { type: ["string", "number"] }, "json"],
    ["a reference to nothing", { $ref: "#/$defs/none" }, "json"],
    ["a reference to another document", { $ref: "https://example.com/schema" }, "json"],
    ["anything", true, "json"],
  ])("%s", (_name, schema, kind) => {
    expect(formField(schema, "Value", true).kind).toBe(kind);
  });
});

test("the title beside a reference names the field", () => {
  const schema = { $ref: "#/$defs/name", title: "Payee", $defs: { name: { type: "string", title: "Name" } } };
  expect(formField(schema, "payee", true)).toMatchObject({ kind: "text", label: "Payee" });
});

test("choices with the same words are told apart", () => {
  const field = formField({ enum: ["3", 3, null] }, "Method", true);
  expect(field.kind === "choice" && field.choices.map(({ label }) => label)).toEqual(['"3"', "3", "null"]);
});

test("a schema that refers to itself ends in JSON", () => {
  const tree = {
    $ref: "#/$defs/node",
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  };
  let deepest = formField(tree, "Tree", true);
  for (let depth = 0; deepest.kind === "object" && depth < 20; depth++) deepest = deepest.members[0]?.[1] ?? deepest;
  expect(deepest.kind).toBe("json");
});

test("a hint is the description without the marks of code", () => {
  expect(formField({ type: "string", description: "Asks for `accounting`." }, "scope", false).hint).toBe(
    "Asks for accounting.",
  );
});
