import type { JsonObject, JsonValue } from "@procedo/contract";
import { isList, isObject, propertySchema, requires, sameValueSchemas } from "./schema-walk.ts";

/** The alternatives of one value, each with all schemas that it has to fit. */
export interface Alternatives {
  readonly root: JsonObject;
  readonly each: readonly (readonly JsonObject[])[];
}

interface Bounds {
  readonly root: JsonObject;
  schemasLeft: number;
}

/** The alternatives within schemas that hold in any case, and those that hold only sometimes. */
export function alternativesOf(
  { always, sometimes }: { readonly always: readonly JsonValue[]; readonly sometimes: readonly JsonValue[] },
  bounds: Bounds,
): Alternatives {
  const { root } = bounds;
  const each: (readonly JsonObject[])[] = [];
  const add = (schema: JsonValue, around: readonly JsonObject[]): void => {
    const own = sameValueSchemas(schema, root).filter((one) => !around.includes(one));
    const whole = [...around, ...own];
    bounds.schemasLeft -= whole.length;
    if (own.length === 0 || bounds.schemasLeft <= 0) return;
    const inner = partsOf(own);
    if (inner.length === 0) each.push(whole);
    for (const part of inner) add(part, whole);
  };
  for (const schema of always) for (const part of partsOf(sameValueSchemas(schema, root))) add(part, []);
  for (const schema of sometimes) add(schema, []);
  return { root, each };
}

function partsOf(schemas: readonly JsonObject[]): readonly JsonValue[] {
  return schemas.flatMap(({ anyOf, oneOf }) => [...(isList(anyOf) ? anyOf : []), ...(isList(oneOf) ? oneOf : [])]);
}

/**
 * Whether leaving a member out decides between the alternatives: one that the given members may mean requires it, and none
 * of the others is meant by a member that it requires itself. A payment to `target` must not become one to a default
 * target, because the target is null. Pure.
 */
export function isChoice(name: string, value: JsonObject, { root, each }: Alternatives): boolean {
  const given = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  const names = new Set(given.map(([member]) => member));
  const demanding = each.filter((one) => one.some((schema) => requires(schema, name)) && mayBeMeant(one, given, root));
  if (demanding.length === 0) return false;
  return !each.some((other) => {
    const required = other.flatMap((schema) => (isList(schema["required"]) ? schema["required"] : []));
    const isMet = required.every((member) => typeof member === "string" && names.has(member));
    return (
      isMet && demanding.every((one) => required.some((member) => !one.some((schema) => requires(schema, member))))
    );
  });
}

/** Whether an alternative neither closes a given member out nor wants another value of it, as those with a discriminator do. */
function mayBeMeant(
  alternative: readonly JsonObject[],
  given: readonly (readonly [string, JsonValue | undefined])[],
  root: JsonObject,
): boolean {
  return alternative.every((schema) =>
    given.every(([name, member]) => {
      const declared = propertySchema(schema, name);
      if (declared !== undefined) return sameValueSchemas(declared, root).every((one) => takesWord(one, member));
      return schema["additionalProperties"] !== false || isObject(schema["patternProperties"]);
    }),
  );
}

function takesWord({ const: only, enum: values }: JsonObject, member: JsonValue | undefined): boolean {
  if (typeof member === "object" || member === undefined) return true;
  return (only === undefined || only === member) && (!isList(values) || values.includes(member));
}
