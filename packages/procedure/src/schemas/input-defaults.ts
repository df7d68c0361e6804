import type { JsonObject, JsonValue } from "@procedo/contract";
import { isList, isObject, itemSchema, propertySchema, sameValueSchemas } from "./schema-walk.ts";
import { takesNull } from "./takes-null.ts";

/** A run's input completed with its schema's defaults, or the reason why it cannot be completed. */
export type CompletedInput =
  | {
      readonly ok: true;
      /** The completed input. */
      readonly value: JsonValue;
    }
  /** Continues a sentence that begins with the value. */
  | { readonly ok: false; readonly message: string };

/** Maximum number of properties and items per value; this many take well below a second. */
export const maxDefaultSteps = 1_000_000;

/**
 * A value with the `default` of each missing member. Defaults apply under `properties`, reached through objects, lists,
 * `$ref` and `allOf`. Defaults within `anyOf`, `oneOf`, `if`, `not`, `patternProperties` and `additionalProperties` do
 * not apply, and neither does a default of null for a member that does not accept null. A member that is null is not
 * missing. A default is itself completed by the defaults within it. The first of several defaults applies: that of the
 * schema itself, then of its `$ref`, then of its `allOf`.
 *
 * Returns the same value if nothing is added, and never changes a given member. Completing a value twice has no further
 * effect. Pure.
 *
 * @param root - the schema in which references are resolved; `@defaultValue schema`
 */
export function withDefaults(value: JsonValue, schema: JsonObject, root = schema): CompletedInput {
  const walk: Walk = { root, stepsLeft: maxDefaultSteps };
  const completed = complete(value, [schema], walk, new Set());
  if (walk.stepsLeft > 0) return { ok: true, value: completed };
  return { ok: false, message: "is too large to be completed by the defaults of its schema; make it smaller" };
}

interface Walk {
  readonly root: JsonObject;
  stepsLeft: number;
}

/**
 * @param inserting - schemas whose defaults are being completed. A default within itself is left out, so that the
 *   recursion ends
 */
function complete(
  value: JsonValue,
  schemas: readonly JsonValue[],
  walk: Walk,
  inserting: ReadonlySet<JsonValue>,
): JsonValue {
  if (typeof value !== "object" || value === null || walk.stepsLeft <= 0) return value;
  const applied = appliedSchemas(schemas, walk.root);
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    if (!applied.some((schema) => schema["items"] !== undefined || schema["prefixItems"] !== undefined)) return list;
    const items = list.map((item, index) => {
      walk.stepsLeft -= 1;
      return complete(
        item,
        definedOf(applied, (schema) => itemSchema(schema, index)),
        walk,
        inserting,
      );
    });
    return items.every((item, index) => item === list[index]) ? list : items;
  }
  return completeObject(value as JsonObject, applied, walk, inserting);
}

function completeObject(
  value: JsonObject,
  applied: readonly JsonObject[],
  walk: Walk,
  inserting: ReadonlySet<JsonValue>,
): JsonObject {
  const members = new Map<string, JsonValue>();
  for (const [name, member] of Object.entries(value)) if (member !== undefined) members.set(name, member);
  let isSame = true;
  for (const name of new Set(applied.flatMap(propertyNames))) {
    walk.stepsLeft -= 1;
    if (walk.stepsLeft <= 0) return value;
    const schemas = definedOf(applied, (schema) => propertySchema(schema, name));
    const given = members.get(name);
    if (given !== undefined) {
      const inside = complete(given, schemas, walk, inserting);
      if (inside !== given) isSame = false;
      members.set(name, inside);
      continue;
    }
    const source = defaultSource(appliedSchemas(schemas, walk.root), walk.root);
    if (source === undefined || inserting.has(source)) continue;
    isSame = false;
    members.set(name, complete(source["default"] ?? null, schemas, walk, new Set([...inserting, source])));
  }
  return isSame ? value : Object.fromEntries(members);
}

/**
 * The schema of completed values: members with a default are required, if the schema itself declares them. Used to
 * check whether a member can be missing.
 */
export function schemaOfCompleted(schema: JsonObject, root = schema): JsonObject {
  const inside = (part: JsonValue | undefined): JsonValue =>
    isObject(part) ? schemaOfCompleted(part, root) : (part ?? true);
  const { properties, required, items, allOf } = schema;
  const members = isObject(properties) ? Object.entries(properties) : [];
  const completed = members.flatMap(([name, member]) =>
    defaultSource(sameValueSchemas(member ?? true, root), root) === undefined ? [] : [name],
  );
  return {
    ...schema,
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map(([name, member]) => [name, inside(member)])),
    }),
    ...(completed.length > 0 && { required: [...(isList(required) ? required : []), ...completed] }),
    ...(isObject(items) && { items: inside(items) }),
    ...(isList(allOf) && { allOf: allOf.map(inside) }),
  };
}

/** Each schema once, however many others refer to it. */
function appliedSchemas(schemas: readonly JsonValue[], root: JsonObject): readonly JsonObject[] {
  return [...new Set(schemas.flatMap((schema) => sameValueSchemas(schema, root)))];
}

/**
 * The schema that provides a member's default, out of all schemas that the member has to fit. A default of null that
 * they do not accept does not count: schema generators write it for "none".
 */
export function defaultSource(schemas: readonly JsonObject[], root: JsonObject): JsonObject | undefined {
  const source = schemas.find(hasDefault);
  if (source?.["default"] !== null) return source;
  const walk = { root, schemasLeft: maxDefaultSteps };
  return schemas.every((schema) => takesNull(schema, walk)) ? source : undefined;
}

export function hasDefault(schema: JsonObject): boolean {
  return schema["default"] !== undefined;
}

function propertyNames({ properties }: JsonObject): readonly string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

function definedOf(
  schemas: readonly JsonObject[],
  part: (schema: JsonObject) => JsonValue | undefined,
): readonly JsonValue[] {
  return schemas.map(part).filter((one): one is JsonValue => one !== undefined);
}
