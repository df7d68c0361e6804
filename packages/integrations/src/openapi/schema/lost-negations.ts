import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import { lostReferenceOf } from "./lost-schema.ts";

/** Maximum number of schemas examined for one `not`. */
const maxSteps = 1_000;

/**
 * Removes each `not` that contains a lost reference. The replacement of a lost schema accepts any value, so its
 * negation would reject every value. Changes the schema in place; its references must be translated already.
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

/** The direct subschemas of a translated schema. */
function schemasWithin(schema: JsonObject): readonly JsonObject[] {
  const { properties, items, additionalProperties, not, allOf, anyOf, oneOf } = schema;
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]) : []));
  const members = isObject(properties) ? Object.values(properties) : [];
  return [items, additionalProperties, not, ...lists, ...members].filter(isObject);
}
