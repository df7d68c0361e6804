import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer, unescapePointerToken } from "@procedo/contract/syntax";

/** How the subschemas of a keyword are applied: to the same value, to a part of it, or only through a `$ref`. */
type Applied = "same" | "part" | "nowhere";

const keywords: ReadonlyMap<
  string,
  { readonly holds: "schema" | "list" | "map" | "schema or list"; readonly to: Applied }
> = new Map([
  ["allOf", { holds: "list", to: "same" }],
  ["anyOf", { holds: "list", to: "same" }],
  ["oneOf", { holds: "list", to: "same" }],
  ["not", { holds: "schema", to: "same" }],
  ["if", { holds: "schema", to: "same" }],
  ["then", { holds: "schema", to: "same" }],
  ["else", { holds: "schema", to: "same" }],
  ["dependentSchemas", { holds: "map", to: "same" }],
  ["dependencies", { holds: "map", to: "same" }],
  ["properties", { holds: "map", to: "part" }],
  ["patternProperties", { holds: "map", to: "part" }],
  ["additionalProperties", { holds: "schema", to: "part" }],
  ["unevaluatedProperties", { holds: "schema", to: "part" }],
  ["propertyNames", { holds: "schema", to: "part" }],
  ["items", { holds: "schema or list", to: "part" }],
  ["prefixItems", { holds: "list", to: "part" }],
  ["additionalItems", { holds: "schema", to: "part" }],
  ["unevaluatedItems", { holds: "schema", to: "part" }],
  ["contains", { holds: "schema", to: "part" }],
  ["$defs", { holds: "map", to: "nowhere" }],
  ["definitions", { holds: "map", to: "nowhere" }],
]);

export interface Subschema {
  /** JSON pointer from the containing schema. */
  readonly path: string;
  readonly schema: JsonObject;
  readonly applied: Applied;
}

/**
 * The direct subschemas of a schema. Only keywords that contain schemas are followed, so data in `default`, `const`,
 * `enum` or `examples` is never treated as a schema.
 */
export function* subschemasOf(schema: JsonObject): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const known = keywords.get(keyword);
    if (known === undefined) continue;
    const path = jsonPointer([keyword]);
    if (Array.isArray(value)) {
      if (known.holds !== "list" && known.holds !== "schema or list") continue;
      for (const [index, item] of (value as readonly JsonValue[]).entries()) {
        if (isObject(item)) yield { path: path + jsonPointer([index]), schema: item, applied: known.to };
      }
    } else if (isObject(value)) {
      if (known.holds === "map") {
        for (const [name, item] of Object.entries(value)) {
          if (isObject(item)) yield { path: path + jsonPointer([name]), schema: item, applied: known.to };
        }
      } else if (known.holds !== "list") {
        yield { path, schema: value, applied: known.to };
      }
    }
  }
}

/**
 * Every schema within a schema, each once, beginning with itself. Includes values that only a `$ref` makes schemas,
 * such as `#/components/schemas/vendor`. The caller has to check the depth.
 */
export function* allSchemas(root: JsonObject): Generator<{ readonly path: string; readonly schema: JsonObject }> {
  const known = new Set<JsonObject>([root]);
  const open: { path: string; schema: JsonObject }[] = [{ path: "", schema: root }];
  const add = (path: string, schema: JsonObject): void => {
    if (known.has(schema)) return;
    known.add(schema);
    open.push({ path, schema });
  };
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    for (const held of subschemasOf(at.schema)) add(at.path + held.path, held.schema);
    const ref = at.schema["$ref"];
    const target = typeof ref === "string" ? resolvePointer(root, ref) : undefined;
    if (typeof ref === "string" && isObject(target)) add(ref.slice(1), target);
  }
}

/**
 * The target within `root` of a `$ref` that is a JSON pointer (`#`, `#/$defs/item`); `undefined` if it is not one or
 * has no target.
 */
export function resolvePointer(root: JsonObject, ref: string): JsonValue | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = root;
  for (const token of ref.slice(2).split("/")) {
    const key = decodeFragment(token);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as JsonObject)[key];
  }
  return at;
}

function decodeFragment(token: string): string {
  let decoded = token;
  try {
    decoded = decodeURIComponent(token);
  } catch {
    // A single % represents itself.
  }
  return unescapePointerToken(decoded);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A schema, the target of its `$ref`, and its `allOf`: all schemas that a value always has to fit, in this order. */
export function sameValueSchemas(schema: JsonValue, root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const add = (one: JsonValue | undefined): void => {
    if (!isObject(one) || found.has(one)) return;
    found.add(one);
    const { $ref: ref, allOf } = one;
    if (typeof ref === "string") add(resolvePointer(root, ref));
    if (isList(allOf)) allOf.forEach(add);
  };
  add(schema);
  return [...found];
}

/** The schema of a member of this name under `properties`. */
export function propertySchema({ properties }: JsonObject, name: string): JsonValue | undefined {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of the item at an index. */
export function itemSchema({ items, prefixItems }: JsonObject, index: number): JsonValue | undefined {
  const tuple = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
  return index < tuple.length ? tuple[index] : isList(items) ? undefined : items;
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a schema's own `required` names a member. */
export function requires({ required }: JsonObject, name: JsonValue): boolean {
  return isList(required) && required.includes(name);
}
