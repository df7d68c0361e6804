import type { JsonValue } from "@procedo/contract";
import { ExactNumber } from "../numbers/exact-number.ts";
import { Decimal, decimalToText } from "./decimal.ts";
import { keysOf, spend } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { Duration, durationToText, Timestamp, timestampToText } from "./time.ts";
import { isList, isObject, setOwn } from "./value.ts";
import type { Value } from "./value.ts";

/**
 * The one way out of an expression: a JSON value, or nothing for what is absent. Decimals, times and numbers beyond a double become their text.
 * What was read from the scope is handed out as it is, the same object; only what the evaluation made is looked through.
 */
export function toJson(value: Value, frame: Frame): JsonValue | undefined {
  // A negative zero is written 0 in JSON, and would come back as another value than it was.
  if (typeof value === "number") return value === 0 ? 0 : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Decimal) return decimalToText(value);
  if (value instanceof ExactNumber) return value.literal;
  if (value instanceof Timestamp) return timestampToText(value);
  if (value instanceof Duration) return durationToText(value);
  return frame.made?.has(value) === true ? containerToJson(value, frame) : (value as JsonValue);
}

/** Each item and each key is a step, since a list that holds one list twice, and so on, is far larger as JSON than in memory. */
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
