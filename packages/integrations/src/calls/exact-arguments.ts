import type { JsonObject } from "@procedo/contract";
import { ExactNumber, plainNumber, withExactNumbers } from "@procedo/procedure";

/**
 * The arguments as they are written: digits that a double would change are an `ExactNumber` where the operation takes a
 * number. It is no JSON value, and written as one: `plainValue` and `jsonText` know it.
 */
export function exactArguments(input: JsonObject, args: JsonObject): JsonObject {
  const exact = withExactNumbers(input, args, (digits) => plainNumber(new ExactNumber(digits)));
  return exact === undefined ? args : (exact as JsonObject);
}

/** Whether a value that is written is a number beyond a double. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return value instanceof ExactNumber;
}
