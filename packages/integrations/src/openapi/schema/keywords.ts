import type { JsonValue } from "@procedo/contract";

export interface KeywordRule {
  readonly fits: (value: JsonValue) => boolean;
  /** Continues "… must be". */
  readonly demand: string;
  /** Whether it only describes: then a wrong value is left out with a warning, and responses do without it. */
  readonly describes?: true;
}

const isText = (value: JsonValue) => typeof value === "string";
const isNumber = (value: JsonValue) => typeof value === "number";
const isBoolean = (value: JsonValue) => typeof value === "boolean";
const isCount = (value: JsonValue) => typeof value === "number" && Number.isInteger(value) && value >= 0;

const text: KeywordRule = { fits: isText, demand: "a text" };
const description: KeywordRule = { ...text, describes: true };
const count: KeywordRule = { fits: isCount, demand: "a whole number that is not negative" };

/** Keywords that OpenAPI and JSON Schema share, word for word. */
export const plainKeywords: ReadonlyMap<string, KeywordRule> = new Map([
  ["title", description],
  ["description", description],
  ["deprecated", { fits: isBoolean, demand: "true or false", describes: true }],
  ["format", text],
  ["pattern", text],
  ["multipleOf", { fits: (value) => typeof value === "number" && value > 0, demand: "a number above 0" }],
  ["minimum", { fits: isNumber, demand: "a number" }],
  ["maximum", { fits: isNumber, demand: "a number" }],
  ["minLength", count],
  ["maxLength", count],
  ["minItems", count],
  ["maxItems", count],
  ["minProperties", count],
  ["maxProperties", count],
  ["uniqueItems", { fits: isBoolean, demand: "true or false" }],
]);

/** Assertions of later JSON Schema, which OpenAPI 3.0 and Swagger 2.0 do not have. */
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
