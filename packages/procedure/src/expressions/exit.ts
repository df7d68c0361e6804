import type { JsonValue } from "@procedo/contract";
import { ExactNumber } from "../numbers/exact-number.ts";
import { Decimal, decimalToText } from "./decimal.ts";
import { keysOf, spend } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { Duration, durationToText, Timestamp, timestampToText } from "./time.ts";
import { isList, isObject, setOwn } from "./value.ts";
import type { Value } from "./value.ts";

/**
 * Converts the result of an expression to JSON; `undefined` if it is absent. Decimals, times and numbers beyond a
 * double become text. A value that was read from the scope is returned as the same object; only values that the
 * evaluation made are traversed.
 */
export function toJson(value: Value, frame: Frame): JsonValue | undefined {
  // JSON writes a negative zero as 0, which would be read back as another value.
  if (typeof value === "number") return value === 0 ? 0 : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Decimal) return decimalToText(value);
  if (value instanceof ExactNumber) return value.literal;
  if (value instanceof Timestamp) return timestampToText(value);
  if (value instanceof Duration) return durationToText(value);
  return frame.made?.has(value) === true ? containerToJson(value, frame) : (value as JsonValue);
}

/**
 * Each item and each key costs a step, because a list that contains another list twice, and so on, is far larger as
 * JSON than in memory.
 */
function containerToJson(value: Value, frame: Frame): JsonValue {
  if (isList(value)) {
    spend(frame, value.length);
    return value.map((item) => toJson(item, frame) ?? null);
  }
  const result: Record<string, JsonValue> = {};
  if (!isObject(value)) return result;
  for (const key of keysOf(value, frame)) setOwn(result, key, toJson(value[key], frame) ?? null);
  return result;
}
