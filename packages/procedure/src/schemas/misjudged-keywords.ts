import type { ErrorDetail, JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { allSchemas, isObject, resolvePointer, subschemasOf } from "./schema-walk.ts";

/**
 * References whose target depends on the path to them: in some schemas, the library resolves them to another target.
 */
const dynamicReferences = ["$dynamicRef", "$recursiveRef"];

/** Assertions of later drafts, which have no effect in draft 07. */
const laterKeywords = [
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
];

interface Misjudged {
  readonly keyword: string;
  /** Keywords beside which the result is always wrong. */
  readonly unconditional: readonly string[];
  /** Keywords beside which the result is wrong if a failed branch evaluated anything. */
  readonly conditional: readonly string[];
  readonly then: string;
}

const misjudgedBeside: readonly Misjudged[] = [
  {
    keyword: "unevaluatedItems",
    unconditional: ["contains"],
    conditional: ["items", "prefixItems", "unevaluatedItems"],
    then: "use items or prefixItems",
  },
  {
    keyword: "unevaluatedProperties",
    unconditional: [],
    conditional: ["patternProperties"],
    then: "use additionalProperties, or patternProperties beside it",
  },
];

/**
 * Keywords for which the library would silently misjudge values: dynamic references, `unevaluatedItems` if `contains`
 * or a failed branch evaluated items of the same list, and assertions that the schema's draft does not have.
 *
 * @param isDraft07 - whether the schema is of draft 07
 */
export function misjudgedKeywords(root: JsonObject, isDraft07: boolean): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const named = namedSchemas(root);
  for (const { path, schema } of allSchemas(root)) {
    const report = (keyword: string, message: string) =>
      problems.push({ path: path + jsonPointer([keyword]), message });
    for (const keyword of dynamicReferences) {
      if (schema[keyword] !== undefined)
        report(keyword, "is not supported, because its target is not always found; use $ref.");
    }
    if (isDraft07) {
      for (const keyword of laterKeywords) {
        if (schema[keyword] !== undefined) report(keyword, laterThanDraft07);
      }
    } else {
      for (const misjudged of misjudgedBeside) {
        const { keyword, unconditional, then } = misjudged;
        if (schema[keyword] === undefined || schema[keyword] === true) continue;
        const found = misjudgedBy(schema, misjudged, named);
        if (found === undefined) continue;
        const where = unconditional.includes(found) ? "" : " in an alternative or a condition";
        report(keyword, `is not supported beside "${found}"${where}, which would be judged wrongly; ${then}.`);
      }
    }
  }
  return problems;
}

const laterThanDraft07 =
  'is not a keyword of draft 07, which the schema is written in by its "$schema" or a list in "items"; write all of it in 2020-12.';

/**
 * The keyword for which a schema's `unevaluated…` keyword would be misjudged, in the schema or in one that it applies
 * to the same value.
 */
function misjudgedBy(schema: JsonObject, { unconditional, conditional }: Misjudged, named: NamedSchemas) {
  const seen = new Map<JsonObject, boolean>();
  const open = [{ at: schema, isCertain: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, isCertain } = next;
    if (seen.get(at) === false || seen.get(at) === isCertain) continue;
    seen.set(at, isCertain);
    const found =
      unconditional.find((keyword) => at[keyword] !== undefined) ??
      (isCertain ? undefined : conditional.find((keyword) => at[keyword] !== undefined));
    if (found !== undefined) return found;
    for (const inner of subschemasOf(at)) {
      if (inner.applied === "same") {
        open.push({ at: inner.schema, isCertain: isCertain && inner.path.startsWith("/allOf/") });
      }
    }
    const ref = at["$ref"];
    const target = typeof ref === "string" ? named(ref) : undefined;
    if (isObject(target)) open.push({ at: target, isCertain });
  }
  return undefined;
}

type NamedSchemas = (ref: string) => JsonValue | undefined;

/** The target of a `$ref`, by a pointer, an anchor or an identifier. */
function namedSchemas(root: JsonObject): NamedSchemas {
  let names: Map<string, JsonObject> | undefined;
  return (ref) => {
    const found = resolvePointer(root, ref);
    if (found !== undefined) return found;
    names ??= new Map(
      [...allSchemas(root)].flatMap(({ schema }) =>
        [schema["$id"], namedBy(schema["$anchor"]), namedBy(schema["$dynamicAnchor"])].flatMap((name) =>
          typeof name === "string" ? [[name, schema] as const] : [],
        ),
      ),
    );
    return names.get(ref);
  };
}

const namedBy = (anchor: JsonValue | undefined): string | undefined =>
  typeof anchor === "string" ? `#${anchor}` : undefined;
