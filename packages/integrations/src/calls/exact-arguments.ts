import type { JsonObject } from "@procedo/contract";
import { ExactNumber, plainNumber, withExactNumbers } from "@procedo/procedure";

/**
 * The arguments as they are sent: digits beyond a double become an `ExactNumber` where the operation accepts a number.
 * `ExactNumber` is not a JSON value; `plainValue` and `jsonText` write its digits.
 */
export function exactArguments(input: JsonObject, args: JsonObject): JsonObject {
  const exact = withExactNumbers(input, args, (digits) => plainNumber(new ExactNumber(digits)));
  return exact === undefined ? args : (exact as JsonObject);
}

/** Whether a value to be sent is a number beyond a double. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return value instanceof ExactNumber;
}
