import { describe, expect, test } from "vitest";
import { exactJsonOf, readExactJson } from "./exact-json.ts";
import { entryOf, type FormEntry } from "./form-entry.ts";
import { formField } from "./form-field.ts";
import { emptyEntry, textOf, unfinishedText } from "./form-value.ts";

const payment = {
  type: "object",
  required: ["vendorId", "amount"],
  properties: {
    vendorId: { type: "string", title: "Vendor", maxLength: 10 },
    amount: { type: "integer", minimum: 1, description: "In minor units." },
    rate: { type: "number", exclusiveMaximum: 2 },
    urgent: { type: "boolean" },
    method: { enum: ["sepa", 3, "3"] },
    note: { type: ["string", "null"] },
    lines: { type: "array", items: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } } },
    extra: { anyOf: [{ type: "string" }, { type: "number" }] },
    address: { $ref: "#/$defs/address", title: "Address" },
    due: { type: "string", format: "date" },
  },
  $defs: { address: { type: "object", required: ["city"], properties: { city: { type: "string" } } } },
};
const field = formField(payment, "Input", true);
const text = (value: string): FormEntry => ({ kind: "text", text: value });

const entered = (members: Readonly<Record<string, FormEntry>>): FormEntry => {
  const all = emptyEntry(field);
  return all.kind === "object" ? { ...all, members: { ...all.members, vendorId: text("v"), ...members } } : all;
};
const sent = (members: Readonly<Record<string, FormEntry>>) =>
  textOf(field, entered({ amount: text("1"), ...members }));

describe("digits are sent as they were typed", () => {
  test.each([
    ["amount", "4500000", "4500000"],
    ["amount", "1e3", "1e3"],
    ["amount", "100000000000000000", "100000000000000000"],
    ["rate", "0.10", "0.10"],
    ["rate", "-1.50", "-1.50"],
    // The service takes a text of digits for a number that JSON readers would round.
    ["amount", "123456789012345679", '"123456789012345679"'],
    ["rate", "0.1000000000000000055", '"0.1000000000000000055"'],
  ])("%s %s", (name, typed, written) => {
    const result = sent({ [name]: text(typed) });
    expect(result.isValid && result.text).toContain(`"${name}":${written}`);
  });
});

test("fields that are left empty are left out, also a group with required members", () => {
  expect(sent({})).toEqual({ isValid: true, text: '{"vendorId":"v","amount":1}' });
});

describe("a value that does not fit its field is not sent:", () => {
  test.each<[string, FormEntry, string]>([
    ["vendorId", text(""), "is required."],
    ["vendorId", text("12345678901"), "has 11 characters; at most 10 are allowed."],
    ["amount", text("45.000,00"), "is not a whole number. Write only digits, such as 4500000."],
    ["amount", text("45.5"), "is not a whole number. It has decimals."],
    ["amount", text("0"), "must be at least 1."],
    ["rate", text("1,5"), "is not a number. Write it like 1234.5, without separators or units."],
    ["rate", text("3"), "must be less than 2."],
    ["extra", text("{"), "is not valid JSON: it ends too early."],
    ["due", text("2026-02-30"), "is not a date. Write it like 2026-11-20."],
  ])("%s %j", (name, entry, message) => {
    expect(sent({ [name]: entry })).toEqual({ isValid: false, problems: [{ path: `/${name}`, message }] });
  });

  test("a row of a list has its index in the pointer", () => {
    const row = emptyEntry(formField(payment.properties.lines.items, "Row", true));
    const result = sent({ lines: { kind: "list", items: [row, row] } });
    expect(!result.isValid && result.problems.map(({ path }) => path)).toEqual(["/lines/0/sku", "/lines/1/sku"]);
  });
});

describe("a value is shown, and sent again as it was:", () => {
  test.each([
    { vendorId: "v", amount: 5, urgent: false, method: 3, lines: [{ sku: "a" }], extra: { any: [1] } },
    { vendorId: "7", amount: 0, method: "3", address: { city: "Oslo" } },
    { vendorId: "", note: null, amount: "9007199254740993" },
    { vendorId: 7, amount: "seven", urgent: "yes", lines: {}, address: [] },
    { unknown: { a: 1 }, address: { city: "Oslo", zip: "0150" }, method: "none of them" },
  ])("%j", (value) => {
    const shown = entryOf(field, exactJsonOf(value));
    expect(JSON.parse(unfinishedText(field, shown))).toEqual(value);
  });
});

test("what was filled in so far is written as JSON, also what cannot be sent", () => {
  const entry = entered({ amount: text("45.000,00"), rate: text("0.10"), extra: text("{") });
  expect(unfinishedText(field, entry)).toBe('{"vendorId":"v","amount":"45.000,00","rate":0.10,"extra":"{"}');
});

test("a default is shown at once, and is not demanded when it is removed", () => {
  const withDefault = formField(
    { type: "object", required: ["currency"], properties: { currency: { enum: ["EUR", "USD"], default: "EUR" } } },
    "Input",
    true,
  );
  expect(textOf(withDefault, emptyEntry(withDefault))).toEqual({ isValid: true, text: '{"currency":"EUR"}' });
  expect(textOf(withDefault, entryOf(withDefault, readExactJson("{}")))).toEqual({ isValid: true, text: "{}" });
});
