import type { JsonObject, JsonValue } from "@procedo/contract";
import { describing } from "./describing.ts";

/** The reason why no value matches several schemas at once, judged by their types and listed values. */
export type Contradiction = "types" | "values" | "values of other types";

interface Demands {
  /** Types that all schemas accept; `undefined` when none names types. */
  readonly types: readonly string[] | undefined;
  /** Values that all schemas list; `undefined` when none lists values. */
  readonly values: readonly JsonValue[] | undefined;
}

function demandsOf(parts: readonly JsonObject[]): Demands {
  let types: readonly string[] | undefined;
  let values: readonly JsonValue[] | undefined;
  for (const { type, enum: listed } of parts) {
    if (type !== undefined) types = types === undefined ? typesIn(type) : commonTypes(types, typesIn(type));
    if (Array.isArray(listed)) {
      const also = listed as readonly JsonValue[];
      values = values === undefined ? also : inBoth(values, also);
    }
  }
  return { types, values };
}

function inBoth(values: readonly JsonValue[], others: readonly JsonValue[]): readonly JsonValue[] {
  const keys = new Set(others.map((value) => JSON.stringify(value)));
  return values.filter((value) => keys.has(JSON.stringify(value)));
}

/** @param parts - all schemas that apply to one value, except alternatives */
export function contradictionOf(parts: readonly JsonObject[]): Contradiction | undefined {
  const { types, values } = demandsOf(parts);
  if (types?.length === 0) return "types";
  if (values?.length === 0) return "values";
  if (types === undefined || values === undefined) return undefined;
  // Null is often added to mark an optional member, so it does not count as a choice.
  const others = values.filter((value) => value !== null);
  const isFitting = others.length === 0 || others.some((value) => types.some((type) => isOfType(value, type)));
  return isFitting ? undefined : "values of other types";
}

/**
 * Changes a contradictory schema into the closest one that accepts the intended values.
 *
 * @param parts - the schema, and all schemas that apply to the same value, except alternatives
 * @returns a warning; `undefined` when there is no contradiction
 */
export function resolveContradiction(schema: JsonObject, parts: readonly JsonObject[]): string | undefined {
  switch (contradictionOf(parts)) {
    case undefined:
      return undefined;
    case "types": {
      const { type, ...others } = schema;
      const rest = parts.filter((part) => part !== schema);
      if (type !== undefined && rest.length > 0 && !describesInside(others) && contradictionOf(rest) === undefined) {
        replace(schema, others);
        return `type ${JSON.stringify(type)} contradicts the other parts of the schema; it is ignored.`;
      }
      replace(schema, {});
      const all = [...new Set(parts.flatMap((part) => typesIn(part["type"])))].join(", ");
      return `The types of the schema's parts (${all}) contradict each other, so that no value matches; any value is accepted.`;
    }
    case "values": {
      const { types } = demandsOf(parts);
      replace(schema, { ...typed(types), enum: distinct(parts.flatMap((part) => listOf(part["enum"]))) });
      return "The parts of the schema list values that have nothing in common, so that no value matches; the values of all are accepted.";
    }
    case "values of other types": {
      const { types, values = [] } = demandsOf(parts);
      replace(schema, { enum: values });
      return `enum lists no value of type ${types?.join(" or ")}, so that no value matches; its values are accepted, and the type is ignored.`;
    }
  }
}

/**
 * Extends the type of a schema by the types of alternatives that it rules out, because alternatives are meant to be
 * used.
 *
 * @param alternatives - for each alternative, all schemas that apply to the same value
 * @returns a warning; `undefined` when the type rules out none
 */
export function admitAlternatives(
  schema: JsonObject,
  alternatives: readonly (readonly JsonObject[])[],
): string | undefined {
  const own = typesIn(schema["type"]);
  const others = alternatives.flatMap((parts) => {
    const { types = [] } = demandsOf(parts);
    return commonTypes(own, types).length === 0 ? types : [];
  });
  if (others.length === 0) return undefined;
  const written = own.join(" or ");
  (schema as Record<string, JsonValue>)["type"] = [...new Set([...own, ...others])];
  return `type ${written} rules out an alternative of type ${[...new Set(others)].join(" or ")}; both are accepted.`;
}

/** Replaces the asserting keywords of a schema. */
function replace(schema: JsonObject, demands: JsonObject): void {
  const open = schema as Record<string, JsonValue>;
  for (const keyword of Object.keys(open)) if (!describing.has(keyword)) delete open[keyword];
  Object.assign(open, demands);
}

const describesInside = (schema: JsonObject): boolean =>
  ["properties", "required", "additionalProperties", "items", "enum"].some((keyword) => Object.hasOwn(schema, keyword));

const typed = (types: readonly string[] | undefined): JsonObject =>
  types === undefined ? {} : { type: types.length === 1 ? (types[0] ?? null) : types };

/** An integer is a number. */
function commonTypes(types: readonly string[], others: readonly string[]): readonly string[] {
  const within = (type: string, all: readonly string[]) =>
    all.includes(type) || (type === "integer" && all.includes("number"));
  return [
    ...new Set([...types.filter((type) => within(type, others)), ...others.filter((type) => within(type, types))]),
  ];
}

function isOfType(value: JsonValue, type: string): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (typeof value === "number") return type === "number" || (type === "integer" && Number.isInteger(value));
  return typeof value === type;
}

const distinct = (values: readonly JsonValue[]): readonly JsonValue[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

const typesIn = (value: JsonValue | undefined): readonly string[] =>
  listOf(value).filter((type) => typeof type === "string");

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
