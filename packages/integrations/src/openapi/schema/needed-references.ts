import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import { type LostReference, lostReferenceOf } from "./lost-schema.ts";

/** A lost reference on which every value of a schema depends. */
export interface NeededReference {
  readonly reference: LostReference;
  /** The path to it, like `payee.accounts[].iban`; `""` when it describes the value itself. */
  readonly path: string;
}

/** Limit of the search. More distant references count as dispensable. */
const maxSteps = 5_000;
const maxDepth = 100;

/**
 * The lost references that every value of a translated schema needs: of the value itself when no other part describes
 * it, of its required members, of the items of a non-empty list, and of all alternatives. A nullable value needs none.
 */
export function findNeededReferences(
  schema: JsonObject,
  definition: (name: string) => JsonObject | undefined,
): readonly NeededReference[] {
  const known = new Map<string, readonly NeededReference[]>();
  const numbers = new Map<JsonObject, number>();
  let steps = maxSteps;

  /** All schemas that apply to a value, except its alternatives. */
  function applied(schemas: readonly JsonObject[]): readonly JsonObject[] {
    const all = new Set<JsonObject>();
    const waiting = [...schemas];
    for (let next = waiting.pop(); next !== undefined && steps > 0; next = waiting.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      steps -= 1;
      const target = typeof next["$ref"] === "string" ? definition(next["$ref"].slice("#/$defs/".length)) : undefined;
      if (target !== undefined) waiting.push(target);
      waiting.push(...schemasIn(next["allOf"]));
    }
    return [...all];
  }

  function search(
    schemas: readonly JsonObject[],
    path: string,
    alsoRequired: ReadonlySet<string>,
    depth: number,
  ): readonly NeededReference[] {
    if (schemas.length === 0 || steps <= 0 || depth > maxDepth) return [];
    const key = `${schemas.map(numberOf).join()} ${[...alsoRequired].join()}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    // A value that contains itself endlessly cannot exist, so the search ends here.
    known.set(key, []);
    const found = searchApplied(applied(schemas), path, alsoRequired, depth);
    known.set(key, found);
    return found;
  }

  function searchApplied(
    parts: readonly JsonObject[],
    path: string,
    alsoRequired: ReadonlySet<string>,
    depth: number,
  ): readonly NeededReference[] {
    if (mayBeNull(parts)) return [];
    const found: NeededReference[] = [];
    const lost = parts.flatMap((part) => lostReferenceOf(part) ?? []);
    if (!parts.some(describesValue)) for (const reference of lost) found.push({ reference, path });
    const required = new Set([...alsoRequired, ...parts.flatMap((part) => namesIn(part["required"]))]);
    for (const name of required) {
      const at = path === "" ? name : `${path}.${name}`;
      found.push(...search(membersNamed(parts, name), at, new Set(), depth + 1));
    }
    if (parts.some((part) => isPositive(part["minItems"]))) {
      found.push(...search(schemasOf(parts, "items"), `${path}[]`, new Set(), depth + 1));
    }
    if (
      parts.some((part) => isPositive(part["minProperties"])) &&
      !parts.some(({ properties }) => hasAny(properties))
    ) {
      found.push(...search(schemasOf(parts, "additionalProperties"), `${path}.*`, new Set(), depth + 1));
    }
    for (const alternatives of parts.flatMap((part) => [schemasIn(part["oneOf"]), schemasIn(part["anyOf"])])) {
      const needs = alternatives.map((alternative) => search([alternative], path, required, depth + 1));
      if (needs.length > 0 && needs.every((needed) => needed.length > 0)) found.push(...needs.flat());
    }
    return found;
  }

  function numberOf(schema: JsonObject): number {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  }

  const found = search([schema], "", new Set(), 0);
  return [...new Map(found.map((needed) => [needed.reference, needed])).values()];
}

/**
 * Whether the part describes a value well enough to create one: members, items, values, alternatives, or a plain type.
 */
function describesValue({
  type,
  properties,
  items,
  enum: values,
  additionalProperties,
  oneOf,
  anyOf,
}: JsonObject): boolean {
  if (hasAny(properties) || hasAny(items) || hasAny(additionalProperties) || values !== undefined) return true;
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : type === undefined ? [] : [type];
  return (
    oneOf !== undefined || anyOf !== undefined || (types.length > 0 && !types.some((each) => structured.has(each)))
  );
}

const structured: ReadonlySet<JsonValue> = new Set(["object", "array"]);

/** Whether null matches, judged by types. */
function mayBeNull(parts: readonly JsonObject[]): boolean {
  const types = parts.flatMap(({ type }) => (type === undefined ? [] : [type]));
  return types.length > 0 && types.every((type) => type === "null" || (Array.isArray(type) && type.includes("null")));
}

function membersNamed(parts: readonly JsonObject[], name: string): readonly JsonObject[] {
  return parts.flatMap(({ properties, additionalProperties }) => {
    const member =
      isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : (additionalProperties ?? null);
    return isObject(member) ? [member] : [];
  });
}

const schemasOf = (parts: readonly JsonObject[], keyword: string): readonly JsonObject[] =>
  parts.flatMap((part) => (isObject(part[keyword]) ? [part[keyword]] : []));

const schemasIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];

const namesIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((name) => typeof name === "string") : [];

const isPositive = (value: JsonValue | undefined): boolean => typeof value === "number" && value > 0;

const hasAny = (value: JsonValue | undefined): boolean => isObject(value) && Object.keys(value).length > 0;
