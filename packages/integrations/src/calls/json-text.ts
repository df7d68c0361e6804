import type { JsonValue } from "@procedo/contract";
import { plainDigits } from "@procedo/procedure";
import { isExactNumber } from "./exact-arguments.ts";
import { isList, isObject } from "./plain-value.ts";

/** From here on a whole number has an exponent in JSON's usual form, which readers of integers refuse. */
const exponentsFrom = 1e21;

/**
 * A value as JSON. As `JSON.stringify` writes it, but numbers beyond a double with all of their digits, and whole numbers
 * without an exponent.
 */
export function jsonText(value: JsonValue): string {
  if (isExactNumber(value)) return value.literal;
  if (typeof value === "number" && Math.abs(value) >= exponentsFrom) return plainDigits(value);
  if (isList(value)) return `[${value.map(jsonText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
  return `{${members.join(",")}}`;
}

/** Whether a value holds a number beyond a double, so that no JSON value says what is sent. */
export function holdsExactNumber(value: JsonValue): boolean {
  if (typeof value === "number") return Math.abs(value) >= exponentsFrom;
  if (typeof value !== "object" || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(holdsExactNumber);
}
