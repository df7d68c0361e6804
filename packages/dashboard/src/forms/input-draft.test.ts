import { expect, test } from "vitest";
import { formField } from "./form-field.ts";
import { draftOf, entriesOf, inputText, jsonOf } from "./input-draft.ts";

const field = formField(
  { type: "object", properties: { payee: { type: "string" }, rate: { type: "number" } } },
  "Input",
  true,
);

test("what is written as JSON is shown in the form, and sent as it was written", () => {
  const draft = { source: "json", json: '{"payee": "A", "rate": 0.10, "more": [1e3]}' } as const;
  expect(entriesOf(field, draft)).toMatchObject({
    members: { rate: { text: "0.10" } },
    others: [["more", "[\n    1e3\n  ]"]],
  });
  expect(inputText(field, draft, "json")).toEqual({ isValid: true, text: draft.json });
  const fromForm = inputText(field, draft, "form");
  expect(fromForm.isValid && fromForm.text.replaceAll(/\s/g, "")).toBe('{"payee":"A","rate":0.10,"more":[1e3]}');
});

test("JSON with faults is kept, and each fault is reported with its place", () => {
  const draft = { source: "json", json: '{"payee": "A",\n rate: 1,}' } as const;
  expect(entriesOf(field, draft)).toBeUndefined();
  expect(jsonOf(field, draft)).toBe(draft.json);
  const result = inputText(field, draft, "form");
  expect(!result.isValid && result.problems.map(({ message }) => message.slice(0, 17))).toEqual([
    "Line 2, column 2:",
    "Line 2, column 9:",
  ]);
});

test("looking at the JSON of a form changes nothing", () => {
  const draft = draftOf(field, { payee: "A", rate: 1 });
  expect(jsonOf(field, draft)).toBe('{\n  "payee": "A",\n  "rate": 1\n}');
  expect(draft.source).toBe("form");
});
