import type { JsonObject, JsonValue } from "@procedo/contract";
import { unescapePointerToken } from "@procedo/contract/syntax";
import { anyObject, bool, dyn, join, listOf, nullType, number, string } from "./static-type.ts";
import type { ObjectType, StaticType } from "./static-type.ts";

/**
 * The type that a JSON Schema describes, as far as the schema is simple. Other schemas (alternatives, patterns) have an
 * unknown type, which is checked by the evaluation. Objects are treated as closed: an unlisted name is a mistake unless
 * `additionalProperties` explicitly allows it.
 */
export function schemaType(schema: JsonObject | undefined): StaticType {
  return schema === undefined ? dyn : typeOf(schema, { schema, known: new Map() });
}

/** The whole schema and the types of its parts. Each part is read once, however many expressions use it. */
interface Root {
  readonly schema: JsonObject;
  readonly known: Map<JsonObject, StaticType>;
}

function typeOf(schema: JsonValue | undefined, root: Root): StaticType {
  const followed = new Set<JsonObject>();
  for (let at = schema; ;) {
    // Circular schemas are legal, but determine no type.
    if (!isJsonObject(at) || followed.has(at)) return remembered(root, followed, dyn);
    const known = root.known.get(at);
    if (known !== undefined) return remembered(root, followed, known);
    followed.add(at);
    const next = typeof at.$ref === "string" ? resolved(at.$ref, root.schema) : onlyAlternative(at);
    if (next === undefined) return remembered(root, followed, typeof at.$ref === "string" ? dyn : ownType(at, root));
    at = next;
  }
}

/** Stores the type for every schema that was followed to it. */
function remembered({ known }: Root, followed: ReadonlySet<JsonObject>, type: StaticType): StaticType {
  for (const schema of followed) known.set(schema, type);
  return type;
}

function ownType(schema: JsonObject, root: Root): StaticType {
  if (["oneOf", "anyOf", "allOf", "not", "if"].some((keyword) => Object.hasOwn(schema, keyword))) return dyn;
  switch (typeName(schema)) {
    case "object":
      return objectType(schema, root);
    case "array":
      return isJsonObject(schema.items) && schema.prefixItems === undefined
        ? lazyList(schema.items, root)
        : listOf(dyn);
    case "integer":
    case "number":
      return number;
    case "string":
      return string;
    case "boolean":
      return bool;
    case "null":
      return nullType;
    default:
      return valuesType(schema);
  }
}

/** The single type, with or without `null` beside it. */
function typeName(schema: JsonObject): JsonValue | undefined {
  if (schema.type === undefined) return Object.hasOwn(schema, "properties") ? "object" : undefined;
  if (!isJsonArray(schema.type)) return schema.type;
  const names = schema.type.filter((name) => name !== "null");
  if (names.every((name) => name === "integer" || name === "number") && names.length > 0) return "number";
  return names.length === 1 ? names[0] : undefined;
}

/** `anyOf: [X, { type: "null" }]` and `allOf: [X]`, which OpenAPI documents use for nullable values, mean X. */
function onlyAlternative(schema: JsonObject): JsonValue | undefined {
  for (const keyword of ["oneOf", "anyOf", "allOf"]) {
    const alternatives = schema[keyword];
    if (alternatives === undefined || schema.properties !== undefined || !isJsonArray(alternatives)) continue;
    const others = alternatives.filter((one) => !(isJsonObject(one) && one.type === "null"));
    if (others.length === 1) return others[0];
  }
  return undefined;
}

function objectType(schema: JsonObject, root: Root): ObjectType {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const additional = schema.additionalProperties;
  const isOpen =
    additional === true ||
    isJsonObject(additional) ||
    schema.patternProperties !== undefined ||
    (additional === undefined && schema.properties === undefined);
  if (isOpen && Object.keys(properties).length === 0 && !isJsonObject(additional)) return anyObject;
  let names: readonly string[] | undefined;
  return {
    kind: "object",
    field(name) {
      if (Object.hasOwn(properties, name)) return typeOf(properties[name], root);
      if (!isOpen) return undefined;
      return schema.patternProperties === undefined ? typeOf(additional, root) : dyn;
    },
    names: () => (names ??= Object.keys(properties)),
  };
}

/** Items are resolved on demand, because a schema may contain itself. */
function lazyList(items: JsonObject, root: Root): StaticType {
  return {
    kind: "list",
    get items() {
      return typeOf(items, root);
    },
  };
}

function valuesType(schema: JsonObject): StaticType {
  const values = isJsonArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const];
  const types = values.map((value): StaticType => {
    switch (typeof value) {
      case "string":
        return string;
      case "number":
        return number;
      case "boolean":
        return bool;
      default:
        return value === null ? nullType : dyn;
    }
  });
  return types.length === 0 ? dyn : types.reduce(join);
}

/** A local reference (RFC 6901 in a fragment): `#/$defs/vendor`. */
function resolved(reference: string, root: JsonObject): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let found: JsonValue | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const name = unescapePointerToken(decoded(part));
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
