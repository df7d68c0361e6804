import type { ErrorDetail, JsonObject } from "@procedo/contract";
import { outOfBounds, type JsonBounds } from "../json-bounds.ts";
import { pointerTo } from "../pointer.ts";
import { compileLinearPattern } from "./linear-pattern.ts";
import { allSchemas, isObject, resolvePointer, subschemasOf } from "./schema-walk.ts";

/** What a schema may hold. */
export const schemaBounds: JsonBounds = { depth: 64, values: 10_000 };
/** How many schemas may be applied to one place of the value; doubling `$ref`s reach it, people do not. */
const maxApplied = 10_000;
const maxReferenceChain = 256;

/**
 * What keeps a schema from being compiled safely, found before any code is made from it: its size, patterns that are not
 * linear, references that lead out of it or in a circle, and references that multiply.
 */
export function schemaLimitProblems(schema: JsonObject, patterns: "refuse" | "ignore"): ErrorDetail[] {
  const tooBig = outOfBounds(schema, schemaBounds);
  if (tooBig !== undefined) return [tooBig];
  const problems: ErrorDetail[] = [];
  const anchors = new Map<string, JsonObject>();
  for (const { path, schema: at } of allSchemas(schema)) {
    for (const keyword of ["$id", "$anchor", "$dynamicAnchor"]) {
      const name = at[keyword];
      if (typeof name === "string") anchors.set(keyword === "$id" ? name : `#${name}`, at);
    }
    if (at["$async"] !== undefined) {
      problems.push({ path: path + pointerTo("$async"), message: "is not supported; remove it." });
    }
    if (patterns === "refuse") problems.push(...patternProblems(path, at));
  }
  const endless = endlessReference(schema, anchors);
  if (endless !== undefined) problems.push(endless);
  return problems;
}

function patternProblems(path: string, schema: JsonObject): ErrorDetail[] {
  const { pattern, patternProperties } = schema;
  const sources: [path: string, source: string][] = [];
  if (typeof pattern === "string") sources.push([path + pointerTo("pattern"), pattern]);
  if (isObject(patternProperties)) {
    for (const source of Object.keys(patternProperties)) {
      sources.push([path + pointerTo("patternProperties", source), source]);
    }
  }
  return sources.flatMap(([at, source]) => {
    const compiled = compileLinearPattern(source);
    return compiled.ok ? [] : [{ path: at, message: compiled.message }];
  });
}

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
