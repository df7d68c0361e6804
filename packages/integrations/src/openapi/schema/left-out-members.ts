import type { JsonObject, JsonValue } from "@procedo/contract";
import { isObject, own } from "./json-object.ts";
import type { References } from "./references.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";

export interface LeftOutMembers {
  /** Whether a member with this schema is left out: readOnly members of requests, writeOnly members of responses. */
  isLeftOut(schema: JsonValue): boolean;
  /** Names of the members that a schema and the parts of its `allOf` leave out. */
  leftOut(schema: JsonObject): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();
/** Maximum number of references and nested parts that are followed. */
const maxDepth = 20;

/**
 * The parts of an `allOf` are examined together, because `required` and the read-only member are often in different
 * parts.
 */
export function createLeftOutMembers(references: References, purpose: SchemaPurpose): LeftOutMembers {
  const mark = purpose === "request" ? "readOnly" : "writeOnly";
  const other = purpose === "request" ? "writeOnly" : "readOnly";
  const known = new Map<JsonObject, ReadonlySet<string>>();

  function target(schema: JsonValue): JsonObject | undefined {
    if (!isObject(schema)) return undefined;
    const found = references.follow(schema, "");
    return found.ok && isObject(found.value) ? found.value : undefined;
  }

  function isLeftOut(schema: JsonValue, depth: number): boolean {
    const found = isObject(schema) && !Object.hasOwn(schema, "$ref") ? schema : target(schema);
    if (found === undefined) return false;
    if (own(found, mark) === true) return own(found, other) !== true;
    const parts = own(found, "allOf");
    if (!Array.isArray(parts) || depth >= 2) return false;
    return (parts as readonly JsonValue[]).some((part) => isLeftOut(part, depth + 1));
  }

  function leftOut(schema: JsonObject, depth: number): ReadonlySet<string> {
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, none);
    const names = new Set<string>();
    const properties = own(schema, "properties");
    if (isObject(properties)) {
      for (const name of Object.keys(properties)) if (isLeftOut(properties[name] ?? null, 0)) names.add(name);
    }
    const parts = own(schema, "allOf");
    if (Array.isArray(parts) && depth < maxDepth) {
      for (const part of parts as readonly JsonValue[]) {
        const found = target(part);
        if (found !== undefined) for (const name of leftOut(found, depth + 1)) names.add(name);
      }
    }
    const result = names.size === 0 ? none : names;
    known.set(schema, result);
    return result;
  }

  return { isLeftOut: (schema) => isLeftOut(schema, 0), leftOut: (schema) => leftOut(schema, 0) };
}
