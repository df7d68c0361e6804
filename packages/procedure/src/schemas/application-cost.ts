import type { JsonObject, JsonValue } from "@procedo/contract";
import { allSchemas, isObject } from "./schema-walk.ts";

/** What applying one schema to one value takes by itself, in steps of a check; its subschemas take their own. */
export interface ApplicationCost {
  readonly fixed: number;
  readonly perItem: number;
  readonly perKey: number;
  /** Whether each character of a text is looked at. */
  readonly readsText: boolean;
}

/** What of a schema as a whole makes the application of its parts dearer. */
export interface SchemaWhole {
  /** Members that `unevaluatedProperties` may have to tell apart; 0 where no schema has that keyword. */
  readonly names: number;
  /** What a keyword takes; the engine optimizes only the code of smaller schemas. */
  readonly stepsPerPart: number;
}

/** Of more, the code is interpreted, in which a keyword takes 30 to 70 nanoseconds. */
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
/** Not `additionalProperties: false`, and not patterns: each unknown name is a violation, and each match takes its own. */
const byKey = ["propertyNames", "unevaluatedProperties", "minProperties", "maxProperties"];
/** Each of them merges the names that it has told apart into one set. */
const merging = ["anyOf", "oneOf", "allOf", "if", "dependentSchemas", "$ref", "$dynamicRef"];
/** Telling one name from another takes less than a step. */
const namesPerStep = 4;

/** The cost of a schema; `undefined` where it is so small that the schema which holds it pays for it. */
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
/** `true` takes every value and is not applied; a list of schemas is for as many items. */
const isApplied = (value: JsonValue | undefined): boolean =>
  typeof value === "number" || value === false || isObject(value);

/** Names that `dependentRequired` lists. */
function namesWithin(value: JsonValue | undefined): number {
  return isObject(value) ? Object.values(value).reduce<number>((sum, list) => sum + lengthOf(list), 0) : 0;
}
