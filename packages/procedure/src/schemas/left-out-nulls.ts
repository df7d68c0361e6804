import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { alternativesOf, isChoice, type Alternatives } from "./alternative-choice.ts";
import { isList, isObject, itemSchema, propertySchema, requires, resolvePointer } from "./schema-walk.ts";
import { takesNull } from "./takes-null.ts";

/** A value without the nulls that mean "not given". */
export interface WithoutNulls {
  /** The same value if nothing was left out. */
  readonly value: JsonObject;
  /**
   * JSON pointers of nulls that stay although their schema refuses them, because an object, or the alternative that it
   * means, requires them.
   */
  readonly required: readonly string[];
}

/**
 * Removes each null that its schema refuses, from members that the schema declares and does not require, at every
 * depth. A null that the schema accepts is a value and stays; a null of an undeclared member also stays. With
 * alternatives, a null is removed if none of the alternatives that declare the member accepts it, and if the removal
 * does not choose between them; the validator then checks the rest. At most `maxSchemasSeen` schemas are visited; nulls
 * beyond that stay. Pure.
 */
export function withoutRefusedNulls(value: JsonObject, schema: JsonObject): WithoutNulls {
  const walk: Walk = { root: schema, required: [], schemasLeft: maxSchemasSeen };
  const left = leftOut(value, { always: [schema], sometimes: [] }, walk, "");
  return { value: isObject(left) ? left : value, required: walk.required };
}

/** This many take some tens of milliseconds; the arguments of a large action have some thousands. */
export const maxSchemasSeen = 200_000;

/** Schemas of one value: those that always apply, and those of alternatives. */
interface Applied {
  readonly always: readonly JsonValue[];
  readonly sometimes: readonly JsonValue[];
}

interface Walk {
  readonly root: JsonObject;
  readonly required: string[];
  schemasLeft: number;
}

function leftOut(value: JsonValue, given: Applied, walk: Walk, at: string): JsonValue {
  if (typeof value !== "object" || value === null || !holdsNull(value)) return value;
  const applied = sameValue(given, walk);
  if (applied.always.length === 0 && applied.sometimes.length === 0) return value;
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[];
    const items = list.map((item, index) =>
      leftOut(
        item,
        partsOf(applied, (one) => itemSchema(one, index)),
        walk,
        at + jsonPointer([index]),
      ),
    );
    return items.every((item, index) => item === list[index]) ? list : items;
  }
  return leftOutOfObject(value as JsonObject, { given, applied }, walk, at);
}

function leftOutOfObject(
  value: JsonObject,
  { given, applied }: { readonly given: Applied; readonly applied: SameValue },
  walk: Walk,
  at: string,
): JsonObject {
  let alternatives: Alternatives | undefined;
  const kept: [string, JsonValue][] = [];
  let isSame = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const place = at + jsonPointer([name]);
    const declared = partsOf(applied, (one) => propertySchema(one, name));
    if (member === null && isRefused(declared, walk)) {
      alternatives ??= alternativesOf(value, given, walk);
      if (!applied.always.some((one) => requires(one, name)) && !isChoice(name, alternatives)) {
        isSame = false;
        continue;
      }
      walk.required.push(place);
    }
    const isDeclared = declared.always.length + declared.sometimes.length > 0;
    const parts = isDeclared ? declared : partsOf(applied, (one) => one["additionalProperties"]);
    const inside = leftOut(member, parts, walk, place);
    if (inside !== member) isSame = false;
    kept.push([name, inside]);
  }
  return isSame ? value : Object.fromEntries(kept);
}

/** Values without nulls are not traversed further. */
function holdsNull(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  // Only a list's items, without its other properties.
  const members = Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value);
  return members.some((member) => member !== undefined && holdsNull(member));
}

function isRefused({ always, sometimes }: Applied, walk: Walk): boolean {
  const takes = (schema: JsonValue): boolean => takesNull(schema, walk);
  if (!always.every(takes)) return true;
  return always.length === 0 && sometimes.length > 0 && !sometimes.some(takes);
}

interface SameValue {
  readonly always: readonly JsonObject[];
  readonly sometimes: readonly JsonObject[];
}

/** These schemas, and those within them that apply to the same value. */
function sameValue({ always, sometimes }: Applied, walk: Walk): SameValue {
  const found = { always: new Set<JsonObject>(), sometimes: new Set<JsonObject>() };
  const add = (schema: JsonValue | undefined, kind: keyof typeof found): void => {
    if (!isObject(schema) || found[kind].has(schema) || walk.schemasLeft <= 0) return;
    walk.schemasLeft -= 1;
    found[kind].add(schema);
    const { $ref: ref, allOf } = schema;
    if (typeof ref === "string") add(resolvePointer(walk.root, ref), kind);
    if (isList(allOf)) for (const part of allOf) add(part, kind);
    for (const keyword of ["anyOf", "oneOf"]) {
      const parts = schema[keyword];
      if (isList(parts)) for (const part of parts) add(part, "sometimes");
    }
    for (const keyword of ["then", "else"]) add(schema[keyword], "sometimes");
    const dependent = schema["dependentSchemas"];
    if (isObject(dependent)) for (const part of Object.values(dependent)) add(part, "sometimes");
  };
  for (const schema of always) add(schema, "always");
  for (const schema of sometimes) add(schema, "sometimes");
  return { always: [...found.always], sometimes: [...found.sometimes] };
}

function partsOf({ always, sometimes }: SameValue, part: (schema: JsonObject) => JsonValue | undefined): Applied {
  const all = (schemas: readonly JsonObject[]): readonly JsonValue[] =>
    schemas.map(part).filter((one): one is JsonValue => one !== undefined);
  return { always: all(always), sometimes: all(sometimes) };
}
