import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import { weightOf } from "./schema-bounds.ts";
import { cutSchema, type SchemaUnit } from "./schema-unit.ts";

const prefix = "#/$defs/";
const cutWeight = weightOf(cutSchema);
const weights = new WeakMap<SchemaUnit, number>();

/** Combines a schema with the definitions that it reaches, nearest first, within the weight limit. */
export function assembleSchema(
  schema: JsonObject,
  maxWeight: number,
  definition: (name: string) => SchemaUnit | undefined,
): JsonObject {
  const { root, names, weight: ownWeight } = fitted(inlined(schema, definition), maxWeight);
  if (names.size === 0) return root;
  const $defs: Record<string, JsonValue> = {};
  let frontier: SchemaUnit[] = [];
  for (const name of names) {
    const unit = definition(name);
    if (unit !== undefined) frontier.push(unit);
  }
  // Each referenced definition is included, at least in its cut form.
  let weight = ownWeight + frontier.length * cutWeight;
  const seen = new Set(frontier);
  while (frontier.length > 0) {
    const next: SchemaUnit[] = [];
    for (const unit of frontier.sort(byName)) {
      let fresh = 0;
      for (const used of unit.uses) if (!seen.has(used)) fresh += 1;
      const added = weightOfUnit(unit) - cutWeight + fresh * cutWeight;
      if (weight + added > maxWeight) {
        $defs[unit.name] = cutSchema;
        continue;
      }
      weight += added;
      $defs[unit.name] = unit.schema;
      for (const used of unit.uses) {
        if (seen.has(used)) continue;
        seen.add(used);
        next.push(used);
      }
    }
    frontier = next;
  }
  return { ...root, $defs };
}

/** Sorts names, so that the result does not depend on the document's order. */
const byName = (a: SchemaUnit, b: SchemaUnit) => (a.name < b.name ? -1 : 1);

function weightOfUnit(unit: SchemaUnit): number {
  let weight = weights.get(unit);
  if (weight === undefined) weights.set(unit, (weight = weightOf(unit.schema)));
  return weight;
}

/** Replaces a schema that is only a reference by its target. */
function inlined(schema: JsonObject, definition: (name: string) => SchemaUnit | undefined): JsonObject {
  let at = schema;
  // Terminates, because circular references were removed.
  for (let name = referenceAlone(at); name !== undefined; name = referenceAlone(at)) {
    const unit = definition(name);
    if (unit === undefined) break;
    at = unit.schema;
  }
  return at;
}

/** The definition to which a schema refers, if it has no other keyword. */
export function referenceAlone(schema: JsonObject): string | undefined {
  const name = referenceOf(schema);
  return name !== undefined && Object.keys(schema).length === 1 ? name : undefined;
}

function referenceOf(schema: JsonObject): string | undefined {
  const ref = schema["$ref"];
  return typeof ref === "string" && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}

interface Fitted {
  readonly root: JsonObject;
  readonly weight: number;
  readonly names: ReadonlySet<string>;
}

/** The schema itself, or cut at the deepest level at which it fits. */
function fitted(schema: JsonObject, maxWeight: number): Fitted {
  const whole = measured(schema, maxWeight);
  if (whole !== undefined) return whole;
  const cutAt = (levels: number, cut: JsonObject): Fitted | undefined => {
    const candidate = cutBelow(schema, levels, cut, maxWeight);
    return candidate === undefined ? undefined : measured(candidate, maxWeight);
  };
  // If the schema does not fit without the contents of its members, deeper cuts do not fit either.
  const bare = cutAt(1, {});
  if (bare === undefined) return { root: cutSchema, weight: cutWeight, names: new Set() };
  for (const levels of [12, 8, 6, 5, 4, 3, 2, 1]) {
    const cut = cutAt(levels, cutSchema);
    if (cut !== undefined) return cut;
  }
  return bare;
}

/** `undefined` when it does not fit together with its references in cut form. */
function measured(root: JsonObject, maxWeight: number): Fitted | undefined {
  // In order of discovery. Data that resembles a reference adds an unnecessary definition.
  const names = new Set<string>();
  const weight = weightOf(root, maxWeight, (object) => {
    const name = referenceOf(object);
    if (name !== undefined) names.add(name);
  });
  if (weight > maxWeight) return undefined;
  return weight + names.size * cutWeight > maxWeight ? undefined : { root, weight, names };
}

const maps = ["properties"];
const lists = ["allOf", "anyOf", "oneOf"];
const single = ["items", "additionalProperties", "not"];

/**
 * A copy with `cut` for all schemas `levels` below; `undefined` when a schema there contains more than `most` others.
 */
function cutBelow(schema: JsonObject, levels: number, cut: JsonObject, most: number): JsonObject | undefined {
  if (levels === 0) return cut;
  const out: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const below = (inner: JsonValue) => (isObject(inner) ? cutBelow(inner, levels - 1, cut, most) : inner);
    if (maps.includes(keyword) && isObject(value)) {
      const names = Object.keys(value);
      if (names.length > most) return undefined;
      const members: Record<string, JsonValue> = {};
      for (const name of names) {
        const member = below(value[name] ?? null);
        if (member === undefined) return undefined;
        members[name] = member;
      }
      out[keyword] = members;
    } else if (lists.includes(keyword) && Array.isArray(value)) {
      if (value.length > most) return undefined;
      const items: JsonValue[] = [];
      for (const inner of value as readonly JsonValue[]) {
        const item = below(inner);
        if (item === undefined) return undefined;
        items.push(item);
      }
      out[keyword] = items;
    } else if (single.includes(keyword)) {
      const inner = below(value);
      if (inner === undefined) return undefined;
      out[keyword] = inner;
    } else out[keyword] = value;
  }
  return out;
}
