import type { JsonValue } from "@procedo/contract";

/**
 * The number in a text such as `minLength: "2"`; `undefined` for another text, or if a double would change the digits.
 */
export function coercedNumber(value: JsonValue): number | undefined {
  return typeof value === "string" && /^\s*[+-]?\d{1,15}(?:\.\d{1,10})?\s*$/.test(value) ? Number(value) : undefined;
}

/** The boolean in a text or number such as `required: "true"`; `undefined` for other values. */
export function coercedBoolean(value: JsonValue): boolean | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === "true" || word === "yes" || word === 1) return true;
  return word === "false" || word === "no" || word === 0 ? false : undefined;
}
