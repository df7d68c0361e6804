import { expect, test } from "vitest";
import { schemaRows } from "./schema-rows.ts";

test("fields have their title, type, limits and description", () => {
  const fields = schemaRows({
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
    ["bank.iban", "iban", "text, at most 34 characters", true],
    ["lines", "lines", "list of object", false],
    ["lines[].text", "text", "text", false],
  ]);
  expect(fields[0]?.description).toBe("In cents.");
});

test("limits read as a person says them, and those of every whole number are left out", () => {
  const fields = schemaRows({
    properties: {
      count: { type: "integer", minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 },
      code: { type: "string", minLength: 3, maxLength: 3, pattern: "^[a-z]+$" },
      note: { type: "string", minLength: 1, maxLength: 22, description: "Such as `eur`." },
      lines: { type: "array", minItems: 1 },
    },
  });
  expect(fields.map(({ type }) => type)).toEqual([
    "whole number",
    'text, 3 characters, pattern "^[a-z]+$"',
    "text, 1 to 22 characters",
    "list, at least 1 item",
  ]);
  expect(fields[2]?.description).toBe("Such as eur.");
});

test("a schema without properties has no fields, and one that refers to itself ends", () => {
  expect(schemaRows({ type: "object" })).toEqual([]);
  expect(schemaRows(true)).toEqual([]);
  const self = { type: "object", properties: { next: { $ref: "#" } } };
  expect(schemaRows(self).length).toBe(5);
});
