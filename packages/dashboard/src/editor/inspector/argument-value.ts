/* How an argument of a call is filled. */
import type { JsonValue } from "@procedo/contract";
import { parseExact } from "@procedo/procedure";
import type { FormField } from "../../forms/form-field.ts";

/** A value as it is, an expression whose value is taken during the run, the agent, or nothing. */
export type Filling = "value" | "expression" | "agent" | "none";

const wholeExpression = /^\{\{((?:(?!\}\}|\{\{)[^])*)\}\}$/;

/** The filling of an argument that the step has, or would have without one. */
export function fillingOf(value: JsonValue | undefined, hasAgent: boolean): Filling {
  if (value === undefined) return hasAgent ? "agent" : "none";
  return expressionIn(value) === undefined ? "value" : "expression";
}

/** The expression that is the whole value. */
export function expressionIn(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? wholeExpression.exec(value)?.[1]?.trim() : undefined;
}

export function expressionValue(source: string): string {
  return `{{ ${source.trim()} }}`;
}

/** The value that a person typed for a field: a number where the field takes one and the text is one, else the text. */
export function typedValue({ kind }: FormField, text: string): JsonValue | undefined {
  if (kind !== "number") return text;
  if (text.trim() === "") return undefined;
  const parsed = parseExact(text);
  return parsed.ok && typeof parsed.value === "number" ? parsed.value : text;
}

/** The text of a value that is typed in one line; `undefined` for one that is shown as JSON. */
export function typedText(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : undefined;
}
