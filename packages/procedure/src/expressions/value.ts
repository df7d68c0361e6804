import type { JsonValue } from "@procedo/contract";
import { ExactNumber } from "../numbers/exact-number.ts";
import { Decimal } from "./decimal.ts";
import { Duration, Timestamp } from "./time.ts";

/**
 * The values of a calculation: JSON, decimals, times, and numbers beyond a double. An absent optional is `undefined`,
 * and a present one is its value. The compiler knows from the types where `undefined` can occur, and requires
 * `.orValue()` there.
 */
export type Value =
  JsonValue | Decimal | ExactNumber | Timestamp | Duration | ValueObject | readonly Value[] | undefined;

export interface ValueObject {
  readonly [key: string]: Value;
}

export type ValueKind =
  "absent" | "null" | "bool" | "number" | "exact" | "string" | "decimal" | "timestamp" | "duration" | "list" | "object";

export function kindOf(value: Value): ValueKind {
  switch (typeof value) {
    case "number":
      return "number";
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "undefined":
      return "absent";
    default:
      if (value === null) return "null";
      if (Array.isArray(value)) return "list";
      if (value instanceof Decimal) return "decimal";
      if (value instanceof ExactNumber) return "exact";
      if (value instanceof Timestamp) return "timestamp";
      if (value instanceof Duration) return "duration";
      return "object";
  }
}

export function isObject(value: Value): value is ValueObject {
  return kindOf(value) === "object";
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** The name of a kind in messages. */
export const kindNames: Readonly<Record<ValueKind, string>> = {
  absent: "an absent value",
  null: "null",
  bool: "true or false",
  number: "a number",
  exact: "a number",
  string: "text",
  decimal: "a decimal",
  timestamp: "a timestamp",
  duration: "a duration",
  list: "a list",
  object: "an object",
};

/** Sets a key as the object's own, including `__proto__`, which an assignment would not set. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
