import type { JsonObject, JsonValue } from "@procedo/contract";

/** Keywords that hold schemas by name, a list of schemas, or one schema. */
const byName = ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];
const listed = ["allOf", "anyOf", "oneOf", "prefixItems"];
const single = [
  ...["items", "additionalItems", "unevaluatedItems", "contains"],
  ...["additionalProperties", "unevaluatedProperties", "not", "if", "then", "else"],
];

/**
 * A tool's schema in a form that providers accept at every depth. OpenAI refuses an array without `items`, a root
 * without `properties`, and `propertyNames`; OpenAI and Anthropic refuse the tuples of draft 07. A value that fits the
 * schema fits the result. Pure.
 */
export function providerSchema(schema: JsonObject): JsonObject {
  const { properties = {}, ...others } = accepted(schema);
  return { ...others, properties };
}

function accepted(schema: JsonObject): JsonObject {
  const { propertyNames: _names, ...kept } = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, acceptedPart(keyword, value)]),
  );
  const { items, additionalItems, type } = kept;
  if (isList(items)) {
    const { additionalItems: _rest, ...others } = kept;
    return { ...others, prefixItems: items, items: additionalItems ?? {} };
  }
  const isArray = type === "array" || (isList(type) && type.includes("array"));
  return isArray && items === undefined ? { ...kept, items: {} } : kept;
}

function acceptedPart(keyword: string, value: JsonValue): JsonValue {
  const inside = (part: JsonValue): JsonValue => (isObject(part) ? accepted(part) : part);
  if (isList(value)) return listed.includes(keyword) || keyword === "items" ? value.map(inside) : value;
  if (!isObject(value)) return value;
  if (single.includes(keyword)) return accepted(value);
  if (!byName.includes(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inside(part)]));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
