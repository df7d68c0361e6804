import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { outOfBounds, type JsonBounds } from "../json-bounds.ts";
import { pointerTo } from "../pointer.ts";
import type { PatternTests } from "./ajv-drafts.ts";
import { compilePatterns } from "./schema-patterns.ts";
import { allSchemas, isObject, resolvePointer, subschemasOf } from "./schema-walk.ts";

/** What a schema may hold. */
export const schemaBounds: JsonBounds = { depth: 64, values: 10_000 };
/** How many schemas may be applied to one place of the value; doubling `$ref`s reach it, people do not. */
const maxApplied = 10_000;
const maxReferenceChain = 256;
/**
 * How many schemas are compiled, each with the keywords of {@link dearKeywords} counted as three more: making their code
 * takes 0.1 milliseconds for each, in which nothing else is done.
 */
export const maxCompiledSchemas = 4_000;
/** Keywords for which more than a few lines of code are made: a function, a set of values, an automaton. */
const dearKeywords = ["$ref", "$dynamicRef", "enum", "const", "uniqueItems", "multipleOf", "pattern"];
const dearKeywordWeight = 3;

export interface SchemaLimits {
  /**
   * What keeps the schema from being compiled safely, found before any code is made from it: its size, patterns that are
   * not linear, references that lead in a circle or multiply.
   */
  readonly problems: readonly ErrorDetail[];
  readonly patterns: PatternTests;
}

/** @param unsupported - whether a pattern that cannot be used, or is one too many, is a problem or left out */
export function schemaLimits(schema: JsonObject, unsupported: "refuse" | "ignore"): SchemaLimits {
  const tooBig = outOfBounds(schema, schemaBounds);
  if (tooBig !== undefined) return { problems: [tooBig], patterns: new Map() };
  const problems: ErrorDetail[] = [];
  const anchors = new Map<string, JsonObject>();
  const all = [...allSchemas(schema)];
  let weight = 0;
  for (const { path, schema: at } of all) {
    weight += 1 + dearKeywordWeight * dearKeywords.filter((keyword) => at[keyword] !== undefined).length;
    for (const keyword of ["$id", "$anchor", "$dynamicAnchor"]) {
      const name = at[keyword];
      if (typeof name === "string") anchors.set(keyword === "$id" ? name : `#${name}`, at);
    }
    if (at["$async"] !== undefined) {
      problems.push({ path: path + pointerTo("$async"), message: "is not supported; remove it." });
    }
  }
  if (weight > maxCompiledSchemas) return { problems: [...problems, tooManySchemas], patterns: new Map() };
  const compiled = compilePatterns(all);
  if (unsupported === "refuse") problems.push(...compiled.problems);
  const endless = endlessReference(schema, anchors);
  if (endless !== undefined) problems.push(endless);
  return { problems, patterns: compiled.patterns };
}

const tooManySchemas: ErrorDetail = {
  path: "",
  message:
    `holds more than ${maxCompiledSchemas} schemas, where each of ${dearKeywords.join(", ")} counts as ` +
    `${dearKeywordWeight} more; make it smaller.`,
};

/** The first schema that is applied to one and the same value for ever, or so often that it might as well be. */
function endlessReference(root: JsonObject, named: ReadonlyMap<string, JsonObject>): ErrorDetail | undefined {
  const applications = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();

  /** How many schemas are applied to a value when this one is; a message when it has no end. */
  function count(schema: JsonObject): number | string {
    const known = applications.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) return "refers to itself for the same value, which never ends; remove the circle.";
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
