import type { JsonValue } from "@procedo/contract";

/** The number that a document wrote as a text, `minLength: "2"`; `undefined`: it is none, or a double would change its digits. */
export function coercedNumber(value: JsonValue): number | undefined {
  return typeof value === "string" && /^\s*[+-]?\d{1,15}(?:\.\d{1,10})?\s*$/.test(value) ? Number(value) : undefined;
}

/** The boolean that a document wrote as a text or a number, `required: "true"`; `undefined`: it is none. */
export function coercedBoolean(value: JsonValue): boolean | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === "true" || word === "yes" || word === 1) return true;
  return word === "false" || word === "no" || word === 0 ? false : undefined;
}
