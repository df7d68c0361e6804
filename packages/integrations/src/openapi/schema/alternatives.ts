import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";

/**
 * Replaces `oneOf` in translated request schemas by `anyOf` when a caller cannot distinguish two alternatives: a value
 * of one would also match the other, so `oneOf` would reject every value and the action could never be called. Two
 * alternatives are distinguished by
 *
 * - JSON types or values (`enum`) without overlap,
 * - a shared member with values (`enum`) without overlap, such as a discriminator with a mapping, or
 * - members: each requires one that the other does not name.
 */
export interface AlternativeLoosener {
  /** Changes the schema in place. Its references must be translated already. */
  loosen(schema: JsonObject): void;
}

/**
 * Maximum number of members, values and alternatives examined for one document. After that, alternatives count as
 * indistinguishable.
 */
const maxSteps = 3_000_000;
/** Maximum number of references and nested parts that are followed. */
const maxDepth = 20;

export function createAlternativeLoosener(definition: (name: string) => JsonObject | undefined): AlternativeLoosener {
  const known = new Map<string, Outline>();
  let steps = maxSteps;

  function outlineOf(schema: JsonObject): Outline {
    const ref = schema["$ref"];
    const before = typeof ref === "string" ? known.get(ref) : undefined;
    if (before !== undefined) return before;
    const outline = createOutline();
    gather(schema, outline, 0, true);
    if (typeof ref === "string") known.set(ref, outline);
    return outline;
  }

  /** With `holds`, all parts apply; for nested alternatives, only the names count. */
  function gather(schema: JsonObject, into: Outline, depth: number, holds: boolean): void {
    steps -= 1;
    if (steps < 0 || depth > maxDepth) return;
    const { $ref, properties, required, type, enum: values } = schema;
    if (holds && type !== undefined) into.types ??= new Set(listOf(type));
    if (holds && Array.isArray(values)) into.values ??= valuesOf(values as readonly JsonValue[]);
    if (isObject(properties)) {
      for (const [name, member] of Object.entries(properties)) {
        steps -= 1;
        into.names.add(name);
        const fixed = holds && !into.fixed.has(name) && isObject(member) ? fixedValues(member, 0) : undefined;
        if (fixed !== undefined) into.fixed.set(name, fixed);
      }
    }
    for (const name of listOf(required)) {
      if (typeof name !== "string") continue;
      into.names.add(name);
      if (holds) into.required.add(name);
    }
    const target = typeof $ref === "string" ? definition($ref.slice("#/$defs/".length)) : undefined;
    if (target !== undefined) gather(target, into, depth + 1, holds);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      for (const part of schemasIn(schema[keyword])) gather(part, into, depth + 1, holds && keyword === "allOf");
    }
  }

  function fixedValues(schema: JsonObject, depth: number): ReadonlySet<string> | undefined {
    steps -= 1;
    if (steps < 0 || depth > maxDepth) return undefined;
    const { $ref, enum: values } = schema;
    if (Array.isArray(values)) return valuesOf(values as readonly JsonValue[]);
    const target = typeof $ref === "string" ? definition($ref.slice("#/$defs/".length)) : undefined;
    for (const part of [...(target === undefined ? [] : [target]), ...schemasIn(schema["allOf"])]) {
      const found = fixedValues(part, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function valuesOf(values: readonly JsonValue[]): ReadonlySet<string> {
    steps -= values.length;
    return new Set(values.map((value) => JSON.stringify(value)));
  }

  function areApart(a: Outline, b: Outline): boolean {
    steps -= 1 + Math.min(a.fixed.size, b.fixed.size) + a.required.size + b.required.size;
    if (steps < 0) return false;
    if (a.types !== undefined && b.types !== undefined && shareNoType(a.types, b.types)) return true;
    if (a.values !== undefined && b.values !== undefined && shareNothing(a.values, b.values)) return true;
    const [fewer, more] = a.fixed.size < b.fixed.size ? [a.fixed, b.fixed] : [b.fixed, a.fixed];
    for (const [name, values] of fewer) {
      const others = more.get(name);
      if (others !== undefined && shareNothing(values, others)) return true;
    }
    return requiresMore(a, b) && requiresMore(b, a);
  }

  function shareNothing(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
    steps -= Math.min(a.size, b.size);
    return areDisjoint(a, b);
  }

  function areAllApart(alternatives: readonly JsonObject[]): boolean {
    const outlines = alternatives.map(outlineOf);
    return outlines.every((outline, index) => {
      for (let other = 0; other < index; other += 1) {
        const before = outlines[other];
        if (before !== undefined && !areApart(outline, before)) return false;
      }
      return true;
    });
  }

  function loosen(schema: JsonObject): void {
    for (const keyword of ["items", "additionalProperties"]) {
      const part = schema[keyword];
      if (isObject(part)) loosen(part);
    }
    if (isObject(schema["properties"])) for (const part of schemasIn(Object.values(schema["properties"]))) loosen(part);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) for (const part of schemasIn(schema[keyword])) loosen(part);
    const alternatives = schema["oneOf"];
    if (alternatives === undefined || areAllApart(schemasIn(alternatives))) return;
    const open = schema as Record<string, JsonValue>;
    delete open["oneOf"];
    if (open["anyOf"] === undefined) open["anyOf"] = alternatives;
    else open["allOf"] = [...schemasIn(open["allOf"]), { anyOf: alternatives }];
  }

  return { loosen };
}

/** The known properties of values that match an alternative; `undefined` when any value may match. */
interface Outline {
  types: ReadonlySet<JsonValue> | undefined;
  values: ReadonlySet<string> | undefined;
  /** All named members. */
  readonly names: Set<string>;
  readonly required: Set<string>;
  /** Members with listed values. */
  readonly fixed: Map<string, ReadonlySet<string>>;
}

const createOutline = (): Outline => ({
  types: undefined,
  values: undefined,
  names: new Set(),
  required: new Set(),
  fixed: new Map(),
});

const requiresMore = (a: Outline, b: Outline): boolean => [...a.required].some((name) => !b.names.has(name));

/** An integer is a number. */
const shareNoType = (a: ReadonlySet<JsonValue>, b: ReadonlySet<JsonValue>): boolean =>
  areDisjoint(a, b) && !(a.has("integer") && b.has("number")) && !(a.has("number") && b.has("integer"));

function areDisjoint<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  return [...fewer].every((value) => !more.has(value));
}

const schemasIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
