import type { JsonValue } from "@procedo/contract";
import { coercedBoolean, coercedNumber } from "./coerced-value.ts";

export interface KeywordRule {
  readonly fits: (value: JsonValue) => boolean;
  /** Completes "… must be". */
  readonly demand: string;
  /** Converts an invalid value to the intended one; `undefined` when it is unknown, and the keyword is ignored. */
  readonly coerce?: (value: JsonValue) => JsonValue | undefined;
  /** Whether the keyword only describes values. Schemas of responses omit it. */
  readonly describes?: true;
}

const isText = (value: JsonValue) => typeof value === "string";
const isNumber = (value: JsonValue) => typeof value === "number";
const isBoolean = (value: JsonValue) => typeof value === "boolean";
const isCount = (value: JsonValue) => typeof value === "number" && Number.isInteger(value) && value >= 0;

const text: KeywordRule = { fits: isText, demand: "a text" };
const description: KeywordRule = { ...text, describes: true };
const number: KeywordRule = { fits: isNumber, demand: "a number", coerce: coercedNumber };
const count: KeywordRule = { fits: isCount, demand: "a whole number that is not negative", coerce: coercedNumber };
const flag: KeywordRule = { fits: isBoolean, demand: "true or false", coerce: coercedBoolean };

/** Keywords with the same meaning in OpenAPI and JSON Schema. */
export const plainKeywords: ReadonlyMap<string, KeywordRule> = new Map([
  ["title", description],
  ["description", description],
  ["deprecated", { ...flag, describes: true }],
  ["format", text],
  ["pattern", text],
  ["multipleOf", { ...number, fits: (value) => typeof value === "number" && value > 0, demand: "a number above 0" }],
  ["minimum", number],
  ["maximum", number],
  ["minLength", count],
  ["maxLength", count],
  ["minItems", count],
  ["maxItems", count],
  ["minProperties", count],
  ["maxProperties", count],
  ["uniqueItems", flag],
]);

/** Assertions of later JSON Schema, which OpenAPI 3.0 and Swagger 2.0 lack. */
export const foreignKeywords: ReadonlySet<string> = new Set([
  "const",
  "contains",
  "dependentRequired",
  "dependentSchemas",
  "else",
  "if",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
