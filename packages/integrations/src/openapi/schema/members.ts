import type { JsonObject, JsonValue } from "@procedo/contract";
import { describing } from "./describing.ts";
import { isObject } from "./json-object.ts";
import { lostReferenceOf } from "./lost-schema.ts";

/** The members of an object schema, with all parts of `allOf` merged. Schemas may refer to `#/$defs`. */
export interface Members {
  /** Includes the members of all alternatives. Never contains `__proto__`. */
  readonly properties: ReadonlyMap<string, JsonObject>;
  readonly required: readonly string[];
  /** `oneOf` and `anyOf` of objects. Each must match in addition. */
  readonly alternatives: readonly Alternatives[];
  /** Unchanged from the schema; `undefined` when it is missing. */
  readonly additional: boolean | JsonObject | undefined;
  /** Whether no member is named. */
  readonly empty: boolean;
}

export interface Alternatives {
  readonly kind: "oneOf" | "anyOf";
  readonly of: readonly MemberRules[];
}

/** The members of one alternative. Other members are unconstrained. */
export interface MemberRules {
  readonly properties: ReadonlyMap<string, JsonObject>;
  readonly required: readonly string[];
  readonly alternatives: readonly Alternatives[];
}

/** The members of one object collected so far. */
interface Draft {
  readonly properties: Map<string, JsonObject[]>;
  readonly required: Set<string>;
  readonly alternatives: { readonly kind: "oneOf" | "anyOf"; readonly of: readonly Draft[] }[];
  additional: boolean | JsonObject | undefined;
  /** Whether a part is unknown, so that the list of members may be incomplete. */
  isOpen: boolean;
  readonly merged: Set<JsonObject>;
}

/** Limit of nested alternatives, whose number multiplies. */
const maxSteps = 2_000;
/** Objects with more members, counted with repetitions, become a single argument. */
const maxMembers = 20_000;

/** Merges the members of a translated object schema; `undefined` when its values are not, or not only, objects. */
export function membersOfSchema(
  schema: JsonObject,
  definition: (name: string) => JsonObject | undefined,
): Members | undefined {
  let steps = maxSteps;
  let membersLeft = maxMembers;

  /** `other`: values may be other than objects. `open`: the type of values is unknown. */
  function gather(at: JsonObject, draft: Draft): "object" | "open" | "other" {
    steps -= 1;
    if (steps < 0) return "other";
    if (draft.merged.has(at)) return "open";
    draft.merged.add(at);
    draft.isOpen ||= lostReferenceOf(at) !== undefined;
    const types = typesIn(at);
    if (types.some((type) => type !== "object") || Object.hasOwn(at, "enum")) return "other";
    let isOfObjects = types.length > 0;
    const partIs = (part: JsonValue, into: Draft): boolean => {
      const found = isObject(part) ? gather(part, into) : "open";
      isOfObjects ||= found === "object";
      return found !== "other";
    };
    if (typeof at["$ref"] === "string" && !partIs(definition(at["$ref"].slice("#/$defs/".length)) ?? {}, draft)) {
      return "other";
    }
    if (isObject(at["properties"])) membersLeft -= Object.keys(at["properties"]).length;
    if (membersLeft < 0) return "other";
    isOfObjects = gatherOwn(at, draft) || isOfObjects;
    if (!listOf(at["allOf"]).every((part) => partIs(part, draft))) return "other";
    for (const kind of ["oneOf", "anyOf"] as const) {
      const alternatives = listOf(at[kind]).filter((alternative) => !isNullOnly(alternative));
      if (alternatives.length === 1 && alternatives[0] !== undefined) {
        if (!partIs(alternatives[0], draft)) return "other";
      } else if (alternatives.length > 1) {
        const of = alternatives.map(() => createDraft(new Set(draft.merged)));
        if (!alternatives.every((alternative, index) => partIs(alternative, of[index] ?? draft))) return "other";
        draft.alternatives.push({ kind, of });
      }
    }
    return isOfObjects ? "object" : "open";
  }

  const draft = createDraft(new Set());
  if (gather(schema, draft) !== "object") return undefined;
  const { required, alternatives } = rulesOf(draft);
  const properties = mergedProperties(withAlternatives(draft));
  const additional = draft.isOpen ? true : (draft.additional ?? openAlternative(draft));
  return {
    properties,
    required: [...new Set([...required, ...requiredByAll(draft)])],
    alternatives,
    additional,
    empty: properties.size === 0,
  };
}

