import type { JsonObject, JsonValue } from "@procedo/contract";
import { exactNumberOf } from "../numbers/exact-number.ts";
import { isObject, resolvePointer } from "./schema-walk.ts";

/** Maximum depth of references and members; beyond it, a value may fit. */
const maxDepth = 8;

/** The schema that is searched, and the remaining number of schemas and members. */
export interface Search {
  /** Contains the targets of references. */
  readonly root: JsonObject;
  stepsLeft: number;
}

/**
 * Whether a value certainly violates a schema: by its kind, a constant, a missing or an unknown member. Distinguishes
 * the alternatives of a document, for example by a member that is constant in each. `false` does not prove that the
 * value fits, and is also the result when no steps are left.
 */
export function surelyFails(schema: JsonValue | undefined, value: JsonValue, search: Search, depth = 0): boolean {
  if (schema === false) return true;
  search.stepsLeft -= 1;
  if (!isObject(schema) || depth > maxDepth || search.stepsLeft < 0) return false;
  const fails = (other: JsonValue | undefined): boolean => surelyFails(other, value, search, depth + 1);
  if (typeof schema["$ref"] === "string" && fails(resolvePointer(search.root, schema["$ref"]))) return true;
  if (listOf(schema["allOf"]).some(fails)) return true;
  if (["anyOf", "oneOf"].some((keyword) => isList(schema[keyword]) && listOf(schema[keyword]).every(fails)))
    return true;
  if (!mayHaveType(schema["type"], value) || !mayBeAmong(schema, value)) return true;
  return isObject(value) && membersFail(schema, value, search, depth);
}

function mayHaveType(type: JsonValue | undefined, value: JsonValue): boolean {
  if (type === undefined) return true;
  const kinds = kindsOf(value);
  return (isList(type) ? type : [type]).some((one) => typeof one === "string" && kinds.includes(one));
}

function kindsOf(value: JsonValue): readonly string[] {
  if (value === null) return ["null"];
  if (isList(value)) return ["array"];
  if (typeof value === "number") return ["number", "integer"];
  if (typeof value === "string") return exactNumberOf(value) ? ["string", "number", "integer"] : ["string"];
  return [typeof value];
}

function mayBeAmong(schema: JsonObject, value: JsonValue): boolean {
  if (typeof value === "object" && value !== null) return true;
  const lists = [schema["enum"], Object.hasOwn(schema, "const") ? [schema["const"] ?? null] : undefined];
  const key = exactNumberOf(value)?.key;
  return lists.every(
    (list) =>
      !isList(list) || list.some((one) => one === value || (key !== undefined && exactNumberOf(one)?.key === key)),
  );
}

function membersFail(schema: JsonObject, value: JsonObject, search: Search, depth: number): boolean {
  const missing = listOf(schema["required"]).some((name) => typeof name === "string" && !Object.hasOwn(value, name));
  if (missing) return true;
  const { properties } = schema;
  const known = isObject(properties) ? properties : {};
  const isClosed = schema["additionalProperties"] === false && schema["patternProperties"] === undefined;
  const members = Object.entries(value);
  search.stepsLeft -= members.length;
  return members.some(([name, member]) =>
    Object.hasOwn(known, name) ? surelyFails(known[name], member, search, depth + 1) : isClosed,
  );
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
