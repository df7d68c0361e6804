import type { JsonObject, JsonValue } from "@procedo/contract";
import { isList, isObject, propertySchema, sameValueSchemas } from "./schema-walk.ts";

/** The alternatives of one object. */
export interface Alternatives {
  readonly each: readonly Alternative[];
  readonly bounds: Bounds;
}

interface Alternative {
  readonly required: ReadonlySet<JsonValue>;
  /** Whether all required members are given. */
  readonly isMet: boolean;
  readonly mayBeMeant: () => boolean;
}

interface Bounds {
  readonly root: JsonObject;
  schemasLeft: number;
}

type Given = ReadonlyMap<string, JsonValue>;

/** The alternatives of a value, from schemas that always apply and schemas that apply only sometimes. */
export function alternativesOf(
  value: JsonObject,
  { always, sometimes }: { readonly always: readonly JsonValue[]; readonly sometimes: readonly JsonValue[] },
  bounds: Bounds,
): Alternatives {
  const { root } = bounds;
  const given: Given = new Map(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined || member === null ? [] : [[name, member]],
    ),
  );
  const each: Alternative[] = [];
  const add = (schema: JsonValue, around: readonly JsonObject[]): void => {
    const own = sameValueSchemas(schema, root).filter((one) => !around.includes(one));
    const whole = [...around, ...own];
    bounds.schemasLeft -= whole.length;
    if (own.length === 0 || bounds.schemasLeft <= 0) return;
    const inner = partsOf(own);
    if (inner.length === 0) each.push(alternative(whole, given, bounds));
    for (const part of inner) add(part, whole);
  };
  for (const schema of always) for (const part of partsOf(sameValueSchemas(schema, root))) add(part, []);
  for (const schema of sometimes) add(schema, []);
  return { each, bounds };
}

function partsOf(schemas: readonly JsonObject[]): readonly JsonValue[] {
  return schemas.flatMap(({ anyOf, oneOf }) => [...(isList(anyOf) ? anyOf : []), ...(isList(oneOf) ? oneOf : [])]);
}

function alternative(schemas: readonly JsonObject[], given: Given, bounds: Bounds): Alternative {
  const required = new Set(schemas.flatMap((schema) => (isList(schema["required"]) ? schema["required"] : [])));
  bounds.schemasLeft -= required.size;
  let isMeant: boolean | undefined;
  return {
    required,
    isMet: [...required].every((name) => typeof name === "string" && given.has(name)),
    mayBeMeant: () => (isMeant ??= mayBeMeant(schemas, given, bounds)),
  };
}

/**
 * Whether leaving a member out decides between the alternatives: an alternative that the given members may mean
 * requires it, and no other alternative has all of its required members. A payment to `target` must not become a
 * payment to a default target because the target is null. True once the bounds are reached. Pure.
 */
export function isChoice(name: string, { each, bounds }: Alternatives): boolean {
  const demanding = each.filter(({ required, mayBeMeant: isMeant }) => required.has(name) && isMeant());
  if (demanding.length === 0) return bounds.schemasLeft <= 0;
  return !each.some(({ required, isMet }) => {
    if (!isMet || required.has(name) || bounds.schemasLeft <= 0) return false;
    return demanding.every((one) => {
      bounds.schemasLeft -= required.size;
      return [...required].some((member) => !one.required.has(member));
    });
  });
}

/**
 * Whether an alternative neither excludes a given member nor requires another value of it, as alternatives with a
 * discriminator do.
 */
function mayBeMeant(schemas: readonly JsonObject[], given: Given, bounds: Bounds): boolean {
  return schemas.every((schema) => {
    bounds.schemasLeft -= given.size;
    if (bounds.schemasLeft <= 0) return true;
    return [...given].every(([name, member]) => {
      const declared = propertySchema(schema, name);
      if (declared !== undefined) return sameValueSchemas(declared, bounds.root).every((one) => takesWord(one, member));
      return schema["additionalProperties"] !== false || isObject(schema["patternProperties"]);
    });
  });
}

function takesWord({ const: only, enum: values }: JsonObject, member: JsonValue): boolean {
  if (typeof member === "object") return true;
  return (only === undefined || only === member) && (!isList(values) || values.includes(member));
}
