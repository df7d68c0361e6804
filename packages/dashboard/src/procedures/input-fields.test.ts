import { expect, test } from "vitest";
import { inputFields } from "./input-fields.ts";

test("fields have their title, type, limits and description", () => {
  const fields = inputFields({
    type: "object",
    required: ["amount"],
    properties: {
      amount: { type: "integer", minimum: 1, title: "Amount", description: "In cents." },
      mode: { enum: ["quick", "full"], default: "quick" },
      due: { type: "string", format: "date" },
      bank: { $ref: "#/$defs/bank" },
      lines: { type: "array", items: { type: "object", properties: { text: { type: "string" } } } },
    },
    $defs: { bank: { type: "object", required: ["iban"], properties: { iban: { type: "string", maxLength: 34 } } } },
  });
  expect(fields.map(({ path, label, type, isRequired }) => [path, label, type, isRequired])).toEqual([
    ["amount", "Amount", "whole number, at least 1", true],
    ["mode", "mode", 'one of "quick", "full", default "quick"', false],
    ["due", "due", "date", false],
    ["bank", "bank", "object", false],
    ["bank.iban", "iban", "text, characters at most 34", true],
    ["lines", "lines", "list of object", false],
    ["lines[].text", "text", "text", false],
  ]);
  expect(fields[0]?.description).toBe("In cents.");
});

test("a schema without properties has no fields, and one that refers to itself ends", () => {
  expect(inputFields({ type: "object" })).toEqual([]);
  expect(inputFields(true)).toEqual([]);
  const self = { type: "object", properties: { next: { $ref: "#" } } };
  expect(inputFields(self).length).toBe(5);
});
