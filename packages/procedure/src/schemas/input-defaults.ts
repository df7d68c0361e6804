import type { JsonObject, JsonValue } from "@procedo/contract";
import { isList, isObject, itemSchema, propertySchema, sameValueSchemas } from "./schema-walk.ts";
import { takesNull } from "./takes-null.ts";

/** A run's input with its schema's defaults, or the reason why it has none. */
export type CompletedInput =
  | { readonly ok: true; readonly value: JsonValue }
  /** Continues a sentence that begins with the value. */
  | { readonly ok: false; readonly message: string };

/** Properties and items that are looked at for one value; as many take well below a second. */
export const maxDefaultSteps = 1_000_000;

/**
 * A value with the `default` of each member that it leaves out. Defaults stand under `properties`, reached through
 * objects, lists, `$ref` and `allOf`; those within `anyOf`, `oneOf`, `if`, `not`, `patternProperties` and
 * `additionalProperties` do not apply, nor does a null that the member does not take. A member that is null is given. A
 * default is completed by the defaults within it, and the first of several counts: that of the schema itself, then of its
 * `$ref`, then of its `allOf`.
 *
 * The value itself where nothing is added; nothing that was given is changed. To complete a value again changes nothing. Pure.
 *
 * @param root - the schema in which references lead on; `@defaultValue schema`
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

/** @param inserting - schemas whose defaults are being completed: one within itself is left out, or there would be no end */
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
 * The schema of completed values: members that have a default are required, as far as they stand in the schema itself.
 * It serves those who ask whether a member can be missing.
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

/** Each schema once, however many others lead to it. */
function appliedSchemas(schemas: readonly JsonValue[], root: JsonObject): readonly JsonObject[] {
  return [...new Set(schemas.flatMap((schema) => sameValueSchemas(schema, root)))];
}

/**
 * The schema whose default counts for a member, of those that the member has to fit. A null that they do not take is no
 * default: generators of schemas write it for "none".
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
