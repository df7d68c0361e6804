import fc from "fast-check";
import { openApi } from "../harness.ts";

export interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A component of the OpenAPI document, or the schema itself. */
export function resolved(schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? "")?.[1];
  return name === undefined ? schema : resolved(openApi.components.schemas[name] as Schema);
}

/** Texts of all kinds, including those that often cause errors. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "\0",
    "\ud800",
    "\u202eabc",
    "𝔘",
    "__proto__",
    "constructor",
    "$where",
    "a' OR 1=1 --",
    "a\r\nb: c",
    "{{7*7}}",
  ),
);

const anyJson = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" });
const anyObject = fc.dictionary(anyText, anyJson, { maxKeys: 4, noNullPrototype: true });

/** Values that a schema of the document allows. */
export function valid(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map(valid));
  switch (schema.type) {
    case "object":
      return validObject(schema);
    case "array": {
      const { items = {}, minItems = 0, maxItems = 5, uniqueItems = false } = schema;
      const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) };
      return uniqueItems ? fc.uniqueArray(valid(items), bounds) : fc.array(valid(items), bounds);
    }
    case "string":
      return validText(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 2 ** 31, 2 ** 31) });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return anyJson;
  }
}

function validObject({ properties, required = [] }: Schema): fc.Arbitrary<unknown> {
  if (properties === undefined) return anyObject;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valid(schema)]));
  return fc.record(fields, { requiredKeys: [...required], noNullPrototype: true });
}

function validText({ format, pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<unknown> {
  switch (format) {
    case "uuid":
      return fc.uuid({ version: 4 });
    case "uri":
      return fc.constantFrom("https://127.0.0.77:8443/hook", "http://192.0.2.1/", "http://127.0.0.77:8099/x?y=z");
    case "date-time":
      return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
    default:
      break;
  }
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length >= minLength && length <= maxLength);
  }
  // Length counts characters as JSON Schema does, not UTF-16 units.
  return anyText.filter((text) => text.length >= minLength && text.length <= maxLength);
}

/** A value of another type than the given one: no schema accepts both. */
export function ofAnotherType(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .constantFrom<unknown>("text\0", 1.5, true, null, [1], { unexpected: 1 })
    .filter(
      (other) => typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value) || other === null,
    );
}
