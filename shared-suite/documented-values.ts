import type { JsonObject, JsonValue } from "@procedo/contract";

/** A document of OpenAPI 3.0, as JSON. */
export type ApiDocument = JsonObject;

/** How a value is checked. */
export interface ValueRules {
  /** Whether required members have to be there. An answer of a probe has only those that matter. */
  readonly isComplete: boolean;
  /** Whether numbers and booleans are texts, as in a query or a form. */
  readonly isText: boolean;
}

/**
 * The members and values that a schema does not describe, as sentences. A member that the schema does not name is
 * undescribed, although OpenAPI permits further members by default.
 */
export function undescribed(
  document: ApiDocument,
  value: JsonValue,
  schema: JsonValue | undefined,
  rules: ValueRules,
  path = "",
): readonly string[] {
  const found = resolved(document, schema);
  const alternatives = [...listOf(found["anyOf"]), ...listOf(found["oneOf"])];
  if (value === null && (found["nullable"] === true || alternatives.length > 0)) return [];
  if (alternatives.length > 0) {
    const tried = alternatives.map((one) => undescribed(document, value, one, rules, path));
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  const values = listOf(found["enum"]);
  if (values.length > 0 && !values.includes(value)) {
    return [`${path} is ${JSON.stringify(value)}, which is not one of ${JSON.stringify(values)}`];
  }
  const type = found["type"] ?? (found["properties"] === undefined ? undefined : "object");
  if (!isOfType(value, type, rules)) return [`${path} is ${JSON.stringify(value)} instead of ${JSON.stringify(type)}`];
  if (isList(value)) {
    return value.flatMap((item, index) => undescribed(document, item, found["items"], rules, `${path}/${index}`));
  }
  return isObject(value) ? undescribedMembers(document, value, found, rules, path) : [];
}

function undescribedMembers(
  document: ApiDocument,
  value: JsonObject,
  schema: JsonObject,
  rules: ValueRules,
  path: string,
): readonly string[] {
  const properties = objectOf(schema["properties"]);
  const others = schema["additionalProperties"];
  const isOpen = others === true || isObject(others) || (schema["properties"] === undefined && others === undefined);
  const missing = listOf(schema["required"])
    .map(textOf)
    .filter((name) => rules.isComplete && !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => `${path}/${name} is required`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const at = `${path}/${name}`;
      if (Object.hasOwn(properties, name)) return undescribed(document, member, properties[name], rules, at);
      if (isObject(others)) return undescribed(document, member, others, rules, at);
      return isOpen ? [] : [`${at} is not in the document`];
    }),
  ];
}

/** A part of the document behind its reference, with the members of its `allOf`. */
export function resolved(document: ApiDocument, part: JsonValue | undefined): JsonObject {
  const given = objectOf(part);
  const reference = given["$ref"];
  if (typeof reference === "string") return resolved(document, at(document, reference));
  const parts = listOf(given["allOf"]).map((one) => resolved(document, one));
  if (parts.length === 0) return given;
  const whole = [...parts, given];
  return {
    ...Object.assign({}, ...whole),
    properties: Object.assign({}, ...whole.map(({ properties }) => objectOf(properties))) as JsonObject,
    required: whole.flatMap(({ required }) => listOf(required)),
  } as JsonObject;
}

function at(document: ApiDocument, reference: string): JsonValue | undefined {
  const names = reference.replace(/^#\//, "").split("/");
  return names.reduce<JsonValue | undefined>(
    (part, name) => objectOf(part)[name.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}

function isOfType(value: JsonValue, type: JsonValue | undefined, { isText }: ValueRules): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return isText ? /^-?\d+$/.test(textOf(value)) : Number.isInteger(value);
    case "number":
      return isText ? /^-?\d+(?:\.\d+)?$/.test(textOf(value)) : typeof value === "number";
    case "boolean":
      return isText ? value === "true" || value === "false" : typeof value === "boolean";
    case "array":
      return isList(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** A text, or anything else as JSON. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
