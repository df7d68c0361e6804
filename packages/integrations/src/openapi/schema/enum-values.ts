import type { JsonObject, JsonValue } from "@procedo/contract";
import { coercedBoolean } from "./coerced-value.ts";
import { isObject, own } from "./json-object.ts";

/**
 * Values of an `enum`, converted to the schema's type when they were meant so: YAML reads `enum: [1, 2]` as numbers.
 */
export function enumValues(
  values: readonly JsonValue[],
  types: readonly string[],
): {
  readonly values: readonly JsonValue[];
  readonly changed: boolean;
  /** Whether all values have the type. A listed value of another type could never be sent. */
  readonly fits: boolean;
} {
  const [type] = types;
  const meant = values.map((value) => {
    if (types.length !== 1 || value === null) return value;
    if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
    if ((type === "integer" || type === "number") && typeof value === "string" && isDecimal(value))
      return Number(value);
    if (type === "boolean") return coercedBoolean(value) ?? value;
    return value;
  });
  const changed = meant.some((value, index) => value !== values[index]);
  const fits = types.length === 0 || meant.every((value) => value === null || types.some((each) => isOf(value, each)));
  return { values: distinct(meant), changed, fits };
}

function isOf(value: JsonValue, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

/** Whether an `enum` lists the possible items of a list. Some documents write it beside `items` or instead of them. */
export function listsItems(schema: JsonObject, types: readonly string[]): boolean {
  const list = own(schema, "enum");
  if (types.length !== 1 || types[0] !== "array" || !Array.isArray(list) || list.length === 0) return false;
  return !(list as readonly JsonValue[]).some((value) => Array.isArray(value));
}

const isDecimal = (text: string) => /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text);

function distinct(values: readonly JsonValue[]): readonly JsonValue[] {
  if (new Set(values).size === values.length && values.every((value) => typeof value === "string")) return values;
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify(value);
    return !seen.has(key) && seen.add(key);
  });
}
