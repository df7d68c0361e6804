import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import { lostReferenceOf } from "./lost-schema.ts";

/** Schemas looked at for one `not`. */
const maxSteps = 1_000;

/**
 * Removes each `not` that holds a lost reference. A schema that takes any value where it is affirmed would refuse every value
 * where it is denied. Changes the schema in place; the schemas that it refers to have to be translated.
 */
export function removeLostNegations(schema: JsonObject, definition: (name: string) => JsonObject | undefined): void {
  const unread: JsonObject[] = [schema];
  for (let at = unread.pop(); at !== undefined; at = unread.pop()) {
    const { not } = at;
    if (isObject(not) && reachesLost(not, definition)) delete (at as Record<string, JsonValue>)["not"];
    unread.push(...schemasWithin(at));
  }
}

function reachesLost(schema: JsonObject, definition: (name: string) => JsonObject | undefined): boolean {
  const seen = new Set<JsonObject>();
  const unread: JsonObject[] = [schema];
  for (let at = unread.pop(); at !== undefined && seen.size < maxSteps; at = unread.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (lostReferenceOf(at) !== undefined) return true;
    const target = typeof at["$ref"] === "string" ? definition(at["$ref"].slice("#/$defs/".length)) : undefined;
    if (target !== undefined) unread.push(target);
    unread.push(...schemasWithin(at));
  }
  return false;
}

/** The schemas that stand directly within a translated schema. */
function schemasWithin(schema: JsonObject): readonly JsonObject[] {
  const { properties, items, additionalProperties, not, allOf, anyOf, oneOf } = schema;
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]) : []));
  const members = isObject(properties) ? Object.values(properties) : [];
  return [items, additionalProperties, not, ...lists, ...members].filter(isObject);
}
