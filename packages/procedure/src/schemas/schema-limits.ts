import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { JsonBounds } from "../json-bounds.ts";
import type { PatternTests } from "./ajv-drafts.ts";
import { compilePatterns } from "./schema-patterns.ts";
import { allSchemas, isObject, resolvePointer, subschemasOf } from "./schema-walk.ts";

/** Size limits of a schema. */
export const schemaBounds: JsonBounds = { depth: 64, values: 10_000 };
/** Maximum number of schemas applied to one place of a value. Only `$ref`s that double at each level reach it. */
const maxApplied = 10_000;
const maxReferenceChain = 256;
/**
 * Maximum number of compiled schemas: the code generation takes 0.1 milliseconds per schema and blocks the process.
 * Each of {@link dearKeywords} and each name in `dependentRequired` also counts.
 */
export const maxCompiledSchemas = 4_000;
/** Keywords that generate more than a few lines of code: a function, a set of values, an automaton. */
const dearKeywords = ["$ref", "$dynamicRef", "enum", "const", "uniqueItems", "multipleOf", "pattern"];
const dearKeywordWeight = 3;
/** Code that tracks evaluated parts grows with the square of the names. */
const unevaluatedWeight = 4;
/** The code of `oneOf` grows in the same way with its alternatives, because each nests in the one before. */
const nestedAlternatives = 250;
/** Code that stops at the first violation is also nested, so it is generated only for smaller schemas. */
const maxNestedSchemas = 1_000;

/** The cost of generating a schema's code, in the unit of {@link maxCompiledSchemas}. */
export function schemaWeight(schema: JsonObject): number {
  let weight = 0;
  let asksUnevaluated = false;
  for (const { schema: at } of allSchemas(schema)) {
    weight += weightOfSchema(at);
    asksUnevaluated ||= at["unevaluatedProperties"] !== undefined || at["unevaluatedItems"] !== undefined;
  }
  return asksUnevaluated ? weight * unevaluatedWeight : weight;
}

export interface SchemaLimits {
  /**
   * The reasons why the schema cannot be compiled safely, found before any code is generated: its size, patterns that
   * are not linear, and references that are circular or multiply.
   */
  readonly problems: readonly ErrorDetail[];
  readonly patterns: PatternTests;
  /** Whether code that stops at the first violation can also be generated. */
  readonly stopsAtFirst: boolean;
}

/**
 * @param schema - within {@link schemaBounds}, with no part in two places
 * @param unsupported - whether an unusable or surplus pattern is a problem or is left out
 */
export function schemaLimits(schema: JsonObject, unsupported: "refuse" | "ignore"): SchemaLimits {
  const problems: ErrorDetail[] = [];
  const anchors = new Map<string, JsonObject>();
  const all = [...allSchemas(schema)];
  const weight = schemaWeight(schema);
  let asksUnevaluated = false;
  for (const { path, schema: at } of all) {
    asksUnevaluated ||= at["unevaluatedProperties"] !== undefined || at["unevaluatedItems"] !== undefined;
    for (const keyword of ["$id", "$anchor", "$dynamicAnchor"]) {
      const name = at[keyword];
      if (typeof name === "string") anchors.set(keyword === "$id" ? name : `#${name}`, at);
    }
    if (at["$async"] !== undefined) {
      problems.push({ path: path + jsonPointer(["$async"]), message: "is not supported; remove it." });
    }
  }
  const stopsAtFirst = asksUnevaluated || weight <= maxNestedSchemas;
  if (weight > maxCompiledSchemas) {
    return { problems: [...problems, tooManySchemas], patterns: new Map(), stopsAtFirst };
  }
  const compiled = compilePatterns(all);
  if (unsupported === "refuse") problems.push(...compiled.problems);
  const endless = endlessReference(schema, anchors);
  if (endless !== undefined) problems.push(endless);
  return { problems, patterns: compiled.patterns, stopsAtFirst };
}

function weightOfSchema(schema: JsonObject): number {
  let weight = 1;
  for (const keyword of dearKeywords) if (schema[keyword] !== undefined) weight += dearKeywordWeight;
  const { oneOf } = schema;
  if (Array.isArray(oneOf)) weight += Math.floor(oneOf.length ** 2 / nestedAlternatives);
  for (const keyword of ["dependentRequired", "dependencies"]) {
    const lists = schema[keyword];
    if (!isObject(lists)) continue;
    for (const names of Object.values(lists)) if (Array.isArray(names)) weight += names.length;
  }
  return weight;
}

const tooManySchemas: ErrorDetail = {
  path: "",
  message:
    `holds more than ${maxCompiledSchemas} schemas, where each of ${dearKeywords.join(", ")} counts as ` +
    `${dearKeywordWeight} more, a oneOf with n alternatives as n²/${nestedAlternatives} more, and everything as ` +
    `${unevaluatedWeight} times as many with unevaluatedProperties or unevaluatedItems; make it smaller.`,
};

/** The first schema that is applied to one value without end, or too often. */
function endlessReference(root: JsonObject, named: ReadonlyMap<string, JsonObject>): ErrorDetail | undefined {
  const applications = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();

  /** Number of schemas applied to a value together with this one; a message if there is no end. */
  function count(schema: JsonObject): number | string {
    const known = applications.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) return "refers to itself for the same value, which never ends; remove the cycle.";
    if (open.size >= maxReferenceChain)
      return `refers through more than ${maxReferenceChain} schemas; shorten the chain.`;
    open.add(schema);
    let total = 1;
    for (const inner of appliedToTheSame(schema)) {
      const more = count(inner);
      if (typeof more === "string") return more;
      total += more;
      if (total > maxApplied) return `applies more than ${maxApplied} schemas to one value; use fewer references.`;
    }
    open.delete(schema);
    applications.set(schema, total);
    return total;
  }

  function* appliedToTheSame(schema: JsonObject): Generator<JsonObject> {
    for (const inner of subschemasOf(schema)) {
      if (inner.applied === "same") yield inner.schema;
    }
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const ref = schema[keyword];
      const target = typeof ref === "string" ? (named.get(ref) ?? resolvePointer(root, ref)) : undefined;
      if (isObject(target)) yield target;
    }
  }

  for (const { path, schema } of allSchemas(root)) {
    const counted = count(schema);
    if (typeof counted === "string") return { path, message: counted };
  }
  return undefined;
}
