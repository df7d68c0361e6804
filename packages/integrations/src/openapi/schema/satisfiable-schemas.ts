import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { createClosedParts } from "./closed-parts.ts";
import { admitAlternatives, resolveContradiction } from "./contradictions.ts";
import { describing } from "./describing.ts";
import { isObject } from "./json-object.ts";

/** Corrects translated schemas that no value matches, when the document's intention is clear. */
export interface SatisfiableSchemas {
  /**
   * Corrects the schema at every depth, in place, each subschema once. Its references must be translated already.
   *
   * @param warn - called for each correction or unresolved contradiction, with the pointer from the schema to the place
   * @returns whether the schema changed
   */
  mend(schema: JsonObject, warn: (pointer: string, message: string) => void): boolean;
}

const unmergeable =
  "The parts of the schema forbid each other's members, so that no value matches; let each part accept the members of the others.";

export function createSatisfiableSchemas(definition: (name: string) => JsonObject | undefined): SatisfiableSchemas {
  const parts = createClosedParts(definition);
  const visited = new WeakSet<JsonObject>();

  return {
    mend(schema, warn) {
      let changed = false;
      const path: (string | number)[] = [];

      const alternativesOf = ({ oneOf, anyOf }: JsonObject) =>
        [oneOf, anyOf]
          .flatMap((list) => (Array.isArray(list) ? (list as readonly JsonValue[]) : []))
          .filter(isObject)
          .map((alternative) => parts.applied(alternative));

      /** Recursive, because a translated schema nests within limits. */
      function visit(at: JsonObject): void {
        if (visited.has(at)) return;
        visited.add(at);
        const outcome = parts.merge(at);
        if (outcome === "contradictory") warn(jsonPointer(path), unmergeable);
        const warning = mayContradict(at) ? resolveContradiction(at, parts.applied(at)) : undefined;
        if (warning !== undefined) warn(jsonPointer(path), warning);
        const admission = at["type"] === undefined ? undefined : admitAlternatives(at, alternativesOf(at));
        if (admission !== undefined) warn(jsonPointer(path), admission);
        changed ||= outcome === "merged" || warning !== undefined;
        for (const keyword in at) visitWithin(at, keyword, at[keyword]);
      }

      function visitWithin(at: JsonObject, keyword: string, value: JsonValue | undefined): void {
        if (typeof value !== "object" || value === null) return;
        if (single.has(keyword) && isObject(value)) step([keyword], value);
        else if (keyword === "properties" && isObject(value)) {
          for (const name in value) step([keyword, name], value[name]);
        } else if (lists.has(keyword) && Array.isArray(value)) {
          // The schema around a nullable one is not in the document.
          const isWrapped = keyword === "anyOf" && wrapsForNull(at);
          const list = value as readonly JsonValue[];
          for (let index = 0; index < list.length; index += 1) step(isWrapped ? [] : [keyword, index], list[index]);
        }
      }

      function step(way: readonly (string | number)[], to: JsonValue | undefined): void {
        if (!isObject(to)) return;
        path.push(...way);
        visit(to);
        path.length -= way.length;
      }

      visit(schema);
      return changed;
    },
  };
}

const single = new Set(["items", "additionalProperties", "not"]);
const lists = new Set(["allOf", "anyOf", "oneOf"]);

/** Whether several schemas constrain the value, or one has both a type and listed values. */
function mayContradict({ allOf, type, enum: values }: JsonObject): boolean {
  if (type !== undefined && values !== undefined) return true;
  if (!Array.isArray(allOf)) return false;
  const demanding = (allOf as readonly JsonValue[]).filter((part) => isObject(part) && demands(part));
  return demanding.length > (type === undefined && values === undefined ? 1 : 0);
}

const demands = (schema: JsonObject): boolean => Object.keys(schema).some((keyword) => !describing.has(keyword));

function wrapsForNull({ anyOf }: JsonObject): boolean {
  return Array.isArray(anyOf) && anyOf.length === 2 && (anyOf[1] as JsonObject | undefined)?.["type"] === "null";
}
