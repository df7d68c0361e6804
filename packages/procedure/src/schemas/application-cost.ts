import type { JsonObject, JsonValue } from "@procedo/contract";
import { allSchemas, isObject } from "./schema-walk.ts";

/** The cost of applying one schema to one value, in steps of a check, without that of its subschemas. */
export interface ApplicationCost {
  readonly fixed: number;
  readonly perItem: number;
  readonly perKey: number;
  /** Whether each character of a text is read. */
  readonly readsText: boolean;
}

/** Properties of the whole schema that make the application of its parts more expensive. */
export interface SchemaWhole {
  /** Members that `unevaluatedProperties` may have to distinguish; 0 if no schema has that keyword. */
  readonly names: number;
  /** Steps per keyword; the engine optimizes only the code of smaller schemas. */
  readonly stepsPerPart: number;
}

/** The code of larger schemas is interpreted; a keyword then takes 30 to 70 nanoseconds. */
const optimizedSchemas = 100;

export function wholeOf(root: JsonObject): SchemaWhole {
  let isTracked = false;
  let names = 0;
  let schemas = 0;
  for (const { schema } of allSchemas(root)) {
    schemas += 1;
    isTracked ||= schema["unevaluatedProperties"] !== undefined;
    names += sizeOf(schema["properties"]) + sizeOf(schema["patternProperties"]);
  }
  return { names: isTracked ? names + 1 : 0, stepsPerPart: schemas > optimizedSchemas ? 3 : 1 };
}

const oneSchema = ["$ref", "$dynamicRef", "not", "if", "then", "else", "contains", "additionalProperties"];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems", "items", "required"];
const byName = ["properties", "dependentSchemas", "dependentRequired", "dependencies"];
const byItem = ["items", "additionalItems", "unevaluatedItems", "contains"];
/**
 * Without `additionalProperties: false` and without patterns, because each unknown name is a violation and each match
 * has its own cost.
 */
const byKey = ["propertyNames", "unevaluatedProperties", "minProperties", "maxProperties"];
/** Each of them merges its evaluated names into one set. */
const merging = ["anyOf", "oneOf", "allOf", "if", "dependentSchemas", "$ref", "$dynamicRef"];
/** Comparing two names takes less than a step. */
const namesPerStep = 4;

/** The cost of a schema; `undefined` if it is so small that the enclosing schema covers it. */
export function applicationCost(schema: JsonObject, whole: SchemaWhole): ApplicationCost | undefined {
  const fixed =
    count(oneSchema, (keyword) => (schema[keyword] === undefined ? 0 : 1)) +
    count(schemaLists, (keyword) => lengthOf(schema[keyword])) +
    count(byName, (keyword) => sizeOf(schema[keyword]) + namesWithin(schema[keyword]));
  const perItem = count(byItem, (keyword) => (isApplied(schema[keyword]) ? 1 : 0));
  const perKey =
    count(byKey, (keyword) => (isApplied(schema[keyword]) ? 1 : 0)) +
    (isObject(schema["additionalProperties"]) ? 1 : 0) +
    (whole.names === 0 ? 0 : merges(schema) + Math.ceil(whole.names / namesPerStep) * marks(schema));
  const readsText = schema["minLength"] !== undefined || schema["maxLength"] !== undefined;
  if (fixed + perItem + perKey === 0 && !readsText) return undefined;
  return { fixed: whole.stepsPerPart * (fixed + 1), perItem: whole.stepsPerPart * perItem, perKey, readsText };
}

const marks = (schema: JsonObject): number => (schema["unevaluatedProperties"] === undefined ? 0 : 1);

const merges = (schema: JsonObject): number =>
  count(merging, (keyword) => {
    const value = schema[keyword];
    return value === undefined ? 0 : Array.isArray(value) ? value.length : isObject(value) ? sizeOf(value) : 1;
  });

const count = (keywords: readonly string[], of: (keyword: string) => number): number =>
  keywords.reduce((sum, keyword) => sum + of(keyword), 0);

const sizeOf = (value: JsonValue | undefined): number => (isObject(value) ? Object.keys(value).length : 0);
const lengthOf = (value: JsonValue | undefined): number => (Array.isArray(value) ? value.length : 0);
/** `true` accepts every value and is not applied; the number of schemas in a list is the number of items. */
const isApplied = (value: JsonValue | undefined): boolean =>
  typeof value === "number" || value === false || isObject(value);

/** Number of names that `dependentRequired` lists. */
function namesWithin(value: JsonValue | undefined): number {
  return isObject(value) ? Object.values(value).reduce<number>((sum, list) => sum + lengthOf(list), 0) : 0;
}
