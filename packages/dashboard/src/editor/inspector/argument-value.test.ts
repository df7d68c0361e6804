import { expect, test } from "vitest";
import { formField } from "../../forms/form-field.ts";
import { expressionIn, expressionValue, fillingOf, typedText, typedValue } from "./argument-value.ts";

test("a value that is one expression is told from a text with expressions", () => {
  expect(expressionIn("{{ input.amount }}")).toBe("input.amount");
  expect(expressionIn(expressionValue("a ? 'x' : 'y'"))).toBe("a ? 'x' : 'y'");
  expect(expressionIn("{{  }}")).toBe("");
  expect(expressionIn("Invoice {{ input.id }}")).toBeUndefined();
  expect(expressionIn("{{ a }}{{ b }}")).toBeUndefined();
  expect(expressionIn(3)).toBeUndefined();
});

test("an argument that is not mapped is filled by the agent, if there is one", () => {
  expect(fillingOf(undefined, true)).toBe("agent");
  expect(fillingOf(undefined, false)).toBe("none");
  expect(fillingOf("{{ input.amount }}", true)).toBe("expression");
  expect(fillingOf(false, true)).toBe("value");
});

test("digits become a number only where one is taken and keeps them", () => {
  const number = formField({ type: "integer" }, "Amount", true);
  expect(typedValue(number, "4500000")).toBe(4_500_000);
  expect(typedValue(number, "9007199254740993")).toBe("9007199254740993");
  expect(typedValue(number, "45.000,00")).toBe("45.000,00");
  expect(typedValue(number, "{{ input.amount }}")).toBe("{{ input.amount }}");
  expect(typedValue(number, " ")).toBeUndefined();
  expect(typedValue(formField({ type: "string" }, "Payee", true), "007")).toBe("007");
  expect(typedText(4_500_000)).toBe("4500000");
  expect(typedText({ a: 1 })).toBeUndefined();
});
