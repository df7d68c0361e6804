import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject } from "./json-object.ts";
import { contradictionOf } from "./contradictions.ts";
import { lostReferenceOf } from "./lost-schema.ts";
import { schemaOfMembers } from "./member-schema.ts";
import { membersOfSchema } from "./members.ts";

/**
 * Merges objects whose parts forbid each other's members, or describe one member in contradictory ways. In JSON Schema,
 * a part with `additionalProperties: false` forbids the members of other parts of `allOf`, of the enclosing schema and
 * of its alternatives. Documents mean one object with all members, closed against others.
 */
export interface ClosedParts {
  /** Merges the schema's own parts in place. Its references must be translated already. */
  merge(schema: JsonObject): "merged" | "contradictory" | "as it is";
  /** All schemas that apply to one value, except alternatives. */
  applied(schema: JsonObject): readonly JsonObject[];
}

/** Maximum number of member names examined for one document. Further schemas stay unchanged. */
const maxSteps = 1_000_000;
const maxDepth = 250;
/** Maximum depth for comparing members that several parts describe. */
const maxComparedDepth = 3;

export function createClosedParts(definition: (name: string) => JsonObject | undefined): ClosedParts {
  const known = new Map<string, Outline>();
  let steps = maxSteps;

  const target = ({ $ref }: JsonObject): readonly JsonObject[] =>
    typeof $ref === "string" ? [definition($ref.slice("#/$defs/".length)) ?? {}] : [];

  function outlineOf(schema: JsonObject, depth: number): Outline {
    const ref = schema["$ref"];
    const before = typeof ref === "string" && Object.keys(schema).length === 1 ? known.get(ref) : undefined;
    if (before !== undefined) return before;
    const outline = createOutline(schema);
    steps -= 1 + outline.names.size;
    if (steps < 0 || depth > maxDepth) return outline;
    for (const part of [...target(schema), ...partsIn(schema)]) {
      const { names, closes, lists } = outlineOf(part, depth + 1);
      add(outline.names, names);
      outline.closes ||= closes;
      outline.lists.push(...lists);
    }
    for (const list of listsIn(schema)) {
      outline.lists.push(list);
      for (const alternative of list) add(outline.names, outlineOf(alternative, depth + 1).names);
    }
    if (typeof ref === "string" && Object.keys(schema).length === 1) known.set(ref, outline);
    return outline;
  }

  function add(names: Set<string>, others: ReadonlySet<string>): void {
    steps -= others.size;
    for (const name of others) names.add(name);
  }

  /** Whether a part forbids a member that is named beside it. */
  function forbids(schema: JsonObject, beside: ReadonlySet<string>, depth = 0): boolean {
    steps -= beside.size;
    if (steps < 0 || depth > maxDepth) return false;
    const { names, closes, lists } = outlineOf(schema, depth);
    if (closes && !isWithin(beside, names)) return true;
    return lists.some((list) => list.some((alternative) => forbids(alternative, beside, depth + 1)));
  }

  /** Whether a branch forbids a member that another branch names. */
  function isContradictory(schema: JsonObject, depth: number): boolean {
    const own = createOutline(schema);
    const properties = new Set(isObject(schema["properties"]) ? Object.keys(schema["properties"]) : []);
    if (own.closes && !isWithin(own.names, properties)) return true;
    const branches: { readonly names: ReadonlySet<string>; readonly of: readonly JsonObject[] }[] = [
      ...[...target(schema), ...partsIn(schema)].map((part) => ({ names: outlineOf(part, 0).names, of: [part] })),
      ...listsIn(schema).map((list) => {
        const names = new Set<string>();
        for (const alternative of list) add(names, outlineOf(alternative, 0).names);
        return { names, of: list };
      }),
    ];
    if (own.closes && branches.some(({ names }) => !isWithin(names, properties))) return true;
    const shared = inSeveral([own, ...branches]);
    if (shared.size > 0 && hasContradictoryMember(schema, shared, depth)) return true;
    return branches.some((branch) => {
      if (!branch.of.some((each) => outlineOf(each, 0).closes || outlineOf(each, 0).lists.length > 0)) return false;
      const beside = new Set(own.names);
      for (const other of branches) if (other !== branch) add(beside, other.names);
      return branch.of.some((each) => forbids(each, beside));
    });
  }

  function hasContradictoryMember(schema: JsonObject, names: ReadonlySet<string>, depth: number): boolean {
    if (depth >= maxComparedDepth) return false;
    const all = applied(schema);
    return [...names].some((name) => {
      steps -= all.length;
      const described = new Set(
        all.flatMap(({ properties }) => {
          const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
          return isObject(member) ? [member] : [];
        }),
      );
      if (described.size < 2 || steps < 0) return false;
      const together = { allOf: [...described] };
      const parts = applied(together);
      steps -= parts.length;
      const isFine = parts.slice(1).every((part) => contradictionOf([part]) === undefined);
      return (isFine && contradictionOf(parts) !== undefined) || isContradictory(together, depth + 1);
    });
  }

  function applied(schema: JsonObject): readonly JsonObject[] {
    const all = new Set<JsonObject>();
    const waiting = [schema];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      waiting.push(...target(next), ...partsIn(next));
    }
    return [...all];
  }

  function merge(schema: JsonObject): "merged" | "contradictory" | "as it is" {
    if (!mayContradict(schema) || steps < 0 || !isContradictory(schema, 0)) return "as it is";
    const parts = applied(schema);
    steps -= outlineOf(schema, 0).names.size + parts.length;
    const members = membersOfSchema(schema, definition);
    if (members === undefined) return "contradictory";
    const types = parts.flatMap(({ type }) => (type === undefined ? [] : [type]));
    const isNullable = types.length > 0 && types.every((type) => Array.isArray(type) && type.includes("null"));
    const kept = parts.flatMap((part) =>
      lostReferenceOf(part) !== undefined ? [part] : part === schema ? [] : boundsOf(part),
    );
    const { allOf = [], ...merged } = schemaOfMembers(members);
    const held = [...kept, ...(allOf as readonly JsonValue[])];
    for (const keyword of replaced) delete (schema as Record<string, JsonValue>)[keyword];
    Object.assign(
      schema,
      { type: isNullable ? ["object", "null"] : "object" },
      merged,
      held.length > 0 && { allOf: held },
    );
    return "merged";
  }

  return { merge, applied };
}

