import type { JsonValue } from "@procedo/contract";
import { plainDigits } from "@procedo/procedure";
import { isExactNumber } from "./exact-arguments.ts";
import { isList, isObject } from "./plain-value.ts";

/** From here on, `JSON.stringify` writes whole numbers with an exponent, which integer parsers reject. */
const exponentsFrom = 1e21;

/**
 * Serializes a value like `JSON.stringify`, but with all digits of numbers beyond a double and without exponents in
 * whole numbers.
 */
export function jsonText(value: JsonValue): string {
  if (isExactNumber(value)) return value.literal;
  if (typeof value === "number" && Math.abs(value) >= exponentsFrom) return plainDigits(value);
  if (isList(value)) return `[${value.map(jsonText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
  return `{${members.join(",")}}`;
}

/** Whether a value contains a number beyond a double, so that no JSON value equals the sent text. */
export function holdsExactNumber(value: JsonValue): boolean {
  if (typeof value === "number") return Math.abs(value) >= exponentsFrom;
  if (typeof value !== "object" || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(holdsExactNumber);
}
