import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import { pointerTo } from "../pointer.ts";
import { allSchemas, isObject, resolvePointer, subschemasOf } from "./schema-walk.ts";

/** References whose target depends on the way to them: the library underneath takes another one in some schemas. */
const dynamicReferences = ["$dynamicRef", "$recursiveRef"];

/** Assertions of later drafts; in draft 07 they say nothing. */
const laterKeywords = [
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/**
 * Keywords of a schema by which values would be judged wrongly without a word: dynamic references, `unevaluatedItems` where
 * `contains` has evaluated items of the same list, and assertions that the schema's draft does not have.
 *
 * @param isDraft07 - whether the schema is of draft 07
 */
export function misjudgedKeywords(root: JsonObject, isDraft07: boolean): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  for (const { path, schema } of allSchemas(root)) {
    const report = (keyword: string, message: string) => problems.push({ path: path + pointerTo(keyword), message });
    for (const keyword of dynamicReferences) {
      if (schema[keyword] !== undefined)
        report(keyword, "is not supported, since its target is not always found; use $ref.");
    }
    if (isDraft07) {
      for (const keyword of laterKeywords) {
        if (schema[keyword] !== undefined) report(keyword, laterThanDraft07);
      }
    } else if (
      schema["unevaluatedItems"] !== undefined &&
      schema["unevaluatedItems"] !== true &&
      hasContains(root, schema)
    ) {
      report(
        "unevaluatedItems",
        'is not supported beside "contains", whose items would be taken for unevaluated; use items or prefixItems.',
      );
    }
  }
  return problems;
}

const laterThanDraft07 =
  'is not a keyword of draft 07, which the schema is written in by its "$schema" or a list in "items"; write all of it in 2020-12.';

/** Whether a schema, or one that it applies to the same value, says `contains`. */
function hasContains(root: JsonObject, schema: JsonObject): boolean {
  const seen = new Set<JsonObject>();
  const open = [schema];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (at["contains"] !== undefined) return true;
    for (const inner of subschemasOf(at)) if (inner.applied === "same") open.push(inner.schema);
    const ref = at["$ref"];
    const target = typeof ref === "string" ? (resolvePointer(root, ref) ?? anchored(root, ref)) : undefined;
    if (isObject(target)) open.push(target);
  }
  return false;
}

/** What a `$ref` names by an anchor or an identifier. */
function anchored(root: JsonObject, ref: string): JsonObject | undefined {
  for (const { schema } of allSchemas(root)) {
    const isNamed =
      schema["$id"] === ref || ["$anchor", "$dynamicAnchor"].some((name) => namedBy(schema[name]) === ref);
    if (isNamed) return schema;
  }
  return undefined;
}

const namedBy = (anchor: JsonValue | undefined): string | undefined =>
  typeof anchor === "string" ? `#${anchor}` : undefined;
