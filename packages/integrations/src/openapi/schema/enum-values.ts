import type { JsonValue } from "@procedo/contract";

/** Values of an `enum`, written in the schema's type where they were meant so: YAML reads `enum: [1, 2]` as numbers. */
export function enumValues(
  values: readonly JsonValue[],
  types: readonly string[],
): { readonly values: readonly JsonValue[]; readonly changed: boolean } {
  const [type] = types;
  const meant = values.map((value) => {
    if (types.length !== 1 || value === null) return value;
    if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
    if ((type === "integer" || type === "number") && typeof value === "string" && isDecimal(value))
      return Number(value);
    if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
    return value;
  });
  return { values: distinct(meant), changed: meant.some((value, index) => value !== values[index]) };
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
