import type { JsonObject, JsonValue } from "@procedo/contract";
import { plainDigits } from "@procedo/procedure";
import { isExactNumber } from "./exact-arguments.ts";
import { unsendable } from "./unsendable.ts";

/** A value in the model of OpenAPI styles, which omit nulls (RFC 6570, 2.3), also inside lists and objects. */
export type PlainValue =
  | { readonly kind: "nothing" }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly JsonValue[] }
  | { readonly kind: "members"; readonly members: readonly (readonly [name: string, value: JsonValue])[] };

export function plainValue(value: JsonValue | undefined): PlainValue {
  if (value === undefined || value === null) return { kind: "nothing" };
  if (typeof value === "object" && !isExactNumber(value)) {
    if (isList(value)) {
      const items = value.filter((item) => item !== null);
      return items.length === 0 ? { kind: "nothing" } : { kind: "list", items };
    }
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return members.length === 0 ? { kind: "nothing" } : { kind: "members", members };
  }
  return { kind: "scalar", text: textOfScalar(value) };
}

/** @throws EgressError `invalid_input` for a nested list or object in a style that cannot express it */
export function scalarText(name: string, value: JsonValue): string {
  if (isScalar(value)) return textOfScalar(value);
  throw unsendable(`The parameter "${name}" contains a nested list or object, which its style cannot express.`);
}

/** Numbers without an exponent, which many readers reject. */
export function textOfScalar(value: JsonValue): string {
  if (isExactNumber(value)) return value.literal;
  if (typeof value === "number") return plainDigits(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || isExactNumber(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value) && !isExactNumber(value);
}
