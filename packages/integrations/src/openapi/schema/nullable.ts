import type { JsonObject, JsonValue } from "@procedo/contract";
import { describing } from "./describing.ts";

const combining = ["allOf", "anyOf", "oneOf", "not"];

/** Whether allowing null needs an enclosing schema, because keywords other than `type` and `enum` would reject it. */
export function needsWrapping(schema: JsonObject): boolean {
  return combining.some((keyword) => Object.hasOwn(schema, keyword));
}

/** The schema with null allowed. OpenAPI's `nullable` overrides all constraints of the schema. */
export function nullableSchema(schema: JsonObject): JsonObject {
  if (needsWrapping(schema)) {
    const outside = Object.entries(schema).filter(([keyword]) => describing.has(keyword));
    const inside = Object.entries(schema).filter(([keyword]) => !describing.has(keyword));
    return { ...Object.fromEntries(outside), anyOf: [Object.fromEntries(inside), { type: "null" }] };
  }
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(type !== undefined && { type: withNull(type) }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...(values as readonly JsonValue[]), null] }),
  };
}

function withNull(type: JsonValue): JsonValue {
  const types: readonly JsonValue[] = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  return types.includes("null") ? types : [...types, "null"];
}
