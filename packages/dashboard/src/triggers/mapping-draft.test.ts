import { expect, test } from "vitest";
import { formField } from "../forms/form-field.ts";
import { mappedNames, mappingOf, mappingText, shownJson, textsOf, type MappingDraft } from "./mapping-draft.ts";

const field = formField(
  {
    type: "object",
    properties: {
      payee: { type: "string" },
      amount: { type: "integer" },
      currency: { enum: ["EUR", "USD"] },
      lines: { type: "array", items: { type: "object", properties: { text: { type: "string" } } } },
    },
  },
  "Input",
  true,
);

const fields = (texts: Readonly<Record<string, string>>): MappingDraft => ({
  source: "fields",
  texts: new Map(Object.entries(texts)),
});

test("a template is shown in fields, and is the same again", () => {
  const template = {
    payee: "Vendor {{ event.id }}",
    amount: "{{ event.amount }}",
    currency: "EUR",
    lines: [{ text: "{{ event.text }}" }],
    extra: 12,
  };
  const texts = textsOf(mappingOf(template), field);
  expect(Object.fromEntries(texts ?? [])).toEqual({
    payee: "Vendor {{ event.id }}",
    amount: "{{ event.amount }}",
    currency: "EUR",
    lines: '[\n  {\n    "text": "{{ event.text }}"\n  }\n]',
    extra: "12",
  });
  const text = mappingText({ source: "fields", texts: texts ?? new Map() }, field);
  expect(text.ok && JSON.parse(text.json)).toEqual(template);
  expect(mappedNames(field, texts ?? new Map())).toEqual(["payee", "amount", "currency", "lines", "extra"]);
});

test("digits stay as they were typed, and empty fields are left out", () => {
  const text = mappingText(fields({ amount: "12.50", payee: " ", lines: "" }), field);
  expect(text).toEqual({ ok: true, json: '{\n  "amount": 12.50\n}' });
});

test("a number that would not stay exact is refused", () => {
  const text = mappingText(fields({ amount: "9007199254740993" }), field);
  expect(text.ok ? "" : text.faults[0]?.message).toMatch(/^is not valid JSON: .*9007199254740993/);
});

test("a field that is neither an expression nor JSON is named, with its place", () => {
  const text = mappingText(fields({ amount: "event.amount", "a/b": "x" }), field);
  expect(text.ok ? [] : text.faults.map(({ path }) => path)).toEqual(["/amount", "/a~1b"]);
  expect(JSON.parse(shownJson(fields({ amount: "event.amount", payee: "Acme" }), field))).toEqual({
    amount: "event.amount",
    payee: "Acme",
  });
});

test("JSON with a fault, and a template that fields cannot show, stay JSON", () => {
  const broken: MappingDraft = { source: "json", json: '{ "payee": ' };
  expect(textsOf(broken, field)).toBeUndefined();
  const text = mappingText(broken, field);
  expect(text.ok ? "" : text.faults[0]?.message).toMatch(/^Line 1, column /);
  expect(textsOf(mappingOf({ payee: "" }), field)).toBeUndefined();
  expect(textsOf(mappingOf({ payee: 12 }), field)).toBeUndefined();
});
