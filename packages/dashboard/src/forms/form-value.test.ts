import { describe, expect, test } from "vitest";
import { formField } from "./form-field.ts";
import { emptyEntry, entryOf, textOf, type FormEntry } from "./form-value.ts";

const payment = {
  type: "object",
  required: ["vendorId", "amount"],
  properties: {
    vendorId: { type: "string", title: "Vendor" },
    amount: { type: "integer", description: "In minor units." },
    rate: { type: "number" },
    urgent: { type: "boolean" },
    method: { enum: ["sepa", "swift", 3] },
    note: { type: ["string", "null"] },
    lines: { type: "array", items: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } } },
    extra: { anyOf: [{ type: "string" }, { type: "number" }] },
    address: { $ref: "#/$defs/address" },
  },
  $defs: { address: { type: "object", required: ["city"], properties: { city: { type: "string" } } } },
};
const field = formField(payment, "Input", true);

const entered = (members: Readonly<Record<string, FormEntry>>): FormEntry => {
  const all = emptyEntry(field);
  return all.kind === "object" ? { kind: "object", members: { ...all.members, ...members } } : all;
};
const text = (value: string): FormEntry => ({ kind: "text", text: value });

test("the kinds of fields, and their labels", () => {
  const kinds = field.kind === "object" ? field.members.map(([name, { kind, label }]) => [name, kind, label]) : [];
  expect(kinds).toEqual([
    ["vendorId", "text", "Vendor"],
    ["amount", "number", "amount"],
    ["rate", "number", "rate"],
    ["urgent", "boolean", "urgent"],
    ["method", "choice", "method"],
    ["note", "text", "note"],
    ["lines", "list", "lines"],
    ["extra", "json", "extra"],
    ["address", "object", "address"],
  ]);
});

test("digits are sent as they were typed", () => {
  const result = textOf(field, entered({ vendorId: text("v"), amount: text("9007199254740993"), rate: text("0.10") }));
  expect(result).toEqual({ isValid: true, text: '{"vendorId":"v","amount":9007199254740993,"rate":0.10}' });
});

test("fields that are left empty are left out, also a group with required members", () => {
  expect(textOf(field, entered({ vendorId: text("v"), amount: text("1") }))).toEqual({
    isValid: true,
    text: '{"vendorId":"v","amount":1}',
  });
});

test("every problem has the pointer of its field", () => {
  const address: FormEntry = { kind: "object", members: { city: text("") } };
  const lines: FormEntry = { kind: "list", items: [{ kind: "object", members: { sku: text("") } }] };
  const result = textOf(field, entered({ amount: text("1,5"), extra: text("{"), lines, address }));
  expect(result).toEqual({
    isValid: false,
    problems: [
      { path: "/vendorId", message: "is required" },
      { path: "/amount", message: "is not a whole number" },
      { path: "/lines/0/sku", message: "is required" },
      { path: "/extra", message: "is not valid JSON" },
    ],
  });
});

describe("a value becomes an entry, and the same value again", () => {
  test.each([
    [{ vendorId: "v", amount: 5, urgent: false, method: 3, lines: [{ sku: "a" }], extra: { any: [1] } }],
    [{ vendorId: "7", amount: 0, address: { city: "Oslo" } }],
  ])("%j", (value) => {
    const result = textOf(field, entryOf(field, value));
    expect(result.isValid && JSON.parse(result.text ?? "null")).toEqual(value);
  });
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
