import type { JsonObject } from "@procedo/contract";
import { expect, test } from "vitest";
import {
  addInputField,
  inputFields,
  removeInputField,
  renameInputField,
  setInputRequired,
  setInputText,
  setInputType,
} from "./input-schema.ts";

const input: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    payee: { type: "string", minLength: 1, title: "Payee" },
    amount: { type: "integer", description: "In cents." },
    due: { type: "string", format: "date" },
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
  },
  required: ["payee", "amount"],
};

test("a schema is a list of fields", () => {
  expect(inputFields(input)).toEqual([
    { name: "payee", type: "text", isRequired: true, title: "Payee", description: "" },
    { name: "amount", type: "whole", isRequired: true, title: "", description: "In cents." },
    { name: "due", type: "date", isRequired: false, title: "", description: "" },
    { name: "either", type: undefined, isRequired: false, title: "", description: "" },
  ]);
  expect(inputFields({ type: "object" })).toEqual([]);
  expect(inputFields({ oneOf: [] })).toBeUndefined();
  expect(inputFields({ type: "object", properties: [] })).toBeUndefined();
});

test("a field is added, named, described and removed, and everything else stays", () => {
  const added = renameInputField(addInputField(input), "field", "invoice");
  expect(added).toEqual({
    ...input,
    properties: { ...(input["properties"] as JsonObject), invoice: { type: "string" } },
    required: ["payee", "amount", "invoice"],
  });
  expect(removeInputField(added, "invoice")).toEqual(input);
  const described = setInputText(input, "payee", "description", "Who is paid.");
  expect(described["properties"]).toMatchObject({ payee: { minLength: 1, description: "Who is paid." } });
  expect(setInputText(described, "payee", "description", "")).toEqual(input);
  expect(inputFields(setInputText(input, "due", "title", "Due on"))).toContainEqual(
    expect.objectContaining({ name: "due", title: "Due on" }) as unknown,
  );
  expect(inputFields(addInputField(addInputField(input)))?.at(-1)?.name).toBe("field2");
});

test("a field gets another type without the keywords of the former one", () => {
  const changed = setInputType(input, "due", "list");
  expect(changed["properties"]).toMatchObject({ due: { type: "array" } });
  expect((changed["properties"] as Record<string, JsonObject>)["due"]).not.toHaveProperty("format");
  expect(setInputType(input, "amount", "number")["properties"]).toMatchObject({
    amount: { type: "number", description: "In cents." },
  });
});

test("the last required field leaves no empty list", () => {
  const none = setInputRequired(setInputRequired(input, "payee", false), "amount", false);
  expect(none).not.toHaveProperty("required");
  expect(setInputRequired(none, "amount", true)["required"]).toEqual(["amount"]);
});