/** The known members of one object. */
interface Outline {
  /** All named or required members. */
  readonly names: Set<string>;
  /** Whether the object or a part of it restricts unnamed members. */
  closes: boolean;
  /** Its alternatives. */
  readonly lists: (readonly JsonObject[])[];
}

/** From the schema's own keywords. */
function createOutline({ properties, required, additionalProperties: additional }: JsonObject): Outline {
  const named = isObject(properties) ? Object.keys(properties) : [];
  const names = new Set([...named, ...listOf(required).filter((name) => typeof name === "string")]);
  const closes = additional === false || (isObject(additional) && Object.keys(additional).length > 0);
  return { names, closes, lists: [] };
}

const replaced = ["$ref", "allOf", "anyOf", "oneOf", "properties", "required", "additionalProperties"];
const combining = ["$ref", "allOf", "anyOf", "oneOf"];

/** A reference alone is replaced by its target. */
const mayContradict = (schema: JsonObject): boolean =>
  (schema["additionalProperties"] === false && Object.hasOwn(schema, "required")) ||
  (combining.some((keyword) => Object.hasOwn(schema, keyword)) &&
    !(Object.hasOwn(schema, "$ref") && Object.keys(schema).length === 1));

function boundsOf({ minProperties, maxProperties, not }: JsonObject): readonly JsonObject[] {
  const bounds: JsonObject = {
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
    ...(not !== undefined && { not }),
  };
  return Object.keys(bounds).length === 0 ? [] : [bounds];
}

/** Names that at least two of them contain. */
function inSeveral(named: readonly { readonly names: ReadonlySet<string> }[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const several = new Set<string>();
  for (const { names } of named) {
    for (const name of names) {
      if (seen.has(name)) several.add(name);
      else seen.add(name);
    }
  }
  return several;
}

const isWithin = (names: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...names].every((name) => others.has(name));

const isNull = ({ type }: JsonObject): boolean => type === "null";

/** Parts of `allOf`, and an alternative whose only sibling is null. */
function partsIn(schema: JsonObject): readonly JsonObject[] {
  return [
    ...schemasIn(schema["allOf"]),
    ...alternativesIn(schema)
      .filter((list) => list.length === 1)
      .flat(),
  ];
}

const listsIn = (schema: JsonObject): readonly (readonly JsonObject[])[] =>
  alternativesIn(schema).filter((list) => list.length > 1);

const alternativesIn = ({ oneOf, anyOf }: JsonObject): readonly (readonly JsonObject[])[] =>
  [oneOf, anyOf].map((list) => schemasIn(list).filter((alternative) => !isNull(alternative)));

const schemasIn = (value: JsonValue | undefined): readonly JsonObject[] => listOf(value).filter(isObject);

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
