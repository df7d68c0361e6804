import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";

/**
 * Maximum depth of translated schemas in levels of JSON. Their users need some of the 64 levels that the engine
 * compiles.
 */
export const maxSchemaDepth = 44;
/** Maximum number of schemas that may apply to the same value, counted through references. */
export const maxApplied = 4_000;
/** Maximum length of a chain of references for the same value. */
export const maxReferenceChain = 200;
/**
 * Maximum weight of a self-contained schema, see {@link weightOf}. The engine compiles at most 10,000 values and 4,000
 * schemas, where each expensive keyword counts as three.
 */
export const defaultSchemaWeight = 8_000;

const charactersPerValue = 200;
const objectWeight = 2;
const dearKeywords = ["$ref", "enum", "multipleOf", "pattern", "uniqueItems"];
const dearKeywordWeight = 6;
/** The compiled code of `oneOf` grows with the square of its alternatives. */
const nestedAlternatives = 125;

/**
 * The number of values, including containers. A text counts once more per 200 characters. An object counts twice, and
 * six times more for each keyword that is expensive to compile. Counting stops above `limit`.
 *
 * @param visit - called for each object before its members
 */
export function weightOf(
  value: JsonValue,
  limit = Number.POSITIVE_INFINITY,
  visit?: (object: JsonObject) => void,
): number {
  if (typeof value === "string") return 1 + Math.floor(value.length / charactersPerValue);
  if (typeof value !== "object" || value === null) return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      weight += weightOf(item, limit - weight, visit);
      if (weight > limit) break;
    }
    return weight;
  }
  const object = value as JsonObject;
  visit?.(object);
  weight = objectWeight;
  for (const keyword of dearKeywords) if (Object.hasOwn(object, keyword)) weight += dearKeywordWeight;
  const { oneOf } = object;
  if (Array.isArray(oneOf)) weight += Math.floor(oneOf.length ** 2 / nestedAlternatives);
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    weight += weightOf(object[name] ?? null, limit - weight, visit) + Math.floor(name.length / charactersPerValue);
    if (weight > limit) break;
  }
  return weight;
}

const maxDataDepth = 8;
const maxDataWeight = 2_000;

/** Whether data in the document (`enum`, `default`, an example) is small, flat and free of `__proto__`. */
export function isPlainData(value: JsonValue): boolean {
  let left = maxDataWeight;
  const fits = (at: JsonValue, depth: number): boolean => {
    left -= typeof at === "string" ? 1 + at.length / charactersPerValue : 1;
    if (left < 0) return false;
    if (typeof at === "number") return Number.isFinite(at);
    if (typeof at !== "object" || at === null) return true;
    if (depth === 0) return false;
    if (isObject(at)) {
      return Object.entries(at).every(([name, inner]) => name !== "__proto__" && fits(inner, depth - 1));
    }
    return at.every((item) => fits(item, depth - 1));
  };
  return fits(value, maxDataDepth);
}
