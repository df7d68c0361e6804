import type { JsonObject, JsonValue } from "@procedo/contract";
import { isList, isObject, resolvePointer } from "./schema-walk.ts";

interface Walk {
  readonly root: JsonObject;
  /** Counts down; at 0, every schema is assumed to accept null. */
  schemasLeft: number;
}

/** Whether a schema accepts null, by the keywords for types and values. Pure except for the count. */
export function takesNull(schema: JsonValue | undefined, walk: Walk, seen = new Set<JsonValue>()): boolean {
  if (schema === false) return false;
  if (!isObject(schema) || seen.has(schema) || walk.schemasLeft <= 0) return true;
  walk.schemasLeft -= 1;
  seen.add(schema);
  const inside = (part: JsonValue): boolean => takesNull(part, walk, seen);
  const { type, enum: values, allOf, anyOf, oneOf, $ref: ref } = schema;
  if (type !== undefined && type !== "null" && !(isList(type) && type.includes("null"))) return false;
  if (isList(values) && !values.includes(null)) return false;
  if (schema["const"] !== undefined && schema["const"] !== null) return false;
  if (isList(allOf) && !allOf.every(inside)) return false;
  if (isList(anyOf) && !anyOf.some(inside)) return false;
  if (isList(oneOf) && !oneOf.some(inside)) return false;
  return typeof ref !== "string" || takesNull(resolvePointer(walk.root, ref), walk, seen);
}
