import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ProviderFamily } from "./model-provider.ts";

/*
 * In strict mode a provider generates only output that fits the schema. It supports a part of JSON Schema and refuses a
 * request with other keywords, and it requires that every member is required and no others are allowed. The engine
 * requests strict mode only for schemas that meet these rules unchanged: an adapted schema would no longer describe the
 * action.
 *
 * OpenAI: structured outputs, "Supported schemas". Anthropic: structured outputs, "JSON Schema limitations".
 */

const common = ["type", "description", "title", "properties", "required", "additionalProperties", "items", "enum"];

const keywords: Record<Exclude<ProviderFamily, "other">, ReadonlySet<string>> = {
  openai: new Set([
    ...common,
    "anyOf",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
  ]),
  anthropic: new Set([...common, "format"]),
};

const types: readonly JsonValue[] = ["object", "array", "string", "number", "integer", "boolean", "null"];
const formats: readonly JsonValue[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];

/** Well below the limits of either provider. */
const mostMembers = 100;
const mostValues = 200;
const mostLevels = 5;

/** Whether the provider can enforce a tool's schema unchanged. Pure. */
export function fitsStrict(schema: JsonObject, family: ProviderFamily): boolean {
  if (family === "other" || schema["type"] !== "object") return false;
  const counted = { members: 0, values: 0 };
  return fits(schema, keywords[family], mostLevels, counted);
}

function fits(
  schema: JsonValue | undefined,
  known: ReadonlySet<string>,
  levels: number,
  counted: { members: number; values: number },
): boolean {
  if (!isObject(schema) || levels === 0) return false;
  if (!Object.keys(schema).every((keyword) => known.has(keyword))) return false;
  const { type, anyOf, format, items, enum: values } = schema;
  if (format !== undefined && !formats.includes(format)) return false;
  if (values !== undefined && !fitsValues(values, counted)) return false;
  const inside = (part: JsonValue | undefined): boolean => fits(part, known, levels - 1, counted);
  // The root always has a `type`, so that `anyOf` is refused there.
  if (anyOf !== undefined) return type === undefined && isList(anyOf) && anyOf.length > 0 && anyOf.every(inside);
  if (type === undefined || !types.includes(type)) return false;
  if (type === "array") return inside(items);
  return type !== "object" || fitsMembers(schema, inside, counted);
}

function fitsMembers(
  { properties = {}, required = [], additionalProperties }: JsonObject,
  inside: (part: JsonValue) => boolean,
  counted: { members: number },
): boolean {
  if (!isObject(properties) || !isList(required) || additionalProperties !== false) return false;
  const members = Object.entries(properties);
  counted.members += members.length;
  if (counted.members > mostMembers || required.length !== members.length) return false;
  return members.every(([name, member]) => required.includes(name) && inside(member));
}

function fitsValues(values: JsonValue, counted: { values: number }): boolean {
  if (!isList(values) || values.length === 0) return false;
  counted.values += values.length;
  return counted.values <= mostValues && values.every((value) => typeof value !== "object" || value === null);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