const createDraft = (merged: Set<JsonObject>): Draft => ({
  properties: new Map(),
  required: new Set(),
  alternatives: [],
  additional: undefined,
  isOpen: false,
  merged,
});

/** Whether the schema itself restricts values to objects. */
function gatherOwn(schema: JsonObject, draft: Draft): boolean {
  const { properties, required, additionalProperties: additional } = schema;
  if (isObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      if (isObject(property)) draft.properties.set(name, [...(draft.properties.get(name) ?? []), property]);
    }
  }
  for (const name of listOf(required)) if (typeof name === "string") draft.required.add(name);
  // One closed part closes the whole object.
  if (typeof additional === "boolean" || isObject(additional))
    draft.additional = draft.additional === false ? false : additional;
  return isObject(properties) || required !== undefined || additional !== undefined;
}

function rulesOf(draft: Draft): MemberRules {
  return {
    properties: mergedProperties(draft.properties),
    required: [...draft.required],
    alternatives: draft.alternatives.map(({ kind, of }) => ({
      // Alternatives that differ only in forbidden members may overlap once the whole object decides about them.
      kind: of.some(closes) ? "anyOf" : kind,
      of: of.map(rulesOf),
    })),
  };
}

const closes = (draft: Draft): boolean =>
  draft.additional === false || draft.alternatives.some(({ of }) => of.some(closes));

const anything: JsonObject = {};

/** A member's schemas: all of the object's own, and one of its alternatives'. */
function withAlternatives(draft: Draft): ReadonlyMap<string, readonly JsonObject[]> {
  const union = new Map<string, JsonObject[]>();
  const visit = ({ alternatives }: Draft) => {
    for (const { of } of alternatives) {
      const isUnknown = of.some(({ isOpen }) => isOpen);
      for (const alternative of of) {
        for (const [name, schemas] of alternative.properties) {
          if (draft.properties.has(name)) continue;
          // An unknown alternative allows any value of the member.
          union.set(name, [...(union.get(name) ?? []), merged(schemas), ...(isUnknown ? [anything] : [])]);
        }
        visit(alternative);
      }
    }
  };
  visit(draft);
  const all = new Map<string, readonly JsonObject[]>(draft.properties);
  for (const [name, schemas] of union) {
    const different = distinct(schemas);
    all.set(name, different.length === 1 ? different : [{ anyOf: different }]);
  }
  return all;
}

function requiredByAll(draft: Draft): readonly string[] {
  return draft.alternatives.flatMap(({ of }) => {
    const [first, ...others] = of.map(
      (alternative) => new Set([...alternative.required, ...requiredByAll(alternative)]),
    );
    return [...(first ?? [])].filter((name) => others.every((names) => names.has(name)));
  });
}

/** An alternative that accepts any member opens the whole object. */
function openAlternative(draft: Draft): true | undefined {
  const isOpen = ({ additional, isOpen: unknown, alternatives }: Draft): boolean =>
    unknown || additional === true || isObject(additional) || alternatives.some(({ of }) => of.some(isOpen));
  return draft.alternatives.some(({ of }) => of.some(isOpen)) ? true : undefined;
}

const mergedProperties = (properties: ReadonlyMap<string, readonly JsonObject[]>): ReadonlyMap<string, JsonObject> =>
  new Map([...properties].map(([name, schemas]) => [name, merged(schemas)]));

/** One schema that combines them all. */
function merged(schemas: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = distinct(schemas);
  return others.reduce((all, schema) => {
    const shared = Object.keys(schema).filter((keyword) => Object.hasOwn(all, keyword) && !describing.has(keyword));
    const differs = shared.some((keyword) => JSON.stringify(all[keyword]) !== JSON.stringify(schema[keyword]));
    const interplay = [all, schema].some(
      (each) => Object.hasOwn(each, "additionalProperties") || lostReferenceOf(each) !== undefined,
    );
    return differs || interplay ? { allOf: [all, schema] } : { ...all, ...schema };
  }, first);
}

function distinct(schemas: readonly JsonObject[]): readonly JsonObject[] {
  if (schemas.length < 2) return schemas;
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function typesIn({ type }: JsonObject): readonly JsonValue[] {
  if (type === undefined) return [];
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  return types.length > 1 ? types.filter((name) => name !== "null") : types;
}

const isNullOnly = (schema: JsonValue) => isObject(schema) && schema["type"] === "null";

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];
